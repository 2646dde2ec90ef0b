#include "perfmgr/agents.h"

#include <algorithm>

namespace rch::perfmgr {
namespace {

using fabric::Fabric;
using fabric::NodeType;

/// SL of the path from our port; none: there is no path.
std::optional<std::uint8_t> service_level_to(const View& view, PortId port) {
  const Fabric& fabric = *view.fabric;
  if (port == view.local) return std::uint8_t{0};
  const PortId peer = fabric.port(view.local).peer;
  const auto first = fabric.is_switch(fabric.port(view.local).node)
                         ? fabric.switch_id(fabric.port(view.local).node)
                     : peer.is_none() ? std::nullopt
                                      : fabric.switch_id(fabric.port(peer).node);
  if (!first) return peer == port ? std::optional<std::uint8_t>(0) : std::nullopt;
  return fabric::path_sl_for(fabric, *view.tables, *first, fabric.port(port).lid, 0);
}

std::optional<Agent> agent_at(const View& view, PortId port) {
  const fabric::Port& at = view.fabric->port(port);
  if (at.lid == kUnassignedLid) return std::nullopt;
  const auto service_level = service_level_to(view, port);
  if (!service_level) return std::nullopt;
  return Agent{view.fabric->node(at.node).guid, at.lid, *service_level, {}};
}

void add_switch(const View& view, NodeId id, std::vector<Agent>& agents) {
  const fabric::Node& node = view.fabric->node(id);
  auto agent = agent_at(view, view.fabric->port_id(id, PortNum(0)));
  if (!agent) return;
  for (unsigned p = node.enhanced_port0 ? 0 : 1; p <= node.num_ports; ++p) {
    const PortNum number(static_cast<std::uint8_t>(p));
    if (p == 0 || !view.fabric->port(view.fabric->port_id(id, number)).peer.is_none())
      agent->ports.push_back(number);
  }
  if (!agent->ports.empty()) agents.push_back(std::move(*agent));
}

void add_ports(const View& view, NodeId id, std::vector<Agent>& agents) {
  for (unsigned p = 1; p <= view.fabric->node(id).num_ports; ++p) {
    const PortNum number(static_cast<std::uint8_t>(p));
    const PortId port = view.fabric->port_id(id, number);
    if (view.fabric->port(port).peer.is_none()) continue;
    auto agent = agent_at(view, port);
    if (!agent) continue;
    agent->ports.push_back(number);
    agents.push_back(std::move(*agent));
  }
}

}  // namespace

std::vector<Agent> agents_of(const View& view, bool with_cas) {
  std::vector<Agent> agents;
  for (std::size_t n = 0; n < view.fabric->nodes().size(); ++n) {
    const NodeId id(static_cast<std::uint32_t>(n));
    const NodeType type = view.fabric->node(id).type;
    if (type == NodeType::sw)
      add_switch(view, id, agents);
    else if (type != NodeType::ca || with_cas)
      add_ports(view, id, agents);
  }
  return agents;
}

std::shared_ptr<Totals> totals_for(const View& view, const std::vector<Agent>& agents, const Totals* before,
                                   const Keeps& keeps) {
  std::vector<Totals::Port> ports;
  for (const Agent& agent : agents) {
    const fabric::Node& node = view.fabric->node(*view.fabric->find_node(agent.node));
    for (const PortNum number : agent.ports)
      ports.push_back({{agent.node, number}, node.description, node.type, false});
  }
  std::ranges::sort(ports, {}, &Totals::Port::key);
  const std::size_t asked = ports.size();
  const auto is_asked = [&](const PortKey& key) {
    return std::ranges::binary_search(std::span(ports).first(asked), key, {}, &Totals::Port::key);
  };
  for (const Totals::Port& port : before != nullptr ? before->ports() : std::vector<Totals::Port>()) {
    if (is_asked(port.key) || (port.type == NodeType::ca && !keeps.cas)) continue;
    const bool is_gone = !view.fabric->find_node(port.key.node);
    if (!is_gone || keeps.gone) ports.push_back({port.key, port.node_name, port.type, is_gone});
  }
  std::ranges::sort(ports, {}, &Totals::Port::key);
  auto totals = std::make_shared<Totals>(std::move(ports));
  for (std::size_t row = 0; before != nullptr && row < totals->ports().size(); ++row) {
    const auto old = before->find(totals->ports()[row].key);
    for (std::size_t c = 0; old && c < kCounterCount; ++c)
      totals->set(static_cast<Counter>(c), row, before->get(static_cast<Counter>(c), *old));
  }
  return totals;
}

}  // namespace rch::perfmgr
