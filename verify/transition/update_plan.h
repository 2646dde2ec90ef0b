#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "fabric/block_writes.h"
#include "verify/transition/change.h"
#include "verify/transition/transient_states.h"

namespace rch::verify {

/// What the operator names to accept a change that stops all traffic concerned.
inline constexpr std::string_view kStaticChange = "static-change";

/// How tables get from installed to target: rounds of writes with a barrier between them. In whatever order
/// the writes of a round arrive, every transient state is free of forwarding loops and credit loops of
/// unicast packets, also of those that installed entries sent.
struct UpdatePlan {
  std::vector<fabric::WriteRound> rounds;
  /// False when there was nothing to judge: no installed path uses a replaced entry.
  bool judged = true;
  std::uint64_t destinations = 0;  ///< LIDs whose entries are replaced
  std::vector<Lid> outwards;       ///< of them: written in rounds by distance from the destination
  std::vector<Lid> drained;        ///< of them: cut off between two rounds
  std::optional<Hazard> at_once;   ///< why all writes in one round are unsafe

  /// The installed tables are unsafe themselves, or become so by SL2VL maps that change under them: every
  /// order of writes is. The rounds then stop all traffic concerned (`drained`) before anything new is
  /// written. That adds no hazard; the operator must accept it.
  std::optional<Hazard> only_static;
  /// The links to parts that are not in the fabric (Change::entrances) must be closed before the first round,
  /// and a packet lifetime must pass: what their packets could close in the target tables. The rounds are
  /// judged without such packets then.
  std::optional<Hazard> closes;
  /// `only_static` is of the target tables: hosts that keep their previous service levels make it.
  bool hosts_at_risk = false;
  /// Whose packets were judged: fewer than asked while packets to hosts get lost; where those to LIDs of
  /// switches would drain more LIDs of hosts, or make the change static (`to_switches`: why); and where they
  /// may come from parts that are not in the fabric.
  SwitchPackets switch_packets = SwitchPackets::none;
  std::optional<Hazard> to_switches;
};

/// Finds the update plan with the fewest rounds, then the fewest drained LIDs (docs/decisions/0009):
///  1. all at once;
///  2. else first entries that lead nowhere, as they lose packets anyway; then rounds of as many destinations
///  as go together, whole blocks first (64 LIDs, on all switches);
///  3. else from the destination outwards, a round for each distance;
///  4. else LIDs of switches are drained: installed entries are taken away, and target entries written at the
///     end, after a packet lifetime; then 2 and 3 again;
///  5. else all that is left is drained.
///
/// Packets may come back from a part that is not in the fabric. So a round before all others takes away the
/// entries that lead into one, where other entries for the same LID are about to be written, or where it
/// could join channels. This is not needed where its links are closed.
///
/// `proven`: as for make_transient_states. The result does not depend on the number of threads.
UpdatePlan plan_update(const Change& change, const ChannelDependencyGraph* proven = nullptr);

}  // namespace rch::verify
