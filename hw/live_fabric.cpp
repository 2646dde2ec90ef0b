#include "hw/live_fabric.h"

#include <fmt/format.h>

namespace rch::hw {

SmpRequest request_to(const LiveFabric& live, PortId port, Attribute attribute, std::uint32_t modifier,
                      std::uint64_t item) {
  return {.to = live.routes[port.index()],
          .attribute = attribute,
          .modifier = modifier,
          .node = NodeKey(live.fabric.port(port).node.value),
          .tag = {.item = item}};
}

std::string describe_port(const LiveFabric& live, PortId port_id) {
  const fabric::Port& port = live.fabric.port(port_id);
  const fabric::Node& node = live.fabric.node(port.node);
  return fmt::format("`{}` port {} ({}, route {})", node.description, port.number, port.guid,
                     to_string(live.routes[port_id.index()]));
}

}  // namespace rch::hw
