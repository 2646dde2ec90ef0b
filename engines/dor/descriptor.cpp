#include "engines/dor/dor.h"
#include "engines/inputs.h"
#include "engines/opensm_compat/rules.h"
#include "engines/registry.h"

namespace rch::engines {

constexpr std::string_view kDorReads[] = {"hop_weights_file", "avoid_throttled_links",
                                          "offsweep_balancing_enabled", "offsweep_balancing_window",
                                          "dor_hyper_cube_mode"};

constexpr Descriptor kDor{
    .name = "dor",
    .summary = "shortest paths, one dimension after the other: no credit loops on hypercubes and meshes",
    .also = "dimension-order xy",
    .reads = {kDorReads, kPortSelectionKeys},
    .is_idle = opensm_compat::ignores_throttled_links,
    .route = [](const fabric::SubFabric& view, const Inputs& in) {
      return dor::route(view, {.ports = in.ports});
    }};

constexpr Descriptor kArDor{.name = "ar_dor",
                            .summary = "dor, and adaptive routing by the cables of a hop",
                            .also = "ar-dor",
                            .reads = {kDorReads, kPortSelectionKeys, kAdaptiveKeys},
                            .is_idle = opensm_compat::ignores_throttled_links,
                            .groups = GroupRule::parallel_cables,
                            .route = kDor.route};

}  // namespace rch::engines
