#include "routing.h"

#include <cstdio>
#include <cstdlib>

namespace rch::bench {

engines::torus_2qos::Options torus_options(const fabric::Fabric& fabric) {
  engines::torus_2qos::Options options;
  const std::uint32_t side = fabric.switch_count() > 16 * 16 * 16 ? 32 : 16;
  options.radix = {side, side, 16};
  engines::torus_2qos::Seed& seed = options.seeds.emplace_back();
  const std::uint32_t step[] = {side * 16, 16, 1};  // switches are numbered with z running fastest
  for (std::size_t axis = 0; axis < 3; ++axis)
    seed.plus[axis] = {fabric.node(SwitchId(0)).guid, fabric.node(SwitchId(step[axis])).guid};
  return options;
}

fabric::RoutingTables single_step(const fabric::Fabric& fabric, engines::EngineResult result) {
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().message.c_str());
    std::exit(1);
  }
  fabric::RoutedStep step{.id = StepId(1),
                          .engine = "bench",
                          .switches = IdSet<SwitchId>(fabric.switch_count(), true),
                          .lids = IdSet<Lid>(fabric.max_lid().index() + 1, true),
                          .holes = {},
                          .sl = std::move(result->sl)};
  fabric::RoutingTables tables;
  tables.lfts = std::move(result->lfts);
  tables.sl2vl = std::move(result->sl2vl);
  tables.steps.push_back(std::move(step));
  return tables;
}

}  // namespace rch::bench
