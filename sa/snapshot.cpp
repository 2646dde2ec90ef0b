#include "sa/snapshot.h"

#include "hw/sweep.h"

namespace rch::sa {

bool Snapshot::is_end_port(PortId port) const {
  const fabric::Port& p = fabric().port(port);
  return fabric().is_switch(p.node) == (p.number == PortNum(0));
}

std::span<const std::uint16_t> Snapshot::pkeys(PortId end_port) const {
  static constexpr std::uint16_t kDefault[] = {0xFFFF};
  const std::uint32_t index = pkey_index[end_port.index()];
  return index == kNoPKeys ? std::span(kDefault) : plan.tables->pkeys.of(index);
}

std::shared_ptr<const Snapshot> snapshot_of(const hw::LiveFabric& live, const chains::Plan& installed) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->plan = installed;
  snapshot->local = live.local;
  snapshot->switches = live.switch_info;
  snapshot->ports = live.port_info;
  snapshot->other_sms = live.other_sms;

  // What was written since the look is in the sweep.
  const fabric::Fabric& fabric = live.fabric;
  snapshot->nodes.resize(fabric.nodes().size());
  for (const hw::SweepNode& seen : live.sweep->nodes()) {
    const auto node = fabric.find_node(seen.info.node_guid);
    if (!node) continue;
    snapshot->nodes[node->index()] = seen.info;
    if (fabric.is_switch(*node)) snapshot->switches[node->index()] = seen.switch_info;
    for (std::size_t p = 0; p < seen.ports.size(); ++p)
      if (seen.ports[p].seen)
        snapshot->ports[fabric.port_id(*node, PortNum(static_cast<std::uint8_t>(p))).index()] =
            seen.ports[p].info;
  }

  const fabric::PKeyTables& pkeys = installed.tables->pkeys;
  snapshot->pkey_index.assign(fabric.ports().size(), Snapshot::kNoPKeys);
  for (std::size_t i = 0; i < pkeys.ports.size(); ++i)
    snapshot->pkey_index[pkeys.ports[i].index()] = static_cast<std::uint32_t>(i);
  return snapshot;
}

}  // namespace rch::sa
