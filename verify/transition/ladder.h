#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "fabric/block_writes.h"
#include "verify/transition/change.h"
#include "verify/transition/mixes.h"

namespace rch::verify {

/// What the operator names to accept a change that stops all traffic concerned.
inline constexpr std::string_view kStaticChange = "static-change";

/// How tables get from held to wanted, as data: batches with a barrier between them. In whatever order the
/// writes of a batch arrive, every state on the way is free of forwarding loops and credit loops, packets
/// that came by held entries included.
struct Ladder {
  std::vector<fabric::Batch> batches;
  /// False when there was nothing to judge: no packet of an end port is on its way by an entry that goes.
  bool judged = true;
  std::uint64_t destinations = 0;  ///< LIDs whose entries are replaced
  std::vector<Lid> outwards;       ///< of them: written in batches by distance from the destination
  std::vector<Lid> drained;        ///< of them: cut off between two batches
  std::optional<Danger> at_once;   ///< what all writes in one batch would have made possible

  /// The held tables are dangerous themselves, or get so by the SL2VL maps that change under them: no order
  /// of writes is free of it. The batches then stop all traffic that is concerned (`drained`) before anything
  /// new is written; that adds no danger, and is for the operator to accept.
  std::optional<Danger> only_static;
};

/// Looks for the least disturbing way (routing-engines 12.6):
///  1. all at once;
///  2. else entries that lead nowhere first, as they lose packets anyway; then as many blocks (64 LIDs, on
///  all
///     switches) to a batch as go together; then single destinations likewise;
///  3. destinations that cannot go like that: from themselves outwards, a batch for each distance;
///  4. what is left: the held entries are taken away, and a packet lifetime later the wanted ones written.
///
/// `proven`: as for make_mixes. The same result for any number of threads.
Ladder plan_ladder(const Change& change, const ChannelGraph* proven = nullptr);

}  // namespace rch::verify
