#include "engines/inputs.h"
#include "engines/registry.h"
#include "engines/torus_2qos/torus_2qos.h"

namespace rch::engines {

constexpr std::string_view kTorusReads[] = {"torus_config"};

constexpr Descriptor kTorus2Qos{
    .name = "torus-2QoS",
    .summary = "dimension order with datelines on 1-3 dimensional tori and meshes, two QoS levels",
    .also = "torus torus2qos torus-2qos torus_2qos",
    .reads = {kTorusReads},
    .route = [](const fabric::SubFabric& view, const Inputs& in) -> EngineResult {
      if (!in.torus)
        return tl::unexpected(EngineFailure{
            .rule = "torus-config-absent", .message = "there is no torus-2QoS configuration", .guids = {}});
      return torus_2qos::route(view, {*in.torus, in.qos, in.max_op_vls, in.ports.installed});
    }};

constexpr Descriptor kArTorus{.name = "ar_torus",
                              .summary = "torus-2QoS, and adaptive routing by the cables of a hop",
                              .also = "ar-torus ar_torus-2QoS",
                              .reads = {kTorusReads, kAdaptiveKeys},
                              .groups = GroupRule::parallel_cables,
                              .route = kTorus2Qos.route};

}  // namespace rch::engines
