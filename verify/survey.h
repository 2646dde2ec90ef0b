#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fabric/routing_tables.h"
#include "verify/account.h"
#include "verify/context.h"
#include "verify/dependencies.h"
#include "verify/earlier_proof.h"
#include "verify/entry_rows.h"

namespace rch::verify {

struct Survey {
  ChannelDependencyGraph paths;
  std::size_t channels = 0, dependencies = 0;  ///< of paths and multicast groups
  bool acyclic = true;                         ///< all of these together
  /// The graph of paths and multicast groups, if groups add some and it is not acyclic.
  std::optional<ChannelDependencyGraph> cyclic_with_groups;
  Tally lost;
  Tally lost_to_switches;
  /// With packets to LIDs of switches as well, if only those close cycles.
  std::optional<ChannelDependencyGraph> cyclic_with_switches;
  /// Loops of entries for any LID: of hosts, of switches, of nobody. They count whether packets of hosts get
  /// there or not.
  ForwardingLoops loops;
  SlSet sls = 0;         ///< service levels met
  bool at_most = false;  ///< the graphs may hold channels and dependencies that no packet takes any more
  std::optional<KnownDependencies> known;  ///< if no packet is lost and nothing is cyclic

  /// To look for cycles in.
  const ChannelDependencyGraph& graph() const { return cyclic_with_groups ? *cyclic_with_groups : paths; }
};

/// Takes packets towards all destinations, on all threads, along the trees of all groups, and towards LIDs of
/// switches.
///
/// With Options::earlier packets are taken only to destinations to which some go another way than there. What
/// the earlier one found is added. That is more than all that packets do: if no packet is lost and nothing is
/// cyclic then, it is proven. Otherwise all destinations are surveyed.
Survey survey(const Context& context);

/// `from` depends on `to`: packets leave `from.to` by `to`.
struct Dependency {
  ChannelDependencyGraph::Channel from;
  ChannelDependencyGraph::Channel to;
};

/// For each dependency the lowest LID whose paths cause it, none if multicast does. A second pass, but only
/// towards destinations that the table sends the way of a dependency.
std::vector<Lid> causes(const Context& context, std::span<const Dependency> dependencies);

}  // namespace rch::verify
