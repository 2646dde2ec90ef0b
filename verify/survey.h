#pragma once

#include <span>
#include <vector>

#include "fabric/routing_tables.h"
#include "verify/account.h"
#include "verify/dependencies.h"
#include "verify/walker.h"

namespace rch::verify {

/// Everything a survey looks at.
struct Field {
  const fabric::Fabric& fabric;
  const fabric::RoutingTables& tables;
  const Wiring& wiring;
  const Lanes& lanes;
  const Injection& injection;
  std::span<const Destination> destinations;
  std::size_t column_bytes;  ///< of columns held at a time
  bool paths_apart = false;  ///< Survey::paths is wanted
};

struct Survey {
  ChannelGraph graph;
  ChannelGraph paths;  ///< the same without multicast, if it was asked for
  Tally lost;
  SlSet sls = 0;  ///< service levels met
};

/// Walks towards every destination once, on all threads, and along the trees of all groups.
Survey survey(const Field& field);

/// `from` waits for `to`, its neighbour: who does that?
struct Dependency {
  ChannelGraph::Channel from;
  ChannelGraph::Channel to;
};

/// For each dependency the lowest LID whose paths cause it, none if multicast does. A second walk, but only
/// towards destinations that the table sends the way of a dependency.
std::vector<Lid> causes(const Field& field, std::span<const Dependency> dependencies);

}  // namespace rch::verify
