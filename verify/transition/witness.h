#pragma once

#include <span>
#include <vector>

#include "verify/survey.h"
#include "verify/transition/transient_states.h"

namespace rch::verify {

/// The hop of a move that puts packets on `channel`.
TransientHop hop_of(const Move& move, const ChannelDependencyGraph::Channel& channel, const Lanes& lanes);

/// Packets for a move can be sent round these switches.
Hazard forwarding_loop(const Change& change, const Wiring& wiring, const Move& move,
                       std::span<const SwitchId> cycle);

/// Channels that can depend on each other; `concerned` of them are on cycles.
Hazard transition_loop(const Change& change, std::vector<TransientHop> hops, std::uint64_t concerned);

}  // namespace rch::verify
