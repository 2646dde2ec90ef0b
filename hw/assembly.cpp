#include "hw/assembly.h"

#include <algorithm>
#include <tuple>

#include "base/parallel.h"
#include "fabric/fabric_builder.h"
#include "hw/causes.h"

namespace rch::hw {
namespace {

using fabric::FabricBuilder;
using fabric::LinkSpeed;
using fabric::LinkWidth;
using fabric::NodeSpec;
using fabric::PortSpec;

/// The newest generation that is active counts (IBA 14.2.5.6). FDR10 is shown as the QDR it pretends to be.
LinkSpeed speed_of(const PortInfo& info) {
  if (info.speed_ext_active2 != 0) return LinkSpeed::xdr;
  switch (info.speed_ext_active) {
    case 1:
      return LinkSpeed::fdr;
    case 2:
      return LinkSpeed::edr;
    case 4:
      return LinkSpeed::hdr;
    case 8:
      return LinkSpeed::ndr;
    default:
      break;
  }
  switch (info.speed_active) {
    case 1:
      return LinkSpeed::sdr;
    case 2:
      return LinkSpeed::ddr;
    case 4:
      return LinkSpeed::qdr;
    default:
      return LinkSpeed::unknown;
  }
}

/// What is no known bit says as little as 0.
LinkWidth width_of(const PortInfo& info) {
  for (const LinkWidth known : {LinkWidth::x1, LinkWidth::x2, LinkWidth::x4, LinkWidth::x8, LinkWidth::x12})
    if (info.width_active == known) return known;
  return LinkWidth::unknown;
}

/// Calls body(index of the node), on all threads.
template <class Body>
void for_nodes(const Sweep& sweep, Body&& body) {
  parallel_ranges(sweep.nodes().size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) body(n);
  });
}

PortSpec port_spec(const SweepNode& node, std::size_t number) {
  const SweepPort& seen = node.ports[number];
  PortSpec spec;
  spec.guid = seen.guid;
  if (!seen.seen) return spec;
  spec.mtu_cap = seen.info.mtu_cap;
  spec.vl_cap = seen.info.vl_cap;
  spec.state = std::max(seen.info.state, PortState::down);
  if (number != 0 && spec.state > PortState::down) {
    const fabric::LinkRate rate = link_rate(seen.info);
    spec.width = rate.width;
    spec.speed = rate.speed;
  }
  const Lid lid = seen.info.lid;
  const bool owns_lids = node.is_switch() == (number == 0);
  if (owns_lids && lid != kUnassignedLid && lid.value + (1U << seen.info.lmc) <= kMaxUnicastLid.value + 1U) {
    spec.lid = lid;
    spec.lmc = seen.info.lmc;
  }
  return spec;
}

NodeSpec node_spec(const SweepNode& node) {
  NodeSpec spec;
  spec.guid = node.info.node_guid;
  spec.system_guid = node.info.system_guid;
  spec.type = node.info.type;
  spec.enhanced_port0 = node.switch_info.enhanced_port0;
  spec.multicast_cap = node.switch_info.multicast_cap;
  spec.vendor_id = node.info.vendor_id;
  spec.device_id = node.info.device_id;
  spec.revision = node.info.revision;
  spec.description = node.description;
  for (std::size_t port = 0; port < node.ports.size(); ++port) spec.ports.push_back(port_spec(node, port));
  return spec;
}

void add_claims(std::span<PortSpec> ports, std::vector<PortSpec*>& claims) {
  for (PortSpec& port : ports)
    if (port.lid != kUnassignedLid) claims.push_back(&port);
}

/// Takes the LID from every end port whose range meets that of a port with a better claim: active before
/// init, then the lower GUID (OpenSM's osm_lid_mgr.c).
void settle_lid_conflicts(std::vector<PortSpec*> claims) {
  std::sort(claims.begin(), claims.end(), [](const PortSpec* a, const PortSpec* b) {
    return std::tuple(b->state, a->guid) < std::tuple(a->state, b->guid);
  });
  std::vector<bool> taken(std::size_t{kMaxUnicastLid.value} + 1);
  for (PortSpec* port : claims) {
    const auto first = taken.begin() + port->lid.value;
    const auto last = first + (1 << port->lmc);
    if (std::find(first, last, true) == last)
      std::fill(first, last, true);
    else
      port->lid = kUnassignedLid, port->lmc = 0;
  }
}

