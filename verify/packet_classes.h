#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "verify/lanes.h"

namespace rch::verify {

/// Packets of one service level on one virtual lane, numbered densely: all that decides about a packet besides
/// its destination and where it is.
class PacketClasses {
 public:
  static constexpr std::uint8_t kDropped = 0xFF;

  explicit PacketClasses(const Lanes& lanes) : next_(lanes.map_count() * 16, kDropped) {
    for (std::size_t m = 0; m < lanes.map_count(); ++m)
      for (std::uint8_t sl = 0; sl < 16; ++sl)
        for (std::uint8_t lane = 0; lane < lanes.lane_count(); ++lane)
          if ((lanes.map(static_cast<std::uint16_t>(m)).on_lane[lane] & sl_bit(sl)) != 0)
            next_[m * 16 + sl] = number(sl, lane);
    if (sls_.empty()) number(0, 0);
  }

  std::size_t count() const { return sls_.size(); }
  std::uint8_t sl(std::size_t packet_class) const { return sls_[packet_class]; }
  std::uint8_t lane(std::size_t packet_class) const { return lanes_[packet_class]; }
  /// Class in which packets of a service level leave by a map, kDropped if they do not.
  std::uint8_t leaving(std::uint16_t map, std::uint8_t sl) const { return next_[map * 16U + sl]; }

 private:
  std::uint8_t number(std::uint8_t sl, std::uint8_t lane) {
    for (std::size_t c = 0; c < sls_.size(); ++c)
      if (sls_[c] == sl && lanes_[c] == lane) return static_cast<std::uint8_t>(c);
    sls_.push_back(sl);
    lanes_.push_back(lane);
    return static_cast<std::uint8_t>(sls_.size() - 1);
  }

  std::vector<std::uint8_t> sls_;    ///< by class
  std::vector<std::uint8_t> lanes_;  ///< by class
  std::vector<std::uint8_t> next_;   ///< by map and service level
};

}  // namespace rch::verify
