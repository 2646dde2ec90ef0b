#include "chains/joined_groups.h"

#include <algorithm>
#include <iterator>

#include "chains/plan.h"

namespace rch::chains {

using fabric::MulticastGroup;

std::vector<MulticastGroup> groups_on(const JoinedGroups& joined, const fabric::Fabric& fabric) {
  std::vector<MulticastGroup> groups;
  for (const JoinedGroup& from : joined.groups) {
    MulticastGroup group{from.mlid, from.sl, {}, {}};
    for (const Guid member : from.members)
      if (const auto port = fabric.find_port(member)) group.members.push_back(*port);
    std::ranges::sort(group.members);
    if (!group.members.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<MulticastGroup> joined_groups(const Plan& plan, const fabric::Fabric& now) {
  std::vector<MulticastGroup> groups;
  for (const MulticastGroup& group : plan.tables->groups) {
    if (std::ranges::find(plan.joined, group.mlid) == plan.joined.end()) continue;
    MulticastGroup kept{group.mlid, group.sl, {}, {}};
    for (const PortId member : group.members)
      if (const auto port = now.find_port(plan.fabric->port(member).guid)) kept.members.push_back(*port);
    std::ranges::sort(kept.members);
    if (!kept.members.empty()) groups.push_back(std::move(kept));
  }
  return groups;
}

std::vector<MulticastGroup> merged(std::vector<MulticastGroup> planned, std::vector<MulticastGroup> joined) {
  for (MulticastGroup& group : joined) {
    const auto same = std::ranges::find(planned, group.mlid, &MulticastGroup::mlid);
    if (same == planned.end()) {
      planned.push_back(std::move(group));
      continue;
    }
    std::vector<PortId> members;
    std::ranges::set_union(same->members, group.members, std::back_inserter(members));
    same->members = std::move(members);
  }
  std::ranges::sort(planned, {}, &MulticastGroup::mlid);
  return planned;
}

}  // namespace rch::chains
