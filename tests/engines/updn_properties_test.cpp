// Properties of updn on random graphs with random roots.

#include <algorithm>
#include <deque>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <tbb/global_control.h>

#include "engines/common/distances.h"
#include "engines/updn/legal_paths.h"
#include "engines/updn/updn.h"
#include "support/property.h"
#include "support/small_fabrics.h"
#include "table_judge.h"

namespace rch::engines::updn {
namespace {

fabric::Fabric any_fabric(std::uint32_t max_switches) {
  test::Shape shape = test::random_shape(*rc::gen::arbitrary<std::uint64_t>(), max_switches);
  shape.lmc = *rc::gen::inRange<std::uint8_t>(0, 3);
  return test::build(shape);
}

Options any_roots(const fabric::Fabric& fabric) {
  Options options;
  const auto count = *rc::gen::inRange<std::size_t>(1, 4);
  for (std::size_t i = 0; i < count; ++i) {
    const auto s = *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(fabric.switch_count()));
    options.roots.push_back({fabric.node(SwitchId(s)).guid});
  }
  return options;
}

StepTables must(EngineResult result) {
  RC_ASSERT(result.has_value());
  return std::move(*result);
}

/// Shortest legal paths from one switch by breadth-first search over (switch, "has gone down").
std::vector<std::uint8_t> legal_from(const fabric::SwitchGraph& graph, const Orientation& orientation,
                                     SwitchId from, bool down_only) {
  std::vector<std::uint8_t> best(graph.switch_count() * 2, HopMatrix::kUnknown);
  std::deque<std::size_t> queue{from.index() * 2 + down_only};
  best[queue.front()] = 0;
  for (; !queue.empty(); queue.pop_front()) {
    const std::size_t state = queue.front();
    const SwitchId at(static_cast<std::uint32_t>(state / 2));
    for (const fabric::Neighbor& n : graph.neighbors(at)) {
      const bool up = orientation.is_up(at, n.sw);
      const std::size_t next = n.sw.index() * 2 + (up ? 0U : 1U);
      if ((up && state % 2 == 1) || best[next] != HopMatrix::kUnknown) continue;
      best[next] = static_cast<std::uint8_t>(best[state] + 1);
      queue.push_back(next);
    }
  }
  std::vector<std::uint8_t> hops(graph.switch_count());
  for (std::size_t s = 0; s < hops.size(); ++s) hops[s] = std::min(best[2 * s], best[2 * s + 1]);
  return hops;
}

/// Routes are as long as the matrix says, and there is one exactly where a legal path exists.
void check_routes(const fabric::Fabric& fabric, const StepTables& tables) {
  const HopMatrix shortest = common::distances(fabric.graph());
  for (std::uint16_t lid = 1; lid <= fabric.max_lid().value; ++lid) {
    const auto owner = fabric.lid_owner(Lid(lid));
    if (!owner) continue;
    const fabric::Port& port = fabric.port(*owner);
    const auto own_switch = fabric.switch_id(port.node);
    const SwitchId to = own_switch ? *own_switch : *fabric.switch_id(fabric.port(port.peer).node);
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const std::uint8_t hops = tables.hops->at(SwitchId(s), to);
      const auto path = test::path(fabric, tables.lfts, SwitchId(s), Lid(lid));
      RC_ASSERT(path.has_value() == (hops != HopMatrix::kUnknown));
      if (path) RC_ASSERT(path->size() == hops + 1U);
      RC_ASSERT(hops >= shortest.at(SwitchId(s), to));
    }
  }
}

TEST(UpdnProperties, NoCreditLoopOnAnyGraph) {
  EXPECT_TRUE(test::check([] {
    const fabric::Fabric fabric = any_fabric(20);
    const StepTables tables = must(route(fabric::SubFabric(fabric), any_roots(fabric)));
    RC_ASSERT(test::credit_cycle(fabric, tables.lfts, true) == "");
  }));
}

TEST(DnupProperties, NoCreditLoopOnAnyGraph) {
  EXPECT_TRUE(test::check([] {
    const fabric::Fabric fabric = any_fabric(20);
    RC_PRE(!fabric.end_ports().empty());
    const StepTables tables = must(route_dnup(fabric::SubFabric(fabric), {}));
    RC_ASSERT(test::credit_cycle(fabric, tables.lfts, true) == "");
    check_routes(fabric, tables);
  }));
}

TEST(UpdnProperties, RoutesAreAsLongAsTheMatrixSays) {
  EXPECT_TRUE(test::check([] {
    const fabric::Fabric fabric = any_fabric(25);
    check_routes(fabric, must(route(fabric::SubFabric(fabric), any_roots(fabric))));
  }));
}

TEST(UpdnProperties, SweepsEqualASearchPairByPair) {
  EXPECT_TRUE(test::check([] {
    const fabric::Fabric fabric = any_fabric(40);
    const std::vector<Start> root{{SwitchId(0)}};
    const fabric::SubFabric view(fabric);
    const Orientation orientation = towards_roots(ranks(fabric.graph(), root), numbers(view, {}));
    const LegalHops hops = legal_hops(fabric.graph(), orientation);
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const SwitchId from(s);
      const auto down = legal_from(fabric.graph(), orientation, from, true);
      const auto any = legal_from(fabric.graph(), orientation, from, false);
      RC_ASSERT(std::ranges::equal(hops.down.row(from), down));
      for (std::uint32_t d = 0; d < fabric.switch_count(); ++d) {
        const std::uint8_t all = hops.all.at(from, SwitchId(d));
        RC_ASSERT((all == HopMatrix::kUnknown) == (any[d] == HopMatrix::kUnknown));
        RC_ASSERT(all >= any[d]);
      }
    }
  }));
}

TEST(UpdnProperties, ConnectRootsReachesWhatCablesReach) {
  EXPECT_TRUE(test::check([] {
    const fabric::Fabric fabric = any_fabric(25);
    Options options = any_roots(fabric);
    const StepTables apart = must(route(fabric::SubFabric(fabric), options));
    options.connect_roots = true;
    const StepTables joined = must(route(fabric::SubFabric(fabric), options));
    check_routes(fabric, joined);
    const HopMatrix shortest = common::distances(fabric.graph());
    const bool along_order = apart.trees.empty();  // the repair pass brings a tree, and other paths
    for (std::size_t i = 0; i < shortest.hops.size(); ++i) {
      const bool legal = apart.hops->hops[i] != HopMatrix::kUnknown;
      if (legal && along_order) RC_ASSERT(joined.hops->hops[i] == apart.hops->hops[i]);
      RC_ASSERT((joined.hops->hops[i] == HopMatrix::kUnknown) == (shortest.hops[i] == HopMatrix::kUnknown));
    }
  }));
}

TEST(UpdnProperties, ThreadsDoNotMatter) {
  EXPECT_TRUE(test::check([] {
    const fabric::Fabric fabric = any_fabric(300);
    Options options = any_roots(fabric);
    options.connect_roots = *rc::gen::arbitrary<bool>();
    options.ports.compat = *rc::gen::arbitrary<bool>();
    const auto with_threads = [&](std::size_t n) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, n);
      return must(route(fabric::SubFabric(fabric), options));
    };
    const StepTables one = with_threads(1), two = with_threads(2);
    RC_ASSERT(one.lfts == two.lfts);
    RC_ASSERT(one.hops->hops == two.hops->hops);
    RC_ASSERT(one.remarks == two.remarks);
  }));
}

}  // namespace
}  // namespace rch::engines::updn
