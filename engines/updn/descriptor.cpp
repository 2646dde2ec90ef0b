#include "engines/inputs.h"
#include "engines/opensm_compat/rules.h"
#include "engines/registry.h"
#include "engines/updn/updn.h"

namespace rch::engines {

constexpr std::string_view kUpdnReads[] = {
    "root_guid_file",           "ids_guid_file",         "connect_roots",
    "updn_lid_tracking_mode",   "avoid_throttled_links", "offsweep_balancing_enabled",
    "offsweep_balancing_window"};
constexpr std::string_view kDnupReads[] = {"connect_roots", "avoid_throttled_links",
                                           "offsweep_balancing_enabled", "offsweep_balancing_window"};

constexpr Descriptor kUpdn{.name = "updn",
                           .summary = "up towards the roots, then down: no credit loops on any fabric",
                           .also = "up-down updown up_down up/down",
                           .reads = {kUpdnReads, kPortSelectionKeys},
                           .is_idle = opensm_compat::ignores_throttled_links,
                           .route = [](const fabric::SubFabric& view, const Inputs& in) {
                             return updn::route(view, {.roots = in.roots,
                                                       .connect_roots = in.connect_roots,
                                                       .ids = in.ids,
                                                       .earlier = in.earlier_roots,
                                                       .ports = in.ports});
                           }};

constexpr Descriptor kArUpdn{.name = "ar_updn",
                             .summary = "updn, and adaptive routing by all ports on its shortest paths",
                             .also = "ar-updn",
                             .reads = {kUpdnReads, kPortSelectionKeys, kAdaptiveKeys},
                             .is_idle = opensm_compat::ignores_throttled_links,
                             .groups = GroupRule::up_down,
                             .route = [](const fabric::SubFabric& view, const Inputs& in) {
                               return updn::route(view, {.roots = in.roots,
                                                         .connect_roots = in.connect_roots,
                                                         .ids = in.ids,
                                                         .one_order = true,
                                                         .earlier = in.earlier_roots,
                                                         .ports = in.ports});
                             }};

constexpr Descriptor kDnup{
    .name = "dnup",
    .summary = "away from the switches with hosts, then towards them: no credit loops on any fabric",
    .also = "down-up downup down_up",
    .reads = {kDnupReads, kPortSelectionKeys},
    .is_idle = opensm_compat::ignores_throttled_links,
    .route = [](const fabric::SubFabric& view, const Inputs& in) {
      return updn::route_dnup(view, {.connect_roots = in.connect_roots, .ports = in.ports});
    }};

}  // namespace rch::engines
