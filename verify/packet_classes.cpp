#include "verify/packet_classes.h"

#include <unordered_map>

namespace rch::verify {

PacketClasses::PacketClasses(const Wiring& wiring, const Lanes& lanes, const Injection& injection)
    : leaving_(lanes.map_count() * 16, kDropped), injected_(wiring.slot_count() * 16, kDiffers) {
  for (std::size_t m = 0; m < lanes.map_count(); ++m)
    for (std::uint8_t sl = 0; sl < 16; ++sl)
      for (std::uint8_t lane = 0; lane < lanes.lane_count(); ++lane)
        if ((lanes.map(static_cast<std::uint16_t>(m)).on_lane[lane] & sl_bit(sl)) != 0)
          leaving_[m * 16 + sl] = number(sl, lane);
  if (sls_.empty()) number(0, 0);
  for (std::size_t slot = 0; slot < wiring.slot_count(); ++slot)
    if (const auto entries = injection.at(slot); !entries.empty())
      for (std::uint8_t sl = 0; sl < 16; ++sl) injected_[slot * 16 + sl] = injected(entries, sl);
}

std::uint8_t PacketClasses::injected(std::span<const Injection::Entry> entries, std::uint8_t sl) const {
  const std::uint8_t first = leaving(entries.front().map)[sl];
  for (const Injection::Entry& entry : entries)
    if (first == kDropped || leaving(entry.map)[sl] != first || (entry.unsent & sl_bit(sl)) != 0)
      return kDiffers;
  return first;
}

std::uint8_t PacketClasses::number(std::uint8_t sl, std::uint8_t lane) {
  for (std::size_t c = 0; c < sls_.size(); ++c)
    if (sls_[c] == sl && lanes_[c] == lane) return static_cast<std::uint8_t>(c);
  sls_.push_back(sl);
  lanes_.push_back(lane);
  return static_cast<std::uint8_t>(sls_.size() - 1);
}

bool only_entries_count(const Context& context, const PacketClasses& classes) {
  if (classes.count() > 1) return false;
  std::unordered_map<const std::uint16_t*, bool> known;  // by SL2VL maps, which switches share
  const auto drops_nothing = [&](std::uint32_t sw) {
    for (unsigned in = 0; in <= context.wiring.num_ports(sw); ++in)
      for (unsigned out = 1; out <= context.wiring.num_ports(sw); ++out)
        if (classes.leaving(context.lanes.map_id(sw, in, out))[classes.sl(0)] != 0) return false;
    return true;
  };
  for (std::uint32_t sw = 0; sw < context.wiring.switch_count(); ++sw) {
    const auto [found, fresh] = known.try_emplace(context.lanes.map_ids(sw, 0), true);
    if (fresh) found->second = drops_nothing(sw);
    if (!found->second) return false;
  }
  return true;
}

}  // namespace rch::verify
