#include "chains/joined_groups.h"

#include <algorithm>
#include <iterator>

#include "chains/plan.h"

namespace rch::chains {

using fabric::MulticastGroup;

namespace {

std::vector<PortId> ports_of(const std::vector<Guid>& guids, const fabric::Fabric& fabric) {
  std::vector<PortId> ports;
  for (const Guid guid : guids)
    if (const auto port = fabric.find_port(guid)) ports.push_back(*port);
  std::ranges::sort(ports);
  return ports;
}

std::vector<Guid> guids_of(const std::vector<PortId>& ports, const fabric::Fabric& fabric) {
  std::vector<Guid> guids;
  for (const PortId port : ports) guids.push_back(fabric.port(port).guid);
  return guids;
}

std::vector<PortId> all_of(const std::vector<PortId>& a, const std::vector<PortId>& b) {
  std::vector<PortId> all;
  std::ranges::set_union(a, b, std::back_inserter(all));
  return all;
}

}  // namespace

std::vector<MulticastGroup> groups_on(const JoinedGroups& joined, const fabric::Fabric& fabric) {
  std::vector<MulticastGroup> groups;
  for (const JoinedGroup& from : joined.groups) {
    const MulticastGroup group{
        from.mlid, from.sl, ports_of(from.members, fabric), {}, ports_of(from.senders, fabric)};
    if (!group.members.empty()) groups.push_back(group);
  }
  return groups;
}

std::vector<MulticastGroup> joined_groups(const Plan& plan, const fabric::Fabric& now) {
  std::vector<MulticastGroup> groups;
  for (const MulticastGroup& group : plan.tables->groups) {
    if (std::ranges::find(plan.joined, group.mlid) == plan.joined.end()) continue;
    const MulticastGroup kept{group.mlid,
                              group.sl,
                              ports_of(guids_of(group.members, *plan.fabric), now),
                              {},
                              ports_of(guids_of(group.senders, *plan.fabric), now)};
    if (!kept.members.empty()) groups.push_back(kept);
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
    same->members = all_of(same->members, group.members);
    std::vector<PortId> senders;  // who receives in one of them does so in both
    std::ranges::set_difference(all_of(same->senders, group.senders), same->members,
                                std::back_inserter(senders));
    same->senders = std::move(senders);
  }
  std::ranges::sort(planned, {}, &MulticastGroup::mlid);
  return planned;
}

}  // namespace rch::chains
