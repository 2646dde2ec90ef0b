#include "chains/engine_inputs.h"

namespace rch::chains {
namespace {

std::vector<Guid> guids(const std::vector<policy::ListMember>& entries) {
  std::vector<Guid> list;
  for (const policy::ListMember& entry : entries) list.push_back(std::get<Guid>(entry.who));
  return list;
}

std::vector<engines::common::HopWeight> hop_weights(const policy::StepFiles& files) {
  std::vector<engines::common::HopWeight> list;
  for (const policy::HopWeight& entry : files.hop_weights)
    list.push_back({{entry.node, PortNum(entry.port)}, entry.weight});
  return list;
}

std::vector<engines::common::PortOrder> port_orders(const policy::StepFiles& files) {
  std::vector<engines::common::PortOrder> list;
  for (const policy::PortOrder& entry : files.port_orders) {
    auto& order = list.emplace_back(engines::common::PortOrder{std::get<Guid>(entry.who), {}});
    for (std::uint8_t port : entry.ports) order.ports.push_back(PortNum(port));
  }
  return list;
}

std::vector<engines::common::PortName> ignored_ports(const policy::StepFiles& files) {
  std::vector<engines::common::PortName> list;
  for (const policy::IgnoredPort& entry : files.ignored_ports)
    if (entry.port) list.push_back({entry.node, PortNum(*entry.port)});
  return list;
}

}  // namespace

engines::common::PortOptions port_options(const StepInput& input) {
  const policy::Options& options = input.step.options;
  const policy::StepFiles& files = input.files;
  return {.compat = input.step.mode == policy::EngineMode::compat,
          .hop_weights = hop_weights(files),
          .port_search_ordering = port_orders(files),
          .port_prof_ignore = ignored_ports(files),
          .guid_routing_order = guids(files.routing_order),
          .guid_routing_order_no_scatter = options.guid_routing_order_no_scatter,
          .scatter_ports = options.scatter_ports,
          .port_shifting = options.port_shifting,
          .port_profile_switch_nodes = options.port_profile_switch_nodes,
          .avoid_throttled_links = options.avoid_throttled_links,
          .initial_loads = input.initial_loads};
}

engines::common::PortOptions keeping_port_options(const StepInput& input) {
  engines::common::PortOptions options = port_options(input);
  options.installed = input.installed;
  return options;
}

engines::dfsssp::Options dfsssp_options(const StepInput& input) {
  const policy::Options& options = input.step.options;
  return {.compute_nodes = guids(input.files.compute_nodes),
          .io_nodes = guids(input.files.io_nodes),
          .qos = options.qos,
          .max_op_vls = options.max_op_vls,
          .avoid_throttled_links = options.avoid_throttled_links,
          .installed = input.installed};
}

engines::tree::Lists tree_lists(const policy::StepFiles& files) {
  return {.roots = guids(files.roots),
          .compute_nodes = guids(files.compute_nodes),
          .io_nodes = guids(files.io_nodes)};
}

std::vector<engines::updn::Root> updn_roots(const policy::StepFiles& files) {
  std::vector<engines::updn::Root> list;
  for (const policy::ListMember& entry : files.roots)
    list.push_back({std::get<Guid>(entry.who), entry.rank.value_or(0)});
  return list;
}

std::vector<engines::updn::SwitchNumber> switch_numbers(const policy::StepFiles& files) {
  std::vector<engines::updn::SwitchNumber> list;
  for (const policy::NodeNumber& entry : files.ids) list.push_back({entry.node, entry.id});
  return list;
}

}  // namespace rch::chains
