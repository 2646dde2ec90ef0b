#include "sa/snapshot.h"

#include <algorithm>

#include "hw/assembly.h"
#include "hw/key_source.h"
#include "hw/sweep.h"
#include "sa/rates.h"

namespace rch::sa {
namespace {

LinkTraits traits_of(const fabric::Port& port, const hw::PortInfo& info, std::uint8_t max_rate) {
  LinkTraits traits;
  traits.mtu = info.neighbor_mtu != 0 && port.number != PortNum(0) ? info.neighbor_mtu : port.mtu_cap;
  const fabric::LinkRate rate = hw::link_rate(info);  // ports 0 of switches have one, too
  traits.rate = rate_code(rate.width, rate.speed);
  if (rate_rank(max_rate) != 0 && traits.rate != 0) traits.rate = slower(traits.rate, max_rate);
  return traits;
}

}  // namespace

const policy::partitions::Partition* Snapshot::partition(std::uint16_t pkey) const {
  return partitions->find(policy::partitions::PKey(pkey & 0x7FFFU));
}

bool Snapshot::is_end_port(PortId port) const {
  const fabric::Port& p = fabric().port(port);
  return fabric().is_switch(p.node) == (p.number == PortNum(0));
}

std::span<const MulticastBlock> Snapshot::multicast_of(SwitchId sw) const {
  const auto switch_of = [](const MulticastBlock& block) { return block.place.sw; };
  return {std::ranges::lower_bound(multicast, sw, {}, switch_of),
          std::ranges::upper_bound(multicast, sw, {}, switch_of)};
}

std::vector<MulticastBlock> multicast_blocks(const fabric::Fabric& fabric,
                                             const fabric::RoutingTables& tables) {
  std::vector<MulticastBlock> blocks;
  for (const auto& [place, masks] : hw::multicast_tables(fabric, tables.groups))
    blocks.push_back({place, masks});
  std::ranges::stable_sort(blocks, {}, [](const MulticastBlock& block) { return block.place.sw; });
  return blocks;
}

LinkTraits both(LinkTraits a, LinkTraits b) {
  if (b.mtu != 0 && (a.mtu == 0 || b.mtu < a.mtu)) a.mtu = b.mtu;
  if (b.rate != 0 && b.rate != a.rate) a.rate = a.rate == 0 ? b.rate : slower(b.rate, a.rate);
  return a;
}

std::vector<Link> links_of(const fabric::Fabric& fabric, std::span<const hw::PortInfo> ports,
                           std::uint8_t max_rate) {
  std::vector<LinkTraits> seen(ports.size());
  for (std::size_t p = 0; p < ports.size(); ++p) seen[p] = traits_of(fabric.ports()[p], ports[p], max_rate);
  std::vector<Link> links(ports.size());
  for (std::size_t p = 0; p < ports.size(); ++p) {
    Link& link = links[p];
    link.traits = seen[p];
    link.peer = fabric.ports()[p].peer;
    if (link.peer.is_none()) continue;
    link.traits = both(link.traits, seen[link.peer.index()]);
    if (const auto sw = fabric.switch_id(fabric.port(link.peer).node)) link.sw = *sw;
  }
  return links;
}

std::vector<PortId> ports_with_lid(const fabric::Fabric& fabric) {
  std::vector<PortId> found;
  const auto add = [&](PortId port) {
    if (fabric.port(port).lid != kUnassignedLid) found.push_back(port);
  };
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    add(fabric.port_id(SwitchId(s), PortNum(0)));
    for (const fabric::EndPort& end : fabric.end_ports_of(SwitchId(s))) add(end.port);
  }
  // Links of hosts that are cabled to each other.
  const auto is_of_switch = [&](PortId port) { return fabric.is_switch(fabric.port(port).node); };
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
    const PortId peer = fabric.port(PortId(p)).peer;
    if (!is_of_switch(PortId(p)) && (peer.is_none() || !is_of_switch(peer))) add(PortId(p));
  }
  return found;
}

std::vector<PortId> router_ports(const fabric::Fabric& fabric) {
  std::vector<PortId> routers;
  for (const fabric::EndPort& end : fabric.end_ports()) {
    const fabric::Port& port = fabric.port(end.port);
    if (fabric.node(port.node).type == fabric::NodeType::router && port.lid != kUnassignedLid)
      routers.push_back(end.port);
  }
  std::ranges::sort(routers, {}, [&](PortId port) { return fabric.port(port).guid; });
  return routers;
}

namespace {

/// An agent may hide its M_Key. All end ports have the one that was written.
void show_m_keys(Snapshot& snapshot) {
  const policy::ManagerOptions& options = snapshot.plan.options.manager;
  const hw::KeySource source{options.m_key, options.key_mgr_seed, options.m_key_per_port};
  if (source.m_key == 0) return;
  const fabric::Fabric& fabric = snapshot.fabric();
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
    const fabric::Port& port = fabric.port(PortId(p));
    if (!snapshot.is_end_port(PortId(p)) || port.lid == kUnassignedLid) continue;
    const Guid agent = fabric.is_switch(port.node) ? fabric.node(port.node).guid : port.guid;
    snapshot.ports[p].m_key = hw::key_of(source, agent);
  }
}

}  // namespace

std::shared_ptr<const Snapshot> snapshot_of(const hw::LiveFabric& live, const chains::Plan& installed) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->plan = installed;
  snapshot->local = live.local;
  snapshot->switches = live.switch_info;
  snapshot->ports = live.port_info;
  snapshot->other_sms = live.other_sms;

  // What was written since the look is in the sweep.
  const fabric::Fabric& fabric = snapshot->fabric();
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

  show_m_keys(*snapshot);
  snapshot->links = links_of(fabric, snapshot->ports, installed.options.ports.max_rate_enum);

  using policy::partitions::Partitions;
  snapshot->partitions =
      installed.bound
          ? std::shared_ptr<const Partitions>(installed.bound, &installed.bound->policy->partitions)
          : std::make_shared<const Partitions>(policy::partitions::without_file());
  snapshot->end_ports = ports_with_lid(fabric);
  snapshot->routers = router_ports(fabric);
  if (installed.bound)
    snapshot->prefix_routes = std::shared_ptr<const std::vector<policy::PrefixRoute>>(
        installed.bound, &installed.bound->policy->files.prefix_routes);
  snapshot->qos = QosPorts::of(installed, live.local);

  snapshot->multicast = multicast_blocks(fabric, *installed.tables);

  const fabric::PKeyTables& pkeys = installed.tables->pkeys;
  snapshot->pkey_index.assign(fabric.ports().size(), Snapshot::kNoPKeys);
  for (std::size_t i = 0; i < pkeys.ports.size(); ++i)
    snapshot->pkey_index[pkeys.ports[i].index()] = static_cast<std::uint32_t>(i);
  return snapshot;
}

}  // namespace rch::sa