Result<fabric::Fabric> build_fabric(const Sweep& sweep, const View& view) {
  std::vector<NodeSpec> specs;
  for (std::uint32_t n = 0; n < view.kept.size(); ++n) {
    specs.push_back(node_spec(sweep.nodes()[n]));
    specs.back().given_name = sweep.given_name(SweepNodeId(n));
    for (PortSpec& port : specs.back().ports)
      if (!view.kept[n]) port.lid = kUnassignedLid;  // takes no LID from a port that takes part
  }
  std::vector<PortSpec*> claims;
  for (NodeSpec& spec : specs) add_claims(spec.ports, claims);
  settle_lid_conflicts(std::move(claims));
  FabricBuilder builder;
  for (NodeSpec& spec : specs) builder.add(std::move(spec));
  // Nodes are added in sweep order, so handles are sweep ids.
  for (std::uint32_t n = 0; n < sweep.nodes().size(); ++n) {
    const auto& ports = sweep.nodes()[n].ports;
    for (std::size_t p = 1; p < ports.size(); ++p) {
      if (!ports[p].peer) continue;
      auto connected =
          builder.connect(FabricBuilder::Handle(n), PortNum(static_cast<std::uint8_t>(p)),
                          FabricBuilder::Handle(ports[p].peer->first.value), ports[p].peer->second);
      if (!connected) return tl::unexpected(connected.error());
    }
  }
  for (std::uint32_t n = 0; n < view.kept.size(); ++n)
    if (!view.kept[n]) builder.remove(FabricBuilder::Handle(n));
  for (const auto& [node, port] : view.pulled)
    if (view.kept[node.index()]) builder.disconnect(FabricBuilder::Handle(node.value), port);
  builder.set_origin(FabricBuilder::Handle(0), sweep.local_port());
  return std::move(builder).build();
}

bool same_node(const fabric::Node& before, const SweepNode& now) {
  return before.type == now.info.type && before.num_ports + std::size_t{1} == now.ports.size() &&
         before.system_guid == now.info.system_guid &&
         before.enhanced_port0 == now.switch_info.enhanced_port0 &&
         before.multicast_cap == now.switch_info.multicast_cap && before.vendor_id == now.info.vendor_id &&
         before.device_id == now.info.device_id && before.revision == now.info.revision &&
         before.description == now.description;
}

/// Nodes of the walk as a fabric numbers them; nothing if it has others.
std::optional<std::vector<NodeId>> numbers_in(const fabric::Fabric& before, const Sweep& sweep,
                                              const View& view) {
  if (sweep.nodes().size() != before.nodes().size()) return std::nullopt;
  std::vector<NodeId> numbers(sweep.nodes().size(), NodeId::none());
  for_nodes(sweep, [&](std::size_t n) {
    const auto id = before.find_node(sweep.nodes()[n].info.node_guid);
    if (id && view.kept[n] && same_node(before.node(*id), sweep.nodes()[n]) &&
        before.node(*id).given_name == sweep.given_name(SweepNodeId(static_cast<std::uint32_t>(n))))
      numbers[n] = *id;
  });
  if (std::ranges::find(numbers, NodeId::none()) != numbers.end()) return std::nullopt;
  return numbers;
}

/// The fabric where only ports and links have changed. Nothing if more has.
std::optional<fabric::Fabric> rebuild_fabric(const fabric::Fabric& before, const Sweep& sweep,
                                             const View& view) {
  const auto numbers = numbers_in(before, sweep, view);
  if (!numbers) return std::nullopt;
  const auto id_of = [&](std::size_t node, std::size_t port) {
    return before.port_id((*numbers)[node], PortNum(static_cast<std::uint8_t>(port)));
  };
  if (before.origin() != id_of(0, sweep.local_port().index())) return std::nullopt;
  std::vector<PortSpec> specs(before.ports().size());
  std::vector<fabric::Port> ports(before.ports().begin(), before.ports().end());
  for_nodes(sweep, [&](std::size_t n) {
    for (std::size_t p = 0; p < sweep.nodes()[n].ports.size(); ++p) {
      const PortId id = id_of(n, p);
      specs[id.index()] = port_spec(sweep.nodes()[n], p);
      const auto& peer = sweep.nodes()[n].ports[p].peer;
      const bool linked = peer && !view.pulled.contains({SweepNodeId(static_cast<std::uint32_t>(n)),
                                                         PortNum(static_cast<std::uint8_t>(p))});
      ports[id.index()].peer = linked ? id_of(peer->first.index(), peer->second.index()) : PortId::none();
      if (peer && !linked) specs[id.index()].unlink();
    }
  });
  std::vector<PortSpec*> claims;
  add_claims(specs, claims);
  settle_lid_conflicts(std::move(claims));
  for (std::uint32_t p = 0; p < ports.size(); ++p) {
    const PortSpec& spec = specs[p];
    fabric::Port& port = ports[p];
    if ((spec.guid.value != 0 && spec.guid != port.guid) ||
        (!port.peer.is_none() && ports[port.peer.index()].peer != PortId(p)))
      return std::nullopt;
    port = {port.node,  port.number, spec.lmc,     port.guid,   spec.lid, spec.state,
            spec.width, spec.speed,  spec.mtu_cap, spec.vl_cap, port.peer};
  }
  auto fabric = fabric::with_ports(before, std::move(ports));
  if (!fabric) return std::nullopt;
  return std::move(*fabric);
}

