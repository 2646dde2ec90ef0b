#include "engines/dfsssp/dfsssp.h"
#include "engines/inputs.h"
#include "engines/registry.h"

namespace rch::engines {
namespace {

dfsssp::Options options_of(const Inputs& in) {
  return {.compute_nodes = in.compute_nodes,
          .io_nodes = in.io_nodes,
          .qos = in.qos,
          .max_op_vls = in.max_op_vls,
          .avoid_throttled_links = in.ports.avoid_throttled_links,
          .needs_multicast_tree = in.needs_multicast_tree,
          .installed = in.ports.installed};
}

constexpr std::string_view kDfssspReads[] = {"cn_guid_file", "io_guid_file", "avoid_throttled_links",
                                             "offsweep_balancing_enabled", "offsweep_balancing_window"};

}  // namespace

constexpr Descriptor kDfsssp{
    .name = "dfsssp",
    .summary =
        "any fabric: shortest paths, loads balanced, on as many virtual lanes as keep them free of "
        "credit loops",
    .reads = {kDfssspReads},
    .makes_room_for_multicast = true,
    .in_nvidia_chains = false,
    .route = [](const fabric::SubFabric& view, const Inputs& in) {
      return dfsssp::route(view, options_of(in));
    }};

constexpr Descriptor kSssp{.name = "sssp",
                           .summary = "the paths of dfsssp on one virtual lane; not free of credit loops",
                           .reads = {kDfssspReads},
                           .in_nvidia_chains = false,
                           .route = [](const fabric::SubFabric& view, const Inputs& in) {
                             return dfsssp::route_sssp(view, options_of(in));
                           }};

}  // namespace rch::engines
