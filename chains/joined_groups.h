#pragma once

#include <vector>

#include "fabric/fabric.h"
#include "fabric/multicast.h"

namespace rch::chains {

struct Plan;

/// A multicast group that hosts made by joining it.
struct JoinedGroup {
  Lid mlid{};
  std::uint8_t sl = 0;
  std::vector<Guid> members{};  ///< of ports, ascending
  std::vector<Guid> senders{};  ///< of ports that do not receive, ascending
};

/// What subnet administration knows of the groups that hosts joined.
struct JoinedGroups {
  std::vector<JoinedGroup> groups;  ///< ascending MLID
  /// MLIDs that it has given out, ascending. A group of an installed plan with one of them stays only if it
  /// is in `groups`; the others are of hosts that joined under another subnet manager.
  std::vector<Lid> given;
};

/// As groups of a fabric, without members that it does not have. No ports.
std::vector<fabric::MulticastGroup> groups_on(const JoinedGroups& joined, const fabric::Fabric& fabric);

/// The groups of `plan` that hosts joined (Plan::joined), with the members that `now` still has. No ports.
std::vector<fabric::MulticastGroup> joined_groups(const Plan& plan, const fabric::Fabric& now);

/// Planned groups and joined ones, ascending MLID. One that is both has the members of both.
std::vector<fabric::MulticastGroup> merged(std::vector<fabric::MulticastGroup> planned,
                                           std::vector<fabric::MulticastGroup> joined);

}  // namespace rch::chains
