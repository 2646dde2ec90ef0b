#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"

namespace rch::fabric {

// Shapes of fabrics as configurations describe them.

/// What a fat tree is built of, level by level from the hosts upwards: PGFT(h; M; W; P) of Zahavi (D-Mod-K
/// for real life fat trees, 2010). A node of level l has M[l] children on level l - 1 and W[l + 1] parents,
/// with P[l + 1] cables to each; level 0 are the hosts. A QFT spreads its parallel cables over as many
/// switches.
struct FatTreeShape {
  bool quasi = false;  ///< QFT
  // By level, the first is level 1 (leaves and their hosts); as many of each as the tree has switch levels.
  std::vector<std::uint32_t> children;  ///< M
  std::vector<std::uint32_t> parents;   ///< W
  std::vector<std::uint32_t> cables;    ///< P

  std::size_t levels() const { return children.size(); }

  friend bool operator==(const FatTreeShape&, const FatTreeShape&) = default;
};

/// One way to anchor the coordinates of a torus: links of one switch that point along the axes
/// (torus-2QoS.conf(5)).
struct TorusSeed {
  /// Two neighbouring switches named by their node GUIDs.
  struct Link {
    Guid from;
    Guid to;
  };
  std::array<std::optional<Link>, 3> plus;   ///< xp_link, yp_link, zp_link
  std::array<std::optional<Link>, 3> minus;  ///< xm_link, ym_link, zm_link
  std::array<std::int32_t, 3> dateline{};    ///< origin = that many steps in + direction from the seed switch
};

/// What a torus-2QoS.conf says.
struct TorusShape {
  std::array<std::uint32_t, 3> radix{1, 1, 1};
  std::array<bool, 3> wraps{true, true, true};  ///< as configured; radix 1 and 2 never wrap
  std::vector<TorusSeed> seeds;                 ///< tried in order
  std::vector<std::uint8_t> port_order;         ///< ports to use first; the rest ascending
  std::uint32_t portgroup_max_ports = 16;       ///< accepted and not enforced (OpenSM's osm_torus.c)
  std::uint32_t max_changes = 32;               ///< remarks about what differs from the installed tables
};

}  // namespace rch::fabric
