#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "fabric/routing_tables.h"
#include "verify/wiring.h"

namespace rch::verify {

/// A set of service levels, one bit each.
using SlSet = std::uint16_t;

constexpr SlSet sl_bit(std::uint8_t sl) { return static_cast<SlSet>(1U << (sl & 15U)); }

/// One distinct SL2VL map together with the number of data VLs of the link it feeds.
struct LaneMap {
  fabric::Sl2VlMap vl{};  ///< as the table says
  SlSet drops = 0;        ///< SLs that get VL 15 or a VL the link does not have (Dally and Seitz 1987)
  std::array<SlSet, 16> on_lane{};  ///< SLs by lane
};

/// VLs at every (switch, in port, out port). VLs that service levels in use can get are numbered densely: a
/// lane is such a number, so that walks carry as few of them as there are.
class Lanes {
 public:
  /// `used`: the service levels that paths have. Tables of another shape than the fabric's drop what they do
  /// not hold.
  Lanes(const Wiring& wiring, const fabric::Sl2VlTables& tables, SlSet used)
      : Lanes(wiring, tables, tables, used) {}
  /// For transient states of both tables: an SL is on the lanes of both its VLs, and dropped if both drop it.
  Lanes(const Wiring& wiring, const fabric::Sl2VlTables& one, const fabric::Sl2VlTables& other, SlSet used);

  SlSet used() const { return used_; }
  /// Number of lanes, at least 1.
  std::size_t lane_count() const { return vls_.size(); }
  std::uint8_t vl_of_lane(std::size_t lane) const { return vls_[lane]; }

  std::size_t map_count() const { return maps_.size(); }
  const LaneMap& map(std::uint16_t id) const { return maps_[id]; }
  /// Maps of one switch and in port, by out port.
  const std::uint16_t* map_ids(std::size_t sw, std::size_t in) const {
    return ids_.data() + switches_[sw].first_id + in * switches_[sw].width;
  }
  std::uint16_t map_id(std::size_t sw, std::size_t in, std::size_t out) const { return map_ids(sw, in)[out]; }
  const LaneMap& at(std::size_t sw, std::size_t in, std::size_t out) const {
    return maps_[map_id(sw, in, out)];
  }

  /// VL that a CA or router port puts an SL on, and the SLs it cannot send on a link of `data_vls`.
  const fabric::Sl2VlMap& end_port(PortId port) const { return end_maps_[end_map_of(port)]; }
  SlSet unsendable(PortId port, std::uint8_t data_vls) const {
    return unsendable_[end_map_of(port)][data_vls];
  }

  static SlSet dropped(const fabric::Sl2VlMap& map, std::uint8_t data_vls);

 private:
  struct Switch {
    std::uint32_t first_id;
    std::uint32_t width;
  };

  void number_lanes();
  std::size_t end_map_of(PortId port) const {
    return port.index() < own_.size() && own_[port.index()] != fabric::Sl2VlTables::kNoMap
               ? own_[port.index()]
               : end_port_;
  }

  SlSet used_;
  std::vector<fabric::Sl2VlMap> end_maps_;
  std::vector<std::array<SlSet, 16>> unsendable_;  ///< by end map and data VLs
  std::size_t end_port_;                           ///< end map of a port without one of its own
  std::vector<fabric::Sl2VlTables::MapId> own_;    ///< by PortId; empty: none
  std::vector<fabric::Sl2VlMap> others_;           ///< by map: that of the other tables
  std::vector<std::uint8_t> data_vls_;             ///< by map: of the link it feeds
  std::vector<LaneMap> maps_;
  std::vector<Switch> switches_;
  std::vector<std::uint16_t> ids_;  ///< by in port and out port; switches that are alike share theirs
  std::vector<std::uint8_t> vls_;   ///< by lane
};

/// Calls f with the least number of lanes, as a constant, that walks are made for.
template <class F>
auto with_lanes(std::size_t lanes, const F& f) {
  if (lanes <= 1) return f(std::integral_constant<std::size_t, 1>{});
  if (lanes <= 2) return f(std::integral_constant<std::size_t, 2>{});
  if (lanes <= 4) return f(std::integral_constant<std::size_t, 4>{});
  if (lanes <= 8) return f(std::integral_constant<std::size_t, 8>{});
  return f(std::integral_constant<std::size_t, 16>{});
}

}  // namespace rch::verify
