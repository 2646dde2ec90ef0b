#pragma once

#include <span>
#include <vector>

#include "verify/survey.h"
#include "verify/transition/mixes.h"

namespace rch::verify {

/// The hop of a move that puts packets on `channel`.
MixHop hop_of(const Move& move, const ChannelGraph::Channel& channel, const Lanes& lanes);

/// Packets for a move can be sent round these switches.
Danger forwarding_loop(const Change& change, const Wiring& wiring, const Move& move,
                       std::span<const SwitchId> circle);

/// Channels that can wait for each other; `concerned` of them lie on some circle.
Danger transition_loop(const Change& change, std::vector<MixHop> hops, std::uint64_t concerned);

}  // namespace rch::verify
