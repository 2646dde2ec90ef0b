#include "chains/engine_inputs.h"

namespace rch::chains {
namespace {

using engines::Inputs;
using policy::StepFiles;

std::vector<Guid> guids(const std::vector<policy::ListMember>& entries) {
  std::vector<Guid> list;
  for (const policy::ListMember& entry : entries) list.push_back(std::get<Guid>(entry.who));
  return list;
}

/// An option or a file of a step, and the input that it fills.
struct Source {
  std::string_view key;
  void (*fill)(const policy::Step& step, const StepFiles& files, Inputs& inputs);
};

constexpr Source kSources[] = {
    {"connect_roots", [](const policy::Step& step, const StepFiles&,
                         Inputs& in) { in.connect_roots = step.routing.connect_roots; }},
    {"quasi_ftree_indexing", [](const policy::Step& step, const StepFiles&,
                                Inputs& in) { in.quasi_ftree_indexing = step.routing.quasi_ftree_indexing; }},
    {"max_reverse_hops", [](const policy::Step& step, const StepFiles&,
                            Inputs& in) { in.max_reverse_hops = step.routing.max_reverse_hops; }},
    {"pqft_structure", [](const policy::Step& step, const StepFiles&,
                          Inputs& in) { in.pqft_structure = step.routing.pqft_structure; }},
    {"torus_config", [](const policy::Step& step, const StepFiles&, Inputs& in) { in.torus = step.torus; }},
    {"guid_routing_order_no_scatter",
     [](const policy::Step& step, const StepFiles&, Inputs& in) {
       in.ports.guid_routing_order_no_scatter = step.routing.guid_routing_order_no_scatter;
     }},
    {"scatter_ports", [](const policy::Step& step, const StepFiles&,
                         Inputs& in) { in.ports.scatter_ports = step.routing.scatter_ports; }},
    {"port_shifting", [](const policy::Step& step, const StepFiles&,
                         Inputs& in) { in.ports.port_shifting = step.routing.port_shifting; }},
    {"port_profile_switch_nodes",
     [](const policy::Step& step, const StepFiles&, Inputs& in) {
       in.ports.port_profile_switch_nodes = step.routing.port_profile_switch_nodes;
     }},
    {"avoid_throttled_links",
     [](const policy::Step& step, const StepFiles&, Inputs& in) {
       in.ports.avoid_throttled_links = step.routing.avoid_throttled_links;
     }},
    {"root_guid_file",
     [](const policy::Step&, const StepFiles& files, Inputs& in) {
       for (const policy::ListMember& entry : files.roots)
         in.roots.push_back({std::get<Guid>(entry.who), entry.rank.value_or(0)});
     }},
    {"cn_guid_file", [](const policy::Step&, const StepFiles& files,
                        Inputs& in) { in.compute_nodes = guids(files.compute_nodes); }},
    {"io_guid_file",
     [](const policy::Step&, const StepFiles& files, Inputs& in) { in.io_nodes = guids(files.io_nodes); }},
    {"ids_guid_file",
     [](const policy::Step&, const StepFiles& files, Inputs& in) {
       for (const policy::NodeNumber& entry : files.ids) in.ids.push_back({entry.node, entry.id});
     }},
    {"guid_routing_order_file", [](const policy::Step&, const StepFiles& files,
                                   Inputs& in) { in.ports.guid_routing_order = guids(files.routing_order); }},
    {"hop_weights_file",
     [](const policy::Step&, const StepFiles& files, Inputs& in) {
       for (const policy::HopWeight& entry : files.hop_weights)
         in.ports.hop_weights.push_back({{entry.node, PortNum(entry.port)}, entry.weight});
     }},
    {"port_search_ordering_file",
     [](const policy::Step&, const StepFiles& files, Inputs& in) {
       for (const policy::PortOrder& entry : files.port_orders) {
         auto& order = in.ports.port_search_ordering.emplace_back();
         order.sw = std::get<Guid>(entry.who);
         for (std::uint8_t port : entry.ports) order.ports.push_back(PortNum(port));
       }
     }},
    {"port_prof_ignore_file",
     [](const policy::Step&, const StepFiles& files, Inputs& in) {
       for (const policy::IgnoredPort& entry : files.ignored_ports)
         if (entry.port) in.ports.port_prof_ignore.push_back({entry.node, PortNum(*entry.port)});
     }},
    {"lfts_file",
     [](const policy::Step&, const StepFiles& files, Inputs& in) { in.lfts = files.lfts.get(); }},
    {"lid_matrix_dump_file",
     [](const policy::Step&, const StepFiles& files, Inputs& in) { in.hops = files.hops.get(); }},
};

}  // namespace

Inputs engine_inputs(const engines::Descriptor& engine, const policy::Step& step, const StepFiles& files,
                     const policy::QosOptions& qos) {
  Inputs inputs{.qos = qos.enabled, .max_op_vls = qos.max_op_vls};
  inputs.ports.compat = step.mode == policy::EngineMode::compat;
  for (const Source& source : kSources)
    if (engine.reads_option(source.key)) source.fill(step, files, inputs);
  return inputs;
}

}  // namespace rch::chains
