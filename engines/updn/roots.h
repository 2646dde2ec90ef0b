#pragma once

#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "engines/engine.h"
#include "engines/inputs.h"
#include "engines/updn/orientation.h"

namespace rch::engines::updn {

/// Where ranks start, and what the operator should know about them.
struct Starts {
  std::vector<Start> switches;  ///< ascending, at least one
  std::vector<std::string> remarks;
};
using StartsResult = tl::expected<Starts, EngineFailure>;

/// The switches that `roots` name; of several ranks for one the lowest. Fails (`no-roots`) when the view has
/// none of them.
StartsResult named_roots(const fabric::SubFabric& view, std::span<const Root> roots);

/// Switches of the view with CAs or routers, ascending. Aggregation nodes, which spines carry too, count only
/// where there is nothing else, or `as_opensm`.
std::vector<SwitchId> switches_with_hosts(const fabric::SubFabric& view, bool as_opensm = false);

/// Switches that see more than 90 % of the end ports at one distance and no other 5 %, by `hops` of shortest
/// paths to switches_with_hosts() (OpenSM's osm_ucast_updn.c). On wide trees leaves see the same, so of all
/// candidates those nearest to the end ports are taken, unless `as_opensm`. Where hosts on spines hide them,
/// only end ports of switches with at least half as many as the fullest one count, unless `as_opensm`. Fails
/// (`no-roots`) when there are none.
StartsResult detected_roots(const fabric::SubFabric& view, const HopMatrix& hops, bool as_opensm);

/// Roots of `roots` that the view has; perhaps none.
std::vector<SwitchId> present_roots(const fabric::SubFabric& view, std::span<const Guid> roots);

/// Roots that an earlier run found, and that are in the view. `detected`: those of now. They replace the kept
/// ones if all of these are among them. Otherwise damage hides some: then only switches that `before` lacks
/// join the kept ones.
Starts kept_roots(const fabric::SubFabric& view, std::vector<SwitchId> kept, const StartsResult& detected,
                  const fabric::SubFabric& before);

/// switches_with_hosts(). Fails (`no-leaves`) when there are none.
StartsResult leaves(const fabric::SubFabric& view, bool as_opensm = false);

}  // namespace rch::engines::updn
