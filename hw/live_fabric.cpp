#include "hw/live_fabric.h"

#include <fmt/format.h>

#include "hw/sweep.h"

namespace rch::hw {

SmpRequest request_to(const LiveFabric& live, PortId port, Attribute attribute, std::uint32_t modifier,
                      std::uint64_t item) {
  return {.to = live.routes[port.index()],
          .attribute = attribute,
          .modifier = modifier,
          .node = NodeKey(live.fabric.port(port).node.value),
          .tag = {.item = item}};
}

void note_fault(const LiveFabric& live, PortId id, bool answered, std::string how) {
  const fabric::Port& port = live.fabric.port(id);
  if (port.node == live.fabric.port(live.local).node) return;
  const bool of_cable = answered && live.is_switch_port(id) && port.number != PortNum(0);
  live.sweep->note({live.fabric.node(port.node).guid, port.number,
                    of_cable ? SweepProblem::Scope::cable : SweepProblem::Scope::node, std::move(how),
                    answered ? SweepProblem::Symptom::refusal : SweepProblem::Symptom::silence});
}

std::string describe_port(const LiveFabric& live, PortId port_id) {
  const fabric::Port& port = live.fabric.port(port_id);
  const fabric::Node& node = live.fabric.node(port.node);
  return fmt::format("`{}` port {} ({}, route {})", node.name(), port.number, port.guid,
                     to_string(live.routes[port_id.index()]));
}

}  // namespace rch::hw
