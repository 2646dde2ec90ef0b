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

std::vector<engines::updn::Root> roots(const policy::Step& step) {
  std::vector<engines::updn::Root> list;
  for (Guid guid : step.roots) list.push_back({guid});
  return list;
}

engines::common::PortOptions port_options(const policy::Step& step) {
  const policy::Options& options = step.options;
  return {.guid_routing_order_no_scatter = options.guid_routing_order_no_scatter,
          .scatter_ports = options.scatter_ports,
          .port_shifting = options.port_shifting,
          .port_profile_switch_nodes = options.port_profile_switch_nodes,
          .avoid_throttled_links = options.avoid_throttled_links};
}

EngineResult minhop(const fabric::SubFabric& view, const policy::Step& step) {
  return engines::minhop::route(view, {.ports = port_options(step)});
}

EngineResult updn(const fabric::SubFabric& view, const policy::Step& step) {
  return engines::updn::route(
      view, {.roots = roots(step), .connect_roots = step.options.connect_roots, .ports = port_options(step)});
}

EngineResult dnup(const fabric::SubFabric& view, const policy::Step& step) {
  return engines::updn::route_dnup(
      view, {.connect_roots = step.options.connect_roots, .ports = port_options(step)});
}

EngineResult dor(const fabric::SubFabric& view, const policy::Step& step) {
  return engines::dor::route(view, {.ports = port_options(step)});
}

EngineResult torus_2qos(const fabric::SubFabric& view, const policy::Step& step) {
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
