#include "compare/groups.h"

#include <algorithm>
#include <map>
#include <span>

#include "fabric/difference.h"

namespace rch::compare {
namespace {

using fabric::MulticastGroup;

/// Ports of `a` that are not among those of `b`, which are sorted.
std::uint64_t lacking(const Side& a, std::span<const PortId> ports, const Side& b,
                      std::span<const PortId> others) {
  std::uint64_t count = 0;
  for (const PortId port : ports) {
    const auto same = fabric::counterpart(*b.fabric, *a.fabric, a.fabric->port(port));
    count += !same || !std::ranges::binary_search(others, *same);
  }
  return count;
}

std::vector<PortId> members_of(const MulticastGroup& group) {
  std::vector<PortId> members = group.members;
  members.insert(members.end(), group.senders.begin(), group.senders.end());
  std::ranges::sort(members);
  return members;
}

GroupChange changed_group(const Side& before, const MulticastGroup& was, const Side& after,
                          const MulticastGroup& is) {
  GroupChange change{.mlid = was.mlid};
  change.entries_new = lacking(after, is.ports, before, was.ports);
  change.entries_gone = lacking(before, was.ports, after, is.ports);
  const auto knows = [](const Side& side) { return side.of(Part::members).kind == Knowledge::Kind::known; };
  if (!knows(before) || !knows(after)) return change;
  const std::vector<PortId> members_before = members_of(was), members_after = members_of(is);
  change.members_new = lacking(after, members_after, before, members_before);
  change.members_gone = lacking(before, members_before, after, members_after);
  change.sl_before = was.sl;
  change.sl_after = is.sl;
  return change;
}

bool differs(const GroupChange& change) {
  return change.entries_new + change.entries_gone + change.members_new + change.members_gone > 0 ||
         change.sl_before != change.sl_after;
}

}  // namespace

std::vector<GroupChange> compare_groups(const Side& before, const Side& after) {
  std::map<Lid, std::pair<const MulticastGroup*, const MulticastGroup*>> groups;
  for (const MulticastGroup& group : before.tables->groups) groups[group.mlid].first = &group;
  for (const MulticastGroup& group : after.tables->groups) groups[group.mlid].second = &group;
  std::vector<GroupChange> changes;
  for (const auto& [mlid, both] : groups) {
    const auto& [was, is] = both;
    if (was != nullptr && is != nullptr) {
      if (const GroupChange change = changed_group(before, *was, after, *is); differs(change))
        changes.push_back(change);
    } else if (is != nullptr) {
      changes.push_back({.mlid = mlid, .is_new = true, .entries_new = is->ports.size()});
    } else {
      changes.push_back({.mlid = mlid, .is_gone = true, .entries_gone = was->ports.size()});
    }
  }
  return changes;
}

}  // namespace rch::compare
