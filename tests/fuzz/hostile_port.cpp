#include "hostile_port.h"

#include <algorithm>

namespace rch::sim::test {
namespace {

namespace h = hw::mad_header;

constexpr hw::Field kTrapNumber{h::kData + 4, 0, 16};
/// What noise must not guess: an SM that knows the key may disable us.
constexpr hw::Field kSmKey{h::kData + 8, 0, 64};
constexpr std::uint64_t kSecret = 0x5EC2E7;

}  // namespace

void HostilePort::receive(std::vector<hw::Datagram>& arrived, hw::TimePoint deadline) {
  for (const Late& late : late_) deadline = std::min(deadline, late.due);
  std::vector<hw::Datagram> clean;
  port_.receive(clean, deadline);
  std::erase_if(late_, [&](const Late& late) {
    if (late.due > now()) return false;
    arrived.push_back(late.datagram);
    return true;
  });
  for (const hw::Datagram& datagram : clean) disturb(datagram, arrived);
  if (clean.empty() && !input_.empty()) arrived.push_back(invent());
  note_blocks(arrived);
}

void HostilePort::note_blocks(std::span<const hw::Datagram> arrived) {
  for (const hw::Datagram& datagram : arrived) {
    if (get(datagram.mad, h::kMethod) != static_cast<std::uint64_t>(hw::Method::get_resp) ||
        get(datagram.mad, h::kAttribute) != static_cast<std::uint64_t>(hw::Attribute::linear_table))
      continue;
    const auto block = static_cast<std::uint32_t>(get(datagram.mad, h::kModifier));
    hw::SmpData& data = said_[block].emplace_back();
    std::copy_n(datagram.mad.begin() + h::kData, data.size(), data.begin());
  }
}

void HostilePort::disturb(hw::Datagram datagram, std::vector<hw::Datagram>& arrived) {
  const bool passes = untouched_ > 0 || input_.empty();
  untouched_ -= untouched_ > 0 ? 1 : 0;
  if (passes) return arrived.push_back(datagram);
  const std::uint8_t what = input_.next();
  switch (what % 10) {
    case 0:
      untouched_ = what;
      break;
    case 1:  // lost
      return;
    case 2:
      arrived.push_back(datagram);
      break;
    case 3:
    case 4:
      alter(datagram);
      break;
    case 5: {  // truncated
      const std::size_t length = input_.next();
      std::fill(datagram.mad.begin() + static_cast<std::ptrdiff_t>(length), datagram.mad.end(),
                std::uint8_t{0});
      break;
    }
    case 6:  // late
      late_.push_back({now() + hw::Milliseconds{8 * input_.next()}, datagram});
      return;
    case 7:  // the answer to something else, which came before
      arrived.push_back(last_);
      break;
    case 8:
      arrived.push_back(invent());
      break;
    default:
      datagram.status = input_.next();  // reported as undeliverable
  }
  last_ = datagram;
  arrived.push_back(datagram);
}

/// Changes one byte of the header or of the data.
void HostilePort::alter(hw::Datagram& datagram) {
  const std::uint8_t at = input_.next();
  datagram.mad[at < 192 ? h::kData + at % 64U : at % 64U] ^= input_.next();
}

/// What nobody asked for.
hw::Datagram HostilePort::invent() {
  const std::uint8_t what = input_.next();
  if (what % 4 == 0) return spoof_trap();
  constexpr std::uint8_t kClasses[] = {0x01, 0x81, 0x03, 0x04, 0x07, 0x09, 0x32, 0x00};
  constexpr std::uint8_t kMethods[] = {0x01, 0x02, 0x05, 0x06, 0x07, 0x81, 0x12, 0x92};
  hw::Datagram datagram;
  const std::uint8_t kind = input_.next();
  set(datagram.mad, h::kBaseVersion, 1);
  set(datagram.mad, h::kClass, kClasses[kind % 8]);
  set(datagram.mad, h::kClassVersion, 1);
  set(datagram.mad, h::kMethod, kMethods[kind / 8 % 8]);
  set(datagram.mad, h::kAttribute, kind / 64 == 0 ? input_.next_word() : 0x20);
  set(datagram.mad, h::kModifier, input_.next());
  set(datagram.mad, h::kHopCount, input_.next());
  set(datagram.mad, h::kTransactionLow, input_.next_word());
  datagram.lid = what % 4 == 1 ? 0xFFFF : input_.next();
  for (std::size_t i = what / 4; i > 0 && !input_.empty(); --i)
    datagram.mad[24U + 9U * i % 232U] = input_.next();
  if (get(datagram.mad, kSmKey) == kSecret) set(datagram.mad, kSmKey, 0);
  return datagram;
}

hw::Datagram HostilePort::spoof_trap() {
  hw::Datagram trap;
  set(trap.mad, h::kBaseVersion, 1);
  set(trap.mad, h::kClass, static_cast<std::uint8_t>(hw::MadClass::lid_routed));
  set(trap.mad, h::kClassVersion, 1);
  set(trap.mad, h::kMethod, static_cast<std::uint8_t>(hw::Method::trap));
  set(trap.mad, h::kAttribute, static_cast<std::uint16_t>(hw::Attribute::notice));
  constexpr std::uint16_t kNumbers[] = {128, 144, 64, 257};
  const std::uint8_t which = input_.next();
  set(trap.mad, kTrapNumber, kNumbers[which % 4]);
  trap.lid = which / 4U;
  return trap;
}

}  // namespace rch::sim::test
