#pragma once

#include <vector>

#include "verify/cycle.h"
#include "verify/survey.h"
#include "verify/verify.h"

namespace rch::verify {

/// CA and router ports that nobody can address.
Finding missing_lids(const Context& context);

/// Pairs lost in one way, with the first of them as witness: lowest LID, then lowest source by switch and
/// port.
Finding lost_pairs(const Context& context, FindingKind kind, const Tally::Count& count, std::uint64_t pairs);

/// Forwarding loops that no path between hosts meets. The witness goes once round: lowest LID, then lowest
/// switch.
Finding looping_entries(const Context& context, const ForwardingLoops& loops);

/// A cycle of the channel dependency graph, with a path for each dependency.
Finding credit_loop(const Context& context, const ChannelDependencyGraph& graph, const Cycle& cycle);

}  // namespace rch::verify
