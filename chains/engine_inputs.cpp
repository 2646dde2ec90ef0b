#include "chains/engine_inputs.h"

namespace rch::chains {
namespace {

using engines::Inputs;

std::vector<Guid> guids(const std::vector<policy::ListMember>& entries) {
  std::vector<Guid> list;
  for (const policy::ListMember& entry : entries) list.push_back(std::get<Guid>(entry.who));
  return list;
}

std::vector<engines::Root> roots(const std::vector<policy::ListMember>& entries) {
  std::vector<engines::Root> list;
  for (const policy::ListMember& entry : entries)
    list.push_back({std::get<Guid>(entry.who), entry.rank.value_or(0)});
  return list;
}

std::vector<engines::SwitchNumber> numbers(const std::vector<policy::NodeNumber>& entries) {
  std::vector<engines::SwitchNumber> list;
  for (const policy::NodeNumber& entry : entries) list.push_back({entry.node, entry.id});
  return list;
}

std::vector<engines::common::HopWeight> weights(const std::vector<policy::HopWeight>& entries) {
  std::vector<engines::common::HopWeight> list;
  for (const policy::HopWeight& entry : entries)
    list.push_back({{entry.node, PortNum(entry.port)}, entry.weight});
  return list;
}

std::vector<engines::common::PortOrder> orders(const std::vector<policy::PortOrder>& entries) {
  std::vector<engines::common::PortOrder> list;
  for (const policy::PortOrder& entry : entries) {
    auto& order = list.emplace_back(engines::common::PortOrder{std::get<Guid>(entry.who), {}});
    for (std::uint8_t port : entry.ports) order.ports.push_back(PortNum(port));
  }
  return list;
}

std::vector<engines::common::PortName> ports(const std::vector<policy::IgnoredPort>& entries) {
  std::vector<engines::common::PortName> list;
  for (const policy::IgnoredPort& entry : entries)
    if (entry.port) list.push_back({entry.node, PortNum(*entry.port)});
  return list;
}

/// What a step says, its files bound to the fabric.
struct From {
  const policy::RoutingOptions& routing;
  const std::optional<fabric::TorusShape>& torus;
  const policy::StepFiles& files;
};

/// An option of a step, and how it fills an input.
struct Source {
  std::string_view key;
  void (*fill)(const From& from, Inputs& in);
};

constexpr Source kSources[] = {
    {"ar_mode", [](const From& from, Inputs& in) { in.ar_mode = from.routing.ar_mode; }},
    {"ar_sl_mask", [](const From& from, Inputs& in) { in.ar_sl_mask = from.routing.ar_sl_mask; }},
    {"shield_mode", [](const From& from, Inputs& in) { in.shield_mode = from.routing.shield_mode; }},
    {"connect_roots", [](const From& from, Inputs& in) { in.connect_roots = from.routing.connect_roots; }},
    {"quasi_ftree_indexing",
     [](const From& from, Inputs& in) { in.quasi_ftree_indexing = from.routing.quasi_ftree_indexing; }},
    {"max_reverse_hops",
     [](const From& from, Inputs& in) { in.max_reverse_hops = from.routing.max_reverse_hops; }},
    {"pqft_structure", [](const From& from, Inputs& in) { in.pqft_structure = from.routing.pqft_structure; }},
    {"torus_config", [](const From& from, Inputs& in) { in.torus = from.torus; }},
    {"guid_routing_order_no_scatter",
     [](const From& from, Inputs& in) {
       in.ports.guid_routing_order_no_scatter = from.routing.guid_routing_order_no_scatter;
     }},
    {"scatter_ports",
     [](const From& from, Inputs& in) { in.ports.scatter_ports = from.routing.scatter_ports; }},
    {"port_shifting",
     [](const From& from, Inputs& in) { in.ports.port_shifting = from.routing.port_shifting; }},
    {"port_profile_switch_nodes",
     [](const From& from, Inputs& in) {
       in.ports.port_profile_switch_nodes = from.routing.port_profile_switch_nodes;
     }},
    {"avoid_throttled_links",
     [](const From& from, Inputs& in) {
       in.ports.avoid_throttled_links = from.routing.avoid_throttled_links;
     }},
    {"root_guid_file", [](const From& from, Inputs& in) { in.roots = roots(from.files.roots); }},
    {"cn_guid_file",
     [](const From& from, Inputs& in) { in.compute_nodes = guids(from.files.compute_nodes); }},
    {"io_guid_file", [](const From& from, Inputs& in) { in.io_nodes = guids(from.files.io_nodes); }},
    {"ids_guid_file", [](const From& from, Inputs& in) { in.ids = numbers(from.files.ids); }},
    {"guid_routing_order_file",
     [](const From& from, Inputs& in) { in.ports.guid_routing_order = guids(from.files.routing_order); }},
    {"hop_weights_file",
     [](const From& from, Inputs& in) { in.ports.hop_weights = weights(from.files.hop_weights); }},
    {"port_search_ordering_file",
     [](const From& from, Inputs& in) { in.ports.port_search_ordering = orders(from.files.port_orders); }},
    {"port_prof_ignore_file",
     [](const From& from, Inputs& in) { in.ports.port_prof_ignore = ports(from.files.ignored_ports); }},
    {"lfts_file", [](const From& from, Inputs& in) { in.lfts = from.files.lfts.get(); }},
    {"lid_matrix_dump_file", [](const From& from, Inputs& in) { in.hops = from.files.hops.get(); }},
};

}  // namespace

Inputs engine_inputs(const engines::Descriptor& engine, const policy::Step& step,
                     const policy::StepFiles& files, const policy::QosOptions& qos) {
  Inputs inputs{.qos = qos.enabled, .max_op_vls = qos.max_op_vls};
  inputs.ports.compat = step.mode == policy::EngineMode::compat;
  for (const Source& source : kSources)
    if (engine.reads_option(source.key)) source.fill({step.routing, step.torus, files}, inputs);
  return inputs;
}

}  // namespace rch::chains
