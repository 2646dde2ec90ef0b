#include "routing.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace rch::bench {

engines::torus_2qos::Options torus_options(const fabric::Fabric& fabric) {
  engines::torus_2qos::Options options;
  const std::uint32_t side = fabric.switch_count() > 16 * 16 * 16 ? 32 : 16;
  options.radix = {side, side, 16};
  engines::torus_2qos::Seed& seed = options.seeds.emplace_back();
  const auto guid = [&](std::string_view name) {
    const auto named = [&](const fabric::Node& node) { return node.description == name; };
    return std::ranges::find_if(fabric.nodes(), named)->guid;
  };
  const std::string_view neighbors[] = {"sw_1_0_0", "sw_0_1_0", "sw_0_0_1"};
  for (std::size_t axis = 0; axis < 3; ++axis) seed.plus[axis] = {guid("sw_0_0_0"), guid(neighbors[axis])};
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
