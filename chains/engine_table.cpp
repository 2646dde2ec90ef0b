#include <array>

#include "chains/chain.h"
#include "engines/dor/dor.h"
#include "engines/minhop/minhop.h"
#include "engines/torus_2qos/torus_2qos.h"
#include "engines/updn/updn.h"

namespace rch::chains {
namespace {

using engines::EngineFailure;
using engines::EngineResult;

/// Of entries that are bound to a fabric: there are no groups among them.
std::vector<Guid> guids(const std::vector<policy::ListMember>& entries) {
  std::vector<Guid> list;
  for (const policy::ListMember& entry : entries) list.push_back(std::get<Guid>(entry.who));
  return list;
}

std::vector<engines::updn::Root> roots(const policy::StepFiles& files) {
  std::vector<engines::updn::Root> list;
  for (const policy::ListMember& entry : files.roots)
    list.push_back({std::get<Guid>(entry.who), entry.rank.value_or(0)});
  return list;
}

std::vector<engines::updn::SwitchNumber> ids(const policy::StepFiles& files) {
  std::vector<engines::updn::SwitchNumber> list;
  for (const policy::NodeNumber& entry : files.ids) list.push_back({entry.node, entry.id});
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

engines::common::PortOptions port_options(const policy::Step& step, const policy::StepFiles& files) {
  const policy::Options& options = step.options;
  return {.compat = step.mode == policy::EngineMode::compat,
          .hop_weights = hop_weights(files),
          .port_search_ordering = port_orders(files),
          .port_prof_ignore = ignored_ports(files),
          .guid_routing_order = guids(files.routing_order),
          .guid_routing_order_no_scatter = options.guid_routing_order_no_scatter,
          .scatter_ports = options.scatter_ports,
          .port_shifting = options.port_shifting,
          .port_profile_switch_nodes = options.port_profile_switch_nodes,
          .avoid_throttled_links = options.avoid_throttled_links};
}

EngineResult minhop(const fabric::SubFabric& view, const policy::Step& step, const policy::StepFiles& files) {
  return engines::minhop::route(view, {.ports = port_options(step, files)});
}

EngineResult updn(const fabric::SubFabric& view, const policy::Step& step, const policy::StepFiles& files) {
  return engines::updn::route(view, {.roots = roots(files),
                                     .connect_roots = step.options.connect_roots,
                                     .ids = ids(files),
                                     .ports = port_options(step, files)});
}

EngineResult dnup(const fabric::SubFabric& view, const policy::Step& step, const policy::StepFiles& files) {
  return engines::updn::route_dnup(
      view, {.connect_roots = step.options.connect_roots, .ports = port_options(step, files)});
}

EngineResult dor(const fabric::SubFabric& view, const policy::Step& step, const policy::StepFiles& files) {
  return engines::dor::route(view, {.ports = port_options(step, files)});
}

EngineResult torus_2qos(const fabric::SubFabric& view, const policy::Step& step, const policy::StepFiles&) {
  if (!step.torus)
    return tl::unexpected(
        EngineFailure{.rule = "torus-config-absent",
                      .message = fmt::format("step {} has no torus-2QoS configuration", step.id),
                      .guids = {}});
  return engines::torus_2qos::route(view, *step.torus);
}

constexpr std::array kEngines{
    EngineEntry{"minhop", "shortest paths, links balanced; not free of credit loops on fabrics with cycles",
                minhop},
    EngineEntry{"updn", "up towards the roots, then down: no credit loops on any fabric", updn},
    EngineEntry{"dnup", "away from the switches with hosts, then towards them: no credit loops on any fabric",
                dnup},
    EngineEntry{"dor",
                "shortest paths, one dimension after the other: no credit loops on hypercubes and meshes",
                dor},
    EngineEntry{"torus-2QoS",
                "dimension order with datelines on 1-3 dimensional tori and meshes, two QoS levels",
                torus_2qos},
};

}  // namespace

std::span<const EngineEntry> engine_table() { return kEngines; }

}  // namespace rch::chains
