#include <array>

#include "chains/chain.h"
#include "engines/minhop/minhop.h"
#include "engines/torus_2qos/torus_2qos.h"
#include "engines/updn/updn.h"

namespace rch::chains {
namespace {

using engines::EngineFailure;
using engines::EngineResult;

EngineResult minhop(const fabric::SubFabric& view, const policy::Step& step) {
  return engines::minhop::route(view, {.count_switch_lids = step.options.port_profile_switch_nodes});
}

EngineResult updn(const fabric::SubFabric& view, const policy::Step& step) {
  return engines::updn::route(view, {.roots = step.roots,
                                     .connect_roots = step.options.connect_roots,
                                     .count_switch_lids = step.options.port_profile_switch_nodes});
}

EngineResult dnup(const fabric::SubFabric& view, const policy::Step& step) {
  return engines::updn::route_dnup(view, {.connect_roots = step.options.connect_roots,
                                          .count_switch_lids = step.options.port_profile_switch_nodes});
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
    EngineEntry{"torus-2QoS",
                "dimension order with datelines on 1-3 dimensional tori and meshes, two QoS levels",
                torus_2qos},
};

}  // namespace

std::span<const EngineEntry> engine_table() { return kEngines; }

}  // namespace rch::chains
