// Hosts and switches that come back, as after a restart.

#include <gtest/gtest.h>

#include <utility>

#include "chain_fixture.h"
#include "chains/update.h"
#include "fabric/fabric_builder.h"
#include "fabric/generator.h"
#include "fabric/lids.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using test::plan_on;

Fabric without(const Fabric& whole, NodeId node) {
  fabric::FabricBuilder builder(whole);
  builder.remove(*builder.find(whole.node(node).guid));
  return *std::move(builder).build();
}

/// Nobody had a path to the host while it was away. So no SL of that time makes its return a static change.
TEST(ReturnedHost, StopsNoTrafficOfATorus) {
  const char* const conf = "routing_engine dfsssp\nqos TRUE\nmax_op_vls 4\n";
  fabric::Grid grid;
  for (const std::uint32_t radix : {5U, 4U, 3U}) grid.dimensions.push_back({radix, true});
  const auto made = fabric::generate({.shape = grid});
  const auto lids = fabric::plan_lids(made->fabric, {});
  const Fabric whole = *fabric::with_lids(made->fabric, lids->lids);
  const auto first = plan_on(whole, conf);
  ASSERT_TRUE(first && first->verdict.clean());
  for (const std::uint32_t away : {0U, 7U, 15U, 33U, 59U}) {
    const Fabric cut = without(whole, whole.port(whole.end_ports_of(SwitchId(away)).front().port).node);
    const auto gone = plan_on(cut, conf, {.installed = &*first, .settings = {}});
    ASSERT_TRUE(gone && gone->verdict.clean());
    const auto back = plan_on(whole, conf, {.installed = &*gone, .settings = {}});
    ASSERT_TRUE(back && back->verdict.clean());
    const Plan* const previous = &*gone;
    const auto judged = judge_update(*gone, *back, {&previous, 1}, false, {});
    EXPECT_TRUE(judged) << judged.error().message;
  }
}

}  // namespace
}  // namespace rch::chains
