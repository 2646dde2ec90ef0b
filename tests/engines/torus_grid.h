#pragma once

// Tori and meshes put together in memory, with faults, parallel cables and any port and GUID layout.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/torus_2qos/torus_2qos.h"
#include "fabric/fabric.h"

namespace rch::test {

using At = std::array<std::uint32_t, 3>;

struct GridSpec {
  At radix{1, 1, 1};
  std::array<bool, 3> wraps{true, true, true};  ///< how the cables lie; radix 1 and 2 never wrap
  std::uint32_t cables = 1;                     ///< between neighbours
  std::uint32_t hosts = 1;                      ///< on each switch
  std::uint8_t lmc = 0;                         ///< of hosts
  std::uint8_t vl_cap = 4;                      ///< of every port, coded; 4 is 8 data VLs
  std::vector<At> missing;
  std::vector<std::pair<At, At>> cut;    ///< all cables between the two
  std::vector<std::pair<At, At>> extra;  ///< one more cable between any two
  /// 0: positive ports of each dimension, then negative ones, then hosts, GUIDs in coordinate order. Else
  /// ports, GUIDs and LIDs are shuffled and counts vary: 1..cables, 0..hosts.
  std::uint64_t shuffle = 0;
};

/// A fabric whose switches know where they stand.
class Grid {
 public:
  explicit Grid(GridSpec spec);

  const GridSpec& spec() const { return spec_; }
  const fabric::Fabric& fabric() const { return fabric_; }
  std::size_t positions() const { return std::size_t{1} * spec_.radix[0] * spec_.radix[1] * spec_.radix[2]; }
  At at(std::size_t position) const;
  /// None where a switch is missing.
  SwitchId sw(const At& at) const { return switch_at_[index(at)]; }
  const At& at(SwitchId sw) const { return at_switch_[sw.index()]; }
  Guid guid(const At& at) const { return guid_[index(at)]; }
  bool looped(std::size_t d) const { return spec_.wraps[d] && spec_.radix[d] > 2; }
  /// The neighbour `step` (+1 or -1) on; false beyond the border of an open dimension.
  bool step(At& at, std::size_t d, int step) const;

  /// A seed whose switch stands there and has these coordinates, with every link that the geometry has.
  engines::torus_2qos::Seed seed(const At& at) const;
  /// Options for this grid with one seed at each of the positions.
  engines::torus_2qos::Options options(const std::vector<At>& seeds) const;
  /// With a seed at every position, in coordinate order.
  engines::torus_2qos::Options options() const;

 private:
  std::size_t index(const At& at) const {
    return (std::size_t{at[0]} * spec_.radix[1] + at[1]) * spec_.radix[2] + at[2];
  }

  GridSpec spec_;
  std::vector<Guid> guid_;  ///< by position
  fabric::Fabric fabric_;
  std::vector<SwitchId> switch_at_;
  std::vector<At> at_switch_;
};

/// `6 5 1`, `5m 1 6`: radices, open dimensions marked `m`.
GridSpec grid_spec(std::string_view radices);
/// `3c0`: one hexadecimal digit a coordinate.
At at_of(std::string_view digits);
std::string digits_of(const At& at);

/// What torus-2QoS makes of it.
engines::EngineResult route_grid(const Grid& grid, const engines::torus_2qos::Options& options);

}  // namespace rch::test
