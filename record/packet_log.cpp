#include "record/packet_log.h"

#include <array>

#include "hw/attributes.h"
#include "record/append.h"

namespace rch::record {
namespace {

using hw::Field;
namespace h = hw::mad_header;

// The record of an Endace capture card: the only link type of pcap by which Wireshark 4.0 takes InfiniBand
// packets. Offsets in the record.
constexpr std::size_t kCardHeader = 16;
constexpr Field kCardType{8, 0, 8}, kCardFlags{9, 0, 8}, kCardLength{10, 0, 16}, kWireLength{14, 0, 16};
constexpr std::uint8_t kCardInfiniband = 21, kVaryingLength = 4, kSent = 1;
constexpr std::uint32_t kLinkTypeCard = 197;
constexpr std::int64_t kSecond = 1'000'000'000;

// Headers in front of the datagram (architecture, volume 1, chapters 7.7, 9.2 and 9.3), by offset in the
// record.
constexpr std::size_t kLocal = kCardHeader, kBase = kLocal + 8, kDatagramHeader = kBase + 12,
                      kMad = kDatagramHeader + 8, kEnd = kMad + 256 + 4 + 2;
constexpr Field kVirtualLane{kLocal, 0, 4};
constexpr Field kServiceLevel{kLocal + 1, 0, 4};
constexpr Field kNextHeader{kLocal + 1, 6, 2};
constexpr Field kDestination{kLocal + 2, 0, 16};
constexpr Field kLength{kLocal + 4, 0, 16};
constexpr Field kSource{kLocal + 6, 0, 16};
constexpr Field kOpcode{kBase, 0, 8};
constexpr Field kPartition{kBase + 2, 0, 16};
constexpr Field kDestinationQueuePair{kBase + 5, 0, 24};
constexpr Field kQueueKey{kDatagramHeader, 0, 32};
constexpr Field kSourceQueuePair{kDatagramHeader + 5, 0, 24};

constexpr std::uint8_t kLocalTransport = 2;  ///< a base header follows, no global one
constexpr std::uint8_t kUnreliableSendOnly = 0x64;
constexpr std::uint16_t kDefaultPartition = 0xFFFF;
constexpr std::uint32_t kManagementQueueKey = 0x80010000;
constexpr std::uint8_t kManagementLane = 15;

/// Subnet management goes between queue pairs 0 on VL 15, other classes between queue pairs 1.
bool is_subnet_management(const hw::Mad& mad) {
  const auto mad_class = static_cast<hw::MadClass>(get(mad, h::kClass));
  return mad_class == hw::MadClass::lid_routed || mad_class == hw::MadClass::directed_route;
}

std::array<std::uint8_t, kEnd> packet_of(const hw::Datagram& datagram, std::uint16_t from, std::uint16_t to,
                                         bool sent) {
  std::array<std::uint8_t, kEnd> packet{};
  const bool subnet = is_subnet_management(datagram.mad);
  set(packet, kCardType, kCardInfiniband);
  set(packet, kCardFlags, kVaryingLength | (sent ? kSent : 0U));
  set(packet, kCardLength, kEnd);
  set(packet, kWireLength, kEnd - kLocal);
  set(packet, kVirtualLane, subnet ? kManagementLane : 0);
  set(packet, kServiceLevel, datagram.service_level);
  set(packet, kNextHeader, kLocalTransport);
  set(packet, kDestination, to);
  set(packet, kLength, (kEnd - kLocal - 2) / 4);
  set(packet, kSource, from);
  set(packet, kOpcode, kUnreliableSendOnly);
  set(packet, kPartition, kDefaultPartition);
  set(packet, kDestinationQueuePair, subnet ? 0 : 1);
  set(packet, kQueueKey, subnet ? 0 : kManagementQueueKey);
  set(packet, kSourceQueuePair, subnet ? 0 : 1);
  std::copy(datagram.mad.begin(), datagram.mad.end(), packet.begin() + kMad);
  return packet;
}

}  // namespace

Result<std::unique_ptr<PacketLog>> PacketLog::create(const std::filesystem::path& path, RingLimits limits,
                                                     std::function<void(const Error&)> lost,
                                                     std::function<std::int64_t()> wall_clock) {
  std::unique_ptr<PacketLog> log(new PacketLog(path, limits, std::move(lost), std::move(wall_clock)));
  if (auto begun = log->begin_file(); !begun) return tl::unexpected(begun.error());
  return log;
}

Result<void> PacketLog::begin_file() {
  if (auto next = ring_.next(); !next) return next;
  std::string head;
  append(head, std::uint32_t{0xA1B23C4D});  // pcap with nanoseconds
  append(head, std::uint16_t{2});
  append(head, std::uint16_t{4});
  append(head, std::uint64_t{0});
  append(head, std::uint32_t{65535});
  append(head, kLinkTypeCard);
  return ring_.write(head);
}

void PacketLog::on_arrival(std::span<const hw::Datagram> arrived, hw::TimePoint now) {
  now_ = now;
  for (const hw::Datagram& datagram : arrived) {
    if (datagram.status != 0) continue;  // what we sent, and nobody answered
    learn_own_lid(datagram);
    const bool directed = datagram.lid == 0xFFFF;
    add(datagram, datagram.lid, directed ? 0xFFFF : own_lid_, false);
  }
  write_out();
}

void PacketLog::on_effects(const hw::Effects& effects) {
  for (const auto& [datagram, timeout] : effects.datagrams)
    add(datagram, datagram.lid == 0xFFFF ? 0xFFFF : own_lid_, datagram.lid, true);
  write_out();
}

/// Our port tells it in each PortInfo.
void PacketLog::learn_own_lid(const hw::Datagram& answer) {
  const auto is = [&](Field field, auto value) {
    return get(answer.mad, field) == static_cast<std::uint64_t>(value);
  };
  if (is(h::kMethod, hw::Method::get_resp) && is(h::kClass, hw::MadClass::directed_route) &&
      is(h::kAttribute, hw::Attribute::port_info) && is(h::kHopCount, 0))
    own_lid_ = static_cast<std::uint16_t>(get(std::span(answer.mad).subspan(h::kData), hw::port_info::kLid));
}

void PacketLog::add(const hw::Datagram& datagram, std::uint16_t from, std::uint16_t to, bool sent) {
  const std::int64_t time = wall_clock_() + std::chrono::nanoseconds(now_.time_since_epoch()).count();
  const auto seconds = static_cast<std::uint32_t>(time / kSecond);
  const auto rest = static_cast<std::uint64_t>(time % kSecond);
  const auto packet = packet_of(datagram, from, to, sent);
  append(packets_, seconds);
  append(packets_, static_cast<std::uint32_t>(rest));
  append(packets_, static_cast<std::uint32_t>(packet.size()));
  append(packets_, static_cast<std::uint32_t>(packet.size()));
  packets_.append(reinterpret_cast<const char*>(packet.data()), packet.size());
}

void PacketLog::write_out() {
  if (!packets_.empty() && !is_lost_) {
    auto written = ring_.write(packets_);
    if (written && ring_.full()) written = begin_file();
    is_lost_ = !written;
    if (!written) lost_(written.error());
  }
  packets_.clear();
}

}  // namespace rch::record
