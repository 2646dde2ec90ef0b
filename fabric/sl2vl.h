#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace rch::fabric {

/// VL per SL; 15 drops the packet.
using Sl2VlMap = std::array<std::uint8_t, 16>;

/// SL n on VL n: what ports hold before anybody writes a map (ibsim and hardware alike; SL 15 on VL 7).
inline constexpr Sl2VlMap kIdentitySl2Vl{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 7};

/// SL2VL maps of every (switch, in port, out port), and those of end ports. Each distinct map is stored once;
/// a table entry is one byte.
///
/// CA and router ports have one map, unless each got its own. An enhanced port 0 has a map only then: no
/// other port receives what it is about.
class Sl2VlTables {
 public:
  using MapId = std::uint8_t;
  static constexpr MapId kNoMap = 255;

  Sl2VlTables() = default;
  /// `num_ports[s]`: physical ports of switch s. Every entry starts as `initial`, end ports too.
  Sl2VlTables(std::span<const std::uint8_t> num_ports, const Sl2VlMap& initial);

  bool empty() const { return maps_.empty(); }
  std::size_t switch_count() const { return num_ports_.size(); }
  std::uint8_t num_ports(SwitchId sw) const { return num_ports_[sw.index()]; }

  /// Id of the map, adding it if it is new. At most 255 distinct maps.
  MapId intern(const Sl2VlMap& map);
  const Sl2VlMap& map(MapId id) const { return maps_[id]; }
  std::span<const Sl2VlMap> maps() const { return maps_; }

  /// `in` 0..num_ports, `out` 1..num_ports (out 0 exists and is not used by switches).
  MapId id_at(SwitchId sw, PortNum in, PortNum out) const { return ids_[slot(sw, in, out)]; }
  const Sl2VlMap& at(SwitchId sw, PortNum in, PortNum out) const { return maps_[id_at(sw, in, out)]; }
  void set(SwitchId sw, PortNum in, PortNum out, MapId id) { ids_[slot(sw, in, out)] = id; }
  /// By in port and out port, 0 included of both.
  std::span<MapId> ids(SwitchId sw) { return std::span(ids_).subspan(begin_[sw.index()], cells(sw)); }
  std::span<const MapId> ids(SwitchId sw) const {
    return std::span(ids_).subspan(begin_[sw.index()], cells(sw));
  }

  /// The map of every CA and router port that has none of its own.
  MapId end_port_id() const { return end_port_; }
  const Sl2VlMap& end_port() const { return maps_[end_port_]; }
  void set_end_port(MapId id) { end_port_ = id; }

  /// By PortId, kNoMap for ports without one of their own. Empty: no port has one.
  std::span<const MapId> own_ids() const { return own_; }
  void set_own(std::vector<MapId> ids) { own_ = std::move(ids); }
  bool has_own(PortId port) const { return port.index() < own_.size() && own_[port.index()] != kNoMap; }
  const Sl2VlMap& end_port(PortId port) const {
    return has_own(port) ? maps_[own_[port.index()]] : end_port();
  }

 private:
  std::size_t cells(SwitchId sw) const {
    const std::size_t ports = num_ports_[sw.index()] + std::size_t{1};
    return ports * ports;
  }
  std::size_t slot(SwitchId sw, PortNum in, PortNum out) const {
    return begin_[sw.index()] + in.index() * (num_ports_[sw.index()] + std::size_t{1}) + out.index();
  }

  std::vector<Sl2VlMap> maps_;
  std::vector<std::uint8_t> num_ports_;
  std::vector<std::size_t> begin_;
  std::vector<MapId> ids_;
  MapId end_port_ = 0;
  std::vector<MapId> own_;
};

}  // namespace rch::fabric
