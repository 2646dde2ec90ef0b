#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "fabric/routing_tables.h"
#include "verify/dependencies.h"

// What a proof hands to the next one, of tables that are nearly the same (docs/decisions/0025).

namespace rch::verify {

/// Channel dependencies of packets, or more than those.
template <std::size_t N>
struct PathDependencies {
  Dependencies<N> to_hosts;
  Dependencies<N> all;  ///< those of multicast and of packets to LIDs of switches, too
};

/// The dependencies of tables by which no packet to a host is lost, and that close no cycle.
struct KnownDependencies {
  std::uint8_t max_op_vls;         ///< of the proof
  std::vector<std::uint8_t> vls;   ///< by lane
  std::vector<Lid> lost_switches;  ///< to which packets may be lost
  std::variant<PathDependencies<1>, PathDependencies<2>, PathDependencies<4>, PathDependencies<8>,
               PathDependencies<16>>
      bits;
};

struct EarlierProof {
  const fabric::Fabric& fabric;
  const fabric::RoutingTables& tables;
  const KnownDependencies& dependencies;
};

/// Those of all packets, hosts' packets to LIDs of switches and multicast included. `fabric`: of the proof.
ChannelDependencyGraph graph_of_all(const fabric::Fabric& fabric, const KnownDependencies& known);

}  // namespace rch::verify
