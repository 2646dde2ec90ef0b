#include "perfmgr/agents.h"

#include <algorithm>

namespace rch::perfmgr {
namespace {

using fabric::Fabric;
using fabric::NodeType;

/// The switch whose table packets from a port meet first: its own, or the one at the other end of its cable.
std::optional<SwitchId> first_switch(const Fabric& fabric, PortId port) {
  if (fabric.is_switch(fabric.port(port).node)) return fabric.switch_id(fabric.port(port).node);
  const PortId peer = fabric.port(port).peer;
  return peer.is_none() ? std::nullopt : fabric.switch_id(fabric.port(peer).node);
}

/// True if the entries for the LID of `to` lead there from `sw`.
bool leads_to(const Fabric& fabric, const fabric::ForwardingTables& lfts, SwitchId sw, PortId to) {
  const Lid lid = fabric.port(to).lid;
  if (lid > lfts.max_lid()) return false;
  for (std::size_t hops = 0; hops <= fabric.switch_count(); ++hops) {
    const std::uint8_t out = lfts.at(sw, lid);
    if (out == 0) return fabric.port_id(sw, PortNum(0)) == to;
    if (out > fabric.node(sw).num_ports) return false;
    const PortId peer = fabric.port(fabric.port_id(sw, PortNum(out))).peer;
    if (peer == to) return true;
    const auto next = peer.is_none() ? std::nullopt : fabric.switch_id(fabric.port(peer).node);
    if (!next) return false;
    sw = *next;
  }
  return false;
}

/// SL of the path from our port. Nothing if no path leads there, or none back: an answer would be lost, as
/// where up*/down* joins a switch with hosts in one direction only.
std::optional<std::uint8_t> service_level_to(const View& view, PortId port) {
  const Fabric& fabric = *view.fabric;
  if (port == view.local) return std::uint8_t{0};
  const auto first = first_switch(fabric, view.local), back = first_switch(fabric, port);
  if (!first || !back)
    return fabric.port(view.local).peer == port ? std::optional<std::uint8_t>(0) : std::nullopt;
  const fabric::ForwardingTables& lfts = view.tables->lfts;
  if (!leads_to(fabric, lfts, *first, port) || !leads_to(fabric, lfts, *back, view.local))
    return std::nullopt;
  return fabric::path_sl_for(fabric, *view.tables, *first, fabric.port(port).lid, 0);
}

/// What answers at a port for the ports of its node.
std::optional<Agent> agent_at(const View& view, PortId port, std::vector<PortNum> ports) {
  const fabric::Port& at = view.fabric->port(port);
  const auto service_level = at.lid == kUnassignedLid ? std::nullopt : service_level_to(view, port);
  if (!service_level) return std::nullopt;
  return Agent{view.fabric->node(at.node).guid, at.lid, *service_level, std::move(ports)};
}

bool has_link(const Fabric& fabric, PortId port) { return !fabric.port(port).peer.is_none(); }

/// Port 0 counts where it is an enhanced one.
std::vector<PortNum> ports_of_switch(const Fabric& fabric, NodeId id) {
  const fabric::Node& node = fabric.node(id);
  std::vector<PortNum> ports;
  if (node.enhanced_port0) ports.emplace_back(std::uint8_t{0});
  for (unsigned p = 1; p <= node.num_ports; ++p)
    if (const PortNum number(static_cast<std::uint8_t>(p)); has_link(fabric, fabric.port_id(id, number)))
      ports.push_back(number);
  return ports;
}

}  // namespace

std::vector<Agent> agents_of(const View& view, bool with_cas, std::size_t* unreachable) {
  std::vector<Agent> agents;
  std::size_t without = 0;
  const auto add = [&](PortId port, std::vector<PortNum> ports) {
    auto agent = agent_at(view, port, std::move(ports));
    if (agent)
      agents.push_back(std::move(*agent));
    else
      ++without;
  };
  const Fabric& fabric = *view.fabric;
  for (std::uint32_t n = 0; n < fabric.nodes().size(); ++n) {
    const NodeId id(n);
    const NodeType type = fabric.node(id).type;
    if (type == NodeType::sw) {
      if (auto ports = ports_of_switch(fabric, id); !ports.empty())
        add(fabric.port_id(id, PortNum(0)), std::move(ports));
      continue;
    }
    if (type == NodeType::ca && !with_cas) continue;
    for (unsigned p = 1; p <= fabric.node(id).num_ports; ++p)
      if (const PortNum number(static_cast<std::uint8_t>(p)); has_link(fabric, fabric.port_id(id, number)))
        add(fabric.port_id(id, number), {number});
  }
  if (unreachable != nullptr) *unreachable = without;
  return agents;
}

namespace {

/// The ports that are asked, ascending.
std::vector<Totals::Port> ports_of(const View& view, const std::vector<Agent>& agents) {
  std::vector<Totals::Port> ports;
  for (const Agent& agent : agents) {
    const NodeType type = view.fabric->node(*view.fabric->find_node(agent.node)).type;
    for (const PortNum number : agent.ports) ports.push_back({{agent.node, number}, type});
  }
  if (!std::ranges::is_sorted(ports, {}, &Totals::Port::key))
    std::ranges::sort(ports, {}, &Totals::Port::key);
  return ports;
}

/// A port that is not asked any more; nothing if it is to be forgotten.
std::optional<Totals::Port> kept(const Totals::Port& port, const View& view, const fabric::Fabric* before,
                                 const Keeps& keeps) {
  if (port.type == NodeType::ca && !keeps.cas) return std::nullopt;
  Totals::Port out = port;
  out.is_gone = !view.fabric->find_node(port.key.node);
  if (out.is_gone && !keeps.gone) return std::nullopt;
  if (!out.is_gone) out.last_node_name.clear();
  if (!out.is_gone || port.is_gone) return out;
  const auto node = before != nullptr ? before->find_node(port.key.node) : std::nullopt;
  if (node) out.last_node_name = before->node(*node).name();
  return out;
}

}  // namespace

Rows rows_for(const View& view, const std::vector<Agent>& agents, const Totals* before,
              const fabric::Fabric* fabric_before, const Keeps& keeps) {
  const std::vector<Totals::Port> asked = ports_of(view, agents), none;
  const std::vector<Totals::Port>& old = before != nullptr ? before->ports() : none;
  std::vector<Totals::Port> ports;
  Rows rows;
  ports.reserve(asked.size());
  for (std::size_t a = 0, b = 0; a < asked.size() || b < old.size();) {
    const bool is_old = b < old.size() && (a == asked.size() || old[b].key <= asked[a].key);
    const bool is_asked = a < asked.size() && (!is_old || old[b].key == asked[a].key);
    auto port = is_asked ? std::optional(asked[a]) : kept(old[b], view, fabric_before, keeps);
    if (port) {
      ports.push_back(std::move(*port));
      rows.before.push_back(is_old ? b : Rows::kNone);
    }
    a += is_asked ? 1 : 0;
    b += is_old ? 1 : 0;
  }
  rows.totals = std::make_shared<Totals>(std::move(ports));
  for (std::size_t c = 0; before != nullptr && c < kCounterCount; ++c)
    for (std::size_t row = 0; row < rows.before.size(); ++row)
      if (rows.before[row] != Rows::kNone)
        rows.totals->set(static_cast<Counter>(c), row,
                         before->get(static_cast<Counter>(c), rows.before[row]));
  return rows;
}

std::vector<std::size_t> rows_of(const Agent& agent, const Totals& totals) {
  std::vector<std::size_t> rows;
  std::size_t row = *totals.find({agent.node, agent.ports.front()});
  for (const PortNum number : agent.ports) {
    while (totals.ports()[row].key.number != number) ++row;
    rows.push_back(row);
  }
  return rows;
}

}  // namespace rch::perfmgr
