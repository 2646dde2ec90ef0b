#include "isolation/path.h"

#include "isolation/installed_pkeys.h"

namespace rch::isolation {

std::optional<std::vector<PathHop>> path_between(const fabric::Fabric& fabric,
                                                 const fabric::ForwardingTables& lfts, PortId from, PortId to,
                                                 unsigned offset) {
  if (!fabric.is_switch(fabric.port(from).node) && fabric.port(from).peer == to)
    return std::vector<PathHop>();
  const PortId entrance = fabric.is_switch(fabric.port(from).node) ? from : switch_port_of(fabric, from);
  const Lid first = fabric.port(to).lid, lid(static_cast<std::uint16_t>(first.value + offset));
  if (entrance.is_none() || first == kUnassignedLid || lid > lfts.max_lid()) return std::nullopt;
  std::vector<PathHop> path;
  auto sw = fabric.switch_id(fabric.port(entrance).node);
  while (sw && path.size() < fabric.switch_count()) {
    const PortNum out(lfts.at(*sw, lid));
    if (out.value > fabric.node(*sw).num_ports) return std::nullopt;
    path.push_back({*sw, out});
    const PortId port = fabric.port_id(*sw, out);
    if (port == to) return path;
    const PortId peer = fabric.port(port).peer;
    if (peer == to) return path;
    if (out == PortNum(0) || peer.is_none()) return std::nullopt;
    sw = fabric.switch_id(fabric.port(peer).node);
  }
  return std::nullopt;
}

}  // namespace rch::isolation
