#include "policy/bind/partitions/planned_groups.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "policy/bind/partitions/end_ports.h"

namespace rch::policy::partitions {
namespace {

constexpr std::size_t kMlids = fabric::kLastMulticastLid.value - fabric::kFirstMulticastLid.value + 1;

bool may_join(const fabric::Fabric& fabric, PortId port) {
  const NodeId node = fabric.port(port).node;
  return !fabric.is_switch(node) || fabric.node(node).enhanced_port0;
}

std::vector<PortId> members(const EndPorts& ends, const Shares& shares, const fabric::Fabric& fabric) {
  std::vector<PortId> ports;
  for (const std::uint32_t index : shares.members())
    if (may_join(fabric, ends.port(index))) ports.push_back(ends.port(index));
  std::ranges::sort(ports);
  return ports;
}

/// The groups of one MLID become one that serves the members of both.
void merge(fabric::MulticastGroup& group, const std::vector<PortId>& members) {
  std::vector<PortId> all;
  std::ranges::set_union(group.members, members, std::back_inserter(all));
  group.members = std::move(all);
}

}  // namespace

std::vector<PlannedGroup> planned_mlids(const Partitions& partitions) {
  std::vector<const Partition*> order;
  for (const Partition& partition : partitions.all)
    if (!partition.groups.empty()) order.push_back(&partition);
  std::stable_partition(order.begin(), order.end(),
                        [](const Partition* p) { return p->pkey == kDefaultPKey; });
  std::vector<PlannedGroup> planned;
  for (const Partition* partition : order)
    for (const MulticastGroup& group : partition->groups) {
      const std::size_t at = planned.size() % kMlids;
      planned.push_back(
          {partition, &group, Lid(static_cast<std::uint16_t>(fabric::kFirstMulticastLid.value + at))});
    }
  return planned;
}

std::vector<fabric::MulticastGroup> planned_groups(const Partitions& partitions, const Place& place) {
  const EndPorts ends(place);
  Shares shares(ends);
  std::vector<fabric::MulticastGroup> groups;
  std::vector<PortId> ports;
  const Partition* partition = nullptr;
  for (const PlannedGroup& planned : planned_mlids(partitions)) {
    if (planned.partition != std::exchange(partition, planned.partition)) {
      shares.apply(*partition);
      ports = members(ends, shares, place.fabric);
    }
    const std::size_t at = planned.mlid.index() - fabric::kFirstMulticastLid.index();
    if (at < groups.size())
      merge(groups[at], ports);
    else
      groups.push_back({planned.mlid, planned.group->sl, ports, {}});
  }
  return groups;
}

}  // namespace rch::policy::partitions