std::vector<OtherSm> managers_of(const LiveFabric& live) {
  std::vector<OtherSm> managers;
  for (std::uint32_t p = 0; p < live.port_info.size(); ++p)
    if (live.port_info[p].is_sm)
      managers.push_back({.port = PortId(p), .guid = live.fabric.port(PortId(p)).guid});
  return managers;
}

/// How to reach a port: a switch by its own route, an adapter by that of the switch it hangs on. So requests
/// arrive at the port that they are about: an agent may refuse to write another one. This holds for the other
/// ports of our own adapter, too.
Route route_to(const Sweep& sweep, const View& view, SweepNodeId id, std::size_t port) {
  const SweepNode& node = sweep.nodes()[id.index()];
  const auto& peer = node.ports[port].peer;
  const bool is_ours = id == SweepNodeId(0) && port == node.info.local_port.index();
  if (node.is_switch() || is_ours) return view.routes[id.index()];
  return peer ? view.routes[peer->first.index()].through(peer->second) : Route{};
}

LiveFabric assemble(fabric::Fabric fabric, std::shared_ptr<Sweep> swept, View view) {
  LiveFabric live{std::move(fabric),
                  {},
                  {},
                  {},
                  {},
                  {},
                  {},
                  std::move(view.quarantine),
                  std::move(view.spared),
                  std::move(view.own_cable),
                  swept->cable_policy() != nullptr ? absent_switches(*swept, *swept->cable_policy())
                                                   : std::vector<Guid>(),
                  false,
                  std::move(swept),
                  {},
                  {}};
  const Sweep& sweep = *live.sweep;
  live.local = *live.fabric.origin();
  live.routes.resize(live.fabric.ports().size());
  live.port_info.resize(live.fabric.ports().size());
  live.switch_info.resize(live.fabric.switch_count());
  live.partition_cap.resize(live.fabric.nodes().size());
  live.looked_at.resize(live.fabric.nodes().size());
  for_nodes(sweep, [&](std::size_t n) {
    if (!view.kept[n]) return;
    const SweepNode& node = sweep.nodes()[n];
    const NodeId id = *live.fabric.find_node(node.info.node_guid);
    for (std::size_t p = 0; p < node.ports.size(); ++p) {
      const PortId port = live.fabric.port_id(id, PortNum(static_cast<std::uint8_t>(p)));
      live.routes[port.index()] = route_to(sweep, view, SweepNodeId(static_cast<std::uint32_t>(n)), p);
      live.port_info[port.index()] = node.ports[p].info;
    }
    live.partition_cap[id.index()] = node.info.partition_cap;
    if (live.fabric.is_switch(id)) live.switch_info[id.index()] = node.switch_info;
  });
  for (const SweepNode& node : sweep.nodes())
    if (node.looked_at)
      if (const auto id = live.fabric.find_node(node.info.node_guid)) live.looked_at[id->index()] = true;
  live.other_sms = managers_of(live);
  return live;
}

}  // namespace

fabric::LinkRate link_rate(const PortInfo& info) { return {width_of(info), speed_of(info)}; }

std::vector<Guid> absent_switches(const Sweep& sweep, const fabric::CablePolicy& cables) {
  std::vector<Guid> absent;
  for (const Guid guid : cables.held_back())
    if (!sweep.find(guid) && !sweep.passed_over().contains(guid)) absent.push_back(guid);
  return absent;
}

Result<LiveFabric> live_fabric_of(std::shared_ptr<Sweep> sweep, View view, const fabric::Fabric* before) {
  if (before != nullptr)
    if (auto next = rebuild_fabric(*before, *sweep, view))
      return assemble(std::move(*next), std::move(sweep), std::move(view));
  auto fabric = build_fabric(*sweep, view);
  if (!fabric) return fail(causes::kContradiction, "the fabric is inconsistent: " + fabric.error().message);
  return assemble(std::move(*fabric), std::move(sweep), std::move(view));
}

}  // namespace rch::hw
