#include "verify/packet_classes.h"

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

}  // namespace rch::verify
