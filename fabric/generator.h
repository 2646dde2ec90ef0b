#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "fabric/fabric.h"

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

/// Two-level Clos: every leaf is joined to every spine; hosts on leaves, at their first ports.
struct Clos {
  std::uint32_t leaves = 1;
  std::uint32_t spines = 1;
};

/// Three-level k-ary fat tree of k-port switches with k/2 hosts on each edge switch; `hosts` does not count.
struct FatTree {
  std::uint32_t k = 4;  ///< even
};

/// Random connected graph in which every switch has `degree` neighbours. switches * degree must be even.
struct RandomRegular {
  std::uint32_t switches = 2;
  std::uint32_t degree = 1;
  std::uint64_t seed = 1;
};

/// What to generate. Unless shuffled, switch i gets the GUID switch_guid + 8 i and host i the node
/// GUID host_guid + 4 i.
struct GeneratorOptions {
  std::variant<Grid, Hypercube, Clos, FatTree, RandomRegular> shape;
  std::uint32_t hosts = 1;     ///< on each (leaf) switch
  std::uint32_t parallel = 1;  ///< cables between two neighbouring switches
  LinkWidth width = LinkWidth::x4;
  LinkSpeed speed = LinkSpeed::qdr;
  Guid switch_guid{0x0002c90200400000};
  Guid host_guid{0x0002c90300010000};
  std::string name_prefix = {};   ///< put before every node description
  std::optional<std::uint64_t> shuffle = {};  ///< seed of shuffled(): as real fabrics are, not in order
  std::uint32_t torus_seeds = 1;  ///< seeds wanted in the torus-2QoS.conf; there may be room for fewer
};

struct Generated {
  Fabric fabric;           ///< seen from the first host's port, or the first switch if there are no hosts
  std::string torus_conf;  ///< matching torus-2QoS.conf; empty for shapes that are no grid
};

/// Fails (usage) on sizes that make no fabric: too many ports on a switch, an odd k, an odd sum of degrees,
/// ...
Result<Generated> generate(const GeneratorOptions& options);

/// torus-2QoS.conf for a grid made with these options, from which parts may have been removed since: seeds
/// avoid missing switches and cables, name both directions where a looped radix is 4, touch no switch twice,
/// and have datelines that keep the origin where it is (torus-2qos 1.1-1.4). Fails (usage) if no seed is
/// left.
Result<std::string> torus_conf(const GeneratorOptions& options, const Fabric& fabric);

}  // namespace rch::fabric
