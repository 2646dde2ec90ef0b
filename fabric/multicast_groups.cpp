#include "fabric/multicast_groups.h"

#include <algorithm>

namespace rch::fabric {

std::vector<MulticastGroup> groups_of_entries(const Fabric& fabric,
                                              std::vector<std::pair<Lid, PortId>> entries) {
  std::ranges::sort(entries);
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  std::vector<MulticastGroup> groups;
  for (const auto& [mlid, id] : entries) {
    if (groups.empty() || groups.back().mlid != mlid)
      groups.push_back({.mlid = mlid, .members = {}, .ports = {}});
    groups.back().ports.push_back(id);
    const Port& port = fabric.port(id);
    if (port.number == PortNum(0))
      groups.back().members.push_back(id);
    else if (!port.peer.is_none() && !fabric.is_switch(fabric.port(port.peer).node))
      groups.back().members.push_back(port.peer);
  }
  for (MulticastGroup& group : groups) std::ranges::sort(group.members);
  return groups;
}

}  // namespace rch::fabric
