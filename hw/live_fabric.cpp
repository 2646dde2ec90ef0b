#include "hw/live_fabric.h"

#include <fmt/format.h>

namespace rch::hw {

std::string describe_port(const LiveFabric& live, PortId port_id) {
  const fabric::Port& port = live.fabric.port(port_id);
  const fabric::Node& node = live.fabric.node(port.node);
  return fmt::format("`{}` port {} ({}, route {})", node.description, port.number, port.guid,
                     to_string(live.routes[port_id.index()]));
}

}  // namespace rch::hw
