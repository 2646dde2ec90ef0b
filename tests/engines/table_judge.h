#pragma once

// Judges one-lane tables pair by pair and channel by channel: slow, plain, independent of engines and
// verify/.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/forwarding_tables.h"

namespace rch::test {

Lid switch_lid(const fabric::Fabric& fabric, std::uint32_t s);

/// Switches that a packet visits from `from` to the owner of `lid`, both ends included; nothing if it does
/// not arrive.
std::optional<std::vector<SwitchId>> path(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts,
                                          SwitchId from, Lid lid);

/// Tells whether paths from a switch to a LID are judged.
using PathFilter = std::function<bool(SwitchId from, Lid to)>;

/// A cycle in the CDG of the paths that the filter selects; empty if there is none.
std::string credit_cycle(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts,
                         const PathFilter& judged);
/// The same of the paths between all end ports, and from and to switch LIDs too if asked for.
std::string credit_cycle(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts,
                         bool with_switches = false);

}  // namespace rch::test
