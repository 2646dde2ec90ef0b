#include "engines/common/port_selection/port_context.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engines/common/names.h"
#include "engines/common/port_selection/throttled_links.h"

namespace rch::engines::common {
namespace {

/// The physical port of a switch; nothing if there is no such port.
std::optional<PortId> port_named(const fabric::Fabric& fabric, const PortName& name) {
  const auto sw = switch_named(fabric, name.sw);
  if (!sw || name.port == PortNum(0) || name.port.value > fabric.node(*sw).num_ports) return std::nullopt;
  return fabric.port_id(*sw, name.port);
}

/// Lines of one option that could not be used.
class Unused {
 public:
  void add(std::string what) {
    if (count_++ == 0) first_ = std::move(what);
  }
  void report(std::string_view option, std::string_view why, std::size_t of,
              std::vector<std::string>& remarks) const {
    if (count_ > 0)
      remarks.push_back(fmt::format("{} of {} lines of `{}` {}: {}", count_, of, option, why, first_));
  }

 private:
  std::size_t count_ = 0;
  std::string first_;
};

constexpr std::string_view kNoSwitchPort = "name no port of a switch here";

std::string text(const PortName& name) { return fmt::format("{} port {}", name.sw, name.port); }

/// The place of every port of a switch in the order given; nothing if a port is absent or named twice.
std::optional<std::vector<std::uint8_t>> places(const PortOrder& order, std::uint8_t num_ports) {
  std::vector<std::uint8_t> place(num_ports + std::size_t{1});
  std::uint8_t next = 0;
  for (PortNum port : order.ports) {
    if (port == PortNum(0) || port.value > num_ports || place[port.index()] != 0) return std::nullopt;
    place[port.index()] = ++next;
  }
  for (std::size_t port = 1; port < place.size(); ++port)
    if (place[port] == 0) place[port] = ++next;
  return place;
}

}  // namespace

PortContext::PortContext(const fabric::SubFabric& view, const PortOptions& options)
    : view_(view), options_(options) {
  if (options.avoid_throttled_links && !options.compat) {
    FastCables fast = without_throttled(view);
    reduced_ = std::move(fast.graph);
    remarks_ = std::move(fast.remarks);
  }
  read_weights();
  read_places();
  read_uncounted();
  destinations_ = destination_order(view, first_served(), !options.guid_routing_order_no_scatter);
}

void PortContext::read_weights() {
  if (options_.hop_weights.empty()) return;
  weights_.assign(view_.fabric().ports().size(), 1);
  Unused unused;
  for (const HopWeight& line : options_.hop_weights) {
    const auto port = port_named(view_.fabric(), line.leaving);
    if (port && line.weight != 0)
      weights_[port->index()] = line.weight;
    else
      unused.add(text(line.leaving));
  }
  unused.report("hop_weights_file", "name no port of a switch here or have weight 0",
                options_.hop_weights.size(), remarks_);
}

void PortContext::read_places() {
  if (options_.port_search_ordering.empty()) return;
  const fabric::Fabric& fabric = view_.fabric();
  places_.resize(fabric.ports().size());
  for (std::size_t p = 0; p < places_.size(); ++p) places_[p] = fabric.ports()[p].number.value;
  Unused absent, wrong;
  IdSet<SwitchId> ordered(fabric.switch_count());
  for (const PortOrder& line : options_.port_search_ordering) {
    const auto sw = switch_named(fabric, line.sw);
    if (!sw) {
      absent.add(fmt::format("{}", line.sw));
      continue;
    }
    const fabric::Node& node = fabric.node(*sw);
    if (const auto order = places(line, node.num_ports); !order) {
      wrong.add(fmt::format("`{}` ({}), ports 1 to {}", node.description, node.guid, node.num_ports));
    } else if (!ordered.contains(*sw)) {
      ordered.insert(*sw);
      std::copy(order->begin(), order->end(), places_.begin() + node.first_port.value);
    }
  }
  const std::size_t lines = options_.port_search_ordering.size();
  absent.report("port_search_ordering_file", "name no switch here", lines, remarks_);
  wrong.report("port_search_ordering_file", "name a port twice or one that the switch does not have", lines,
               remarks_);
}

void PortContext::read_uncounted() {
  if (options_.port_prof_ignore.empty()) return;
  uncounted_ = IdSet<PortId>(view_.fabric().ports().size());
  Unused unused;
  for (const PortName& line : options_.port_prof_ignore) {
    if (const auto port = port_named(view_.fabric(), line))
      uncounted_.insert(*port);
    else
      unused.add(text(line));
  }
  unused.report("port_prof_ignore_file", kNoSwitchPort, options_.port_prof_ignore.size(), remarks_);
}

std::vector<PortId> PortContext::first_served() {
  std::vector<PortId> first;
  Unused unused;
  for (Guid guid : options_.guid_routing_order) {
    if (const auto port = view_.fabric().find_port(guid))
      first.push_back(*port);
    else
      unused.add(fmt::format("{}", guid));
  }
  unused.report("guid_routing_order_file", "name no port here", options_.guid_routing_order.size(), remarks_);
  return first;
}

}  // namespace rch::engines::common
