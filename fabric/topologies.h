#pragma once

#include <cstdint>
#include <variant>
#include <vector>

namespace rch::fabric {

/// Torus, mesh or a mix, in one to three dimensions. Two switches along a dimension of radix 2 are joined
/// once. Ports of a switch: for each dimension of radix above 1 its positive cables, then its negative ones;
/// then hosts.
struct Grid {
  struct Dimension {
    std::uint32_t radix = 1;
    bool wraps = true;
  };
  std::vector<Dimension> dimensions;
};

/// Port d + 1 leads along dimension d.
struct Hypercube {
  std::uint32_t dimensions = 1;  ///< 1..16
};

/// Every switch is joined to all others that differ from it in one coordinate (Ahn et al. 2009). The diameter
/// is the number of dimensions wider than 1.
struct HyperX {
  std::vector<std::uint32_t> widths;  ///< by dimension
};

/// Two-level Clos: every leaf is joined to every spine; hosts on leaves, at their first ports.
struct Clos {
  std::uint32_t leaves = 1;
  std::uint32_t spines = 1;
};

/// Three-level k-ary fat tree of k-port switches with k/2 hosts on each edge switch; `hosts` does not count.
struct FatTree {
  std::uint32_t k = 4;  ///< even
};

/// Rail-optimised tree: a host has one CA port for each rail. A unit has one leaf for each rail, and `hosts`
/// hosts: port r of each is on leaf r. Every leaf is joined to every spine.
struct RailTree {
  std::uint32_t units = 1;
  std::uint32_t rails = 1;
  std::uint32_t spines = 1;
};

/// Groups of routers that are all joined to each other, and every two groups joined by as many global links
/// as their routers' `global_links` each allow (Kim et al. 2008). Diameter 3.
struct Dragonfly {
  std::uint32_t groups = 2;
  std::uint32_t routers = 1;       ///< of each group
  std::uint32_t global_links = 1;  ///< of each router
};

/// Dragonfly of two-level groups: hosts on leaves, global links on spines (Shpiner et al. 2017). From leaf to
/// leaf 3 hops.
struct DragonflyPlus {
  std::uint32_t groups = 2;
  std::uint32_t leaves = 1;        ///< of each group
  std::uint32_t spines = 1;        ///< of each group
  std::uint32_t global_links = 1;  ///< of each spine
};

/// McKay-Miller-Siran graph of 2 q^2 switches, degree (3 q - d) / 2 and diameter 2, where d is -1, 0 or 1 and
/// q = d mod 4 (Besta & Hoefler 2014).
struct SlimFly {
  std::uint32_t q = 5;  ///< power of a prime
};

/// Random connected graph in which every switch has `degree` neighbours. switches * degree must be even.
struct RandomRegular {
  std::uint32_t switches = 2;
  std::uint32_t degree = 1;
  std::uint64_t seed = 1;
};

using Topology = std::variant<Grid, Hypercube, HyperX, Clos, FatTree, RailTree, Dragonfly, DragonflyPlus,
                              SlimFly, RandomRegular>;

}  // namespace rch::fabric
