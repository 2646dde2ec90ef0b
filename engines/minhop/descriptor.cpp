#include "engines/inputs.h"
#include "engines/minhop/minhop.h"
#include "engines/opensm_compat/rules.h"
#include "engines/registry.h"

namespace rch::engines {

constexpr std::string_view kMinhopReads[] = {"hop_weights_file", "avoid_throttled_links",
                                             "offsweep_balancing_enabled", "offsweep_balancing_window"};

constexpr Descriptor kMinhop{
    .name = "minhop",
    .summary = "shortest paths, links balanced; not free of credit loops on fabrics with cycles",
    .also = "min-hop minhops shortest",
    .reads = {kMinhopReads, kPortSelectionKeys},
    .is_idle = opensm_compat::ignores_throttled_links,
    .route = [](const fabric::SubFabric& view, const Inputs& in) {
      return minhop::route(view, {.ports = in.ports});
    }};

constexpr Descriptor kArMinhop{
    .name = "ar_minhop",
    .summary = "minhop, and adaptive routing by all ports on shortest paths; only where these have no cycle",
    .also = "ar-minhop",
    .reads = {kMinhopReads, kPortSelectionKeys, kAdaptiveKeys},
    .is_idle = opensm_compat::ignores_throttled_links,
    .groups = GroupRule::shortest,
    .route = kMinhop.route};

}  // namespace rch::engines
