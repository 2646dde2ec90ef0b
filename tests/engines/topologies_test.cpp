// Topologies of today's machines, shuffled: dfsssp routes them minimally, and the proof finds no loop.

#include <gtest/gtest.h>

#include "engines/dfsssp/dfsssp.h"
#include "fabric/fabric_builder.h"
#include "fabric/generator.h"
#include "fabric/lids.h"
#include "verify/verify.h"

namespace rch::engines {
namespace {

fabric::Fabric made(fabric::Topology topology, std::uint32_t hosts) {
  fabric::GeneratorOptions options;
  options.shape = std::move(topology);
  options.hosts = hosts;
  options.shuffle = 1;
  const fabric::Fabric fabric = fabric::generate(options)->fabric;
  return *fabric::with_lids(fabric, fabric::plan_lids(fabric, {})->lids);
}

fabric::RoutingTables whole(const fabric::Fabric& fabric, StepTables tables) {
  fabric::RoutedStep step{.id = StepId(1),
                          .engine = "dfsssp",
                          .switches = IdSet<SwitchId>(fabric.switch_count(), true),
                          .lids = IdSet<Lid>(fabric.max_lid().index() + 1, true),
                          .holes = {},
                          .sl = std::move(tables.sl)};
  fabric::RoutingTables result;
  result.lfts = std::move(tables.lfts);
  result.sl2vl = std::move(tables.sl2vl);
  result.steps.push_back(std::move(step));
  return result;
}

TEST(Topologies, DfssspRoutesThemWithoutCreditLoops) {
  using namespace fabric;
  const std::pair<Topology, std::uint32_t> cases[] = {
      {Dragonfly{9, 4, 2}, 2}, {DragonflyPlus{5, 3, 4, 1}, 3}, {HyperX{{4, 4, 3}}, 2}, {SlimFly{5}, 2},
      {SlimFly{4}, 2},         {RailTree{3, 4, 4}, 4},
  };
  for (const auto& [topology, hosts] : cases) {
    const Fabric fabric = made(topology, hosts);
    auto routed = dfsssp::route(SubFabric(fabric), {});
    ASSERT_TRUE(routed) << topology.index();
    const RoutingTables tables = whole(fabric, std::move(*routed));
    const verify::Verdict verdict = verify::verify(fabric, tables);
    EXPECT_TRUE(verdict.findings.empty()) << topology.index() << ": " << verdict.findings.front().message;
    EXPECT_EQ(verdict.pairs, fabric.end_ports().size() * (fabric.end_ports().size() - 1));
  }
}

}  // namespace
}  // namespace rch::engines
