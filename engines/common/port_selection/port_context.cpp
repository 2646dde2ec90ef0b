#include "engines/common/port_selection/port_context.h"

#include <algorithm>
#include <optional>

#include "engines/common/port_selection/option_lines.h"

namespace rch::engines::common {
namespace {

/// The scan position of every port of a switch; nothing if a port is absent or named twice.
std::optional<std::vector<std::uint8_t>> scan_positions(const PortOrder& order, std::uint8_t num_ports) {
  std::vector<std::uint8_t> position(num_ports + std::size_t{1});
  std::uint8_t last = 0;
  for (PortNum port : order.ports) {
    if (port == PortNum(0) || port.value > num_ports || position[port.index()] != 0) return std::nullopt;
    position[port.index()] = ++last;
  }
  for (std::size_t port = 1; port < position.size(); ++port)
    if (position[port] == 0) position[port] = ++last;
  return position;
}

}  // namespace

PortContext::PortContext(const fabric::SubFabric& view, const PortOptions& options)
    : options_(options), links_(view, options), remarks_(links_.remarks()) {
  read_scan_order();
  read_uncounted();
  destinations_ = destination_order(view, first_served(), !options.guid_routing_order_no_scatter);
}

void PortContext::read_scan_order() {
  if (options_.port_search_ordering.empty()) return;
  const fabric::Fabric& fabric = view().fabric();
  for (const fabric::Port& port : fabric.ports()) scan_positions_.push_back(port.number.value);
  UnusedLines absent, wrong;
  IdSet<SwitchId> ordered(fabric.switch_count());
  for (const PortOrder& line : options_.port_search_ordering) {
    const auto sw = switch_named(fabric, line.sw);
    if (!sw) {
      absent.add(fmt::format("{}", line.sw));
      continue;
    }
    const fabric::Node& node = fabric.node(*sw);
    if (const auto order = scan_positions(line, node.num_ports); !order) {
      wrong.add(fmt::format("`{}` ({}), ports 1 to {}", node.name(), node.guid, node.num_ports));
    } else if (!ordered.contains(*sw)) {
      ordered.insert(*sw);
      std::copy(order->begin(), order->end(), scan_positions_.begin() + node.first_port.value);
    }
  }
  const std::size_t lines = options_.port_search_ordering.size();
  absent.report("port_search_ordering_file", "name no switch here", lines, remarks_);
  wrong.report("port_search_ordering_file", "name a port twice or one that the switch does not have", lines,
               remarks_);
}

void PortContext::read_uncounted() {
  if (options_.port_prof_ignore.empty()) return;
  uncounted_ = IdSet<PortId>(view().fabric().ports().size());
  UnusedLines unused;
  for (const PortName& line : options_.port_prof_ignore) {
    if (const auto port = find_port(view().fabric(), line))
      uncounted_.insert(*port);
    else
      unused.add(text(line));
  }
  unused.report("port_prof_ignore_file", "name no port of a switch here", options_.port_prof_ignore.size(),
                remarks_);
}

std::vector<PortId> PortContext::first_served() {
  std::vector<PortId> first;
  UnusedLines unused;
  for (Guid guid : options_.guid_routing_order) {
    if (const auto port = view().fabric().find_port(guid))
      first.push_back(*port);
    else
      unused.add(fmt::format("{}", guid));
  }
  unused.report("guid_routing_order_file", "name no port here", options_.guid_routing_order.size(), remarks_);
  return first;
}

}  // namespace rch::engines::common
