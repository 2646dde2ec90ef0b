// Properties of minhop on random graphs.

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <tbb/global_control.h>

#include "engines/common/distances.h"
#include "engines/common/port_selection/candidates.h"
#include "engines/minhop/minhop.h"
#include "reference_minhop.h"
#include "support/golden_case.h"
#include "support/property.h"
#include "support/small_fabrics.h"

namespace rch::engines::minhop {
namespace {

test::Shape any_shape(std::uint32_t max_switches = 60) {
  test::Shape shape = test::random_shape(*rc::gen::arbitrary<std::uint64_t>(), max_switches);
  shape.lmc = *rc::gen::inRange<std::uint8_t>(0, 4);
  return shape;
}

StepTables minhop_tables(const fabric::Fabric& fabric) {
  auto result = route(fabric::SubFabric(fabric), {});
  RC_ASSERT(result.has_value());
  return std::move(*result);
}

/// Hops from `sw` to the end of the route; nothing if it drops, leaves the switches, or loops.
std::optional<std::uint32_t> follow(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts,
                                    SwitchId sw, Lid lid, PortId destination) {
  for (std::uint32_t hops = 0; hops <= fabric.switch_count(); ++hops) {
    const std::uint8_t out = lfts.at(sw, lid);
    if (out == kNoPath || out > fabric.node(sw).num_ports) return std::nullopt;
    const PortId port = fabric.port_id(sw, PortNum(out));
    if (out == 0) return port == destination ? std::optional(hops) : std::nullopt;
    const PortId peer = fabric.port(port).peer;
    if (peer == destination) return hops;
    const auto next = peer.is_none() ? std::nullopt : fabric.switch_id(fabric.port(peer).node);
    if (!next) return std::nullopt;
    sw = *next;
  }
  return std::nullopt;
}

TEST(MinhopProperties, BitParallelSearchEqualsScalarSearch) {
  EXPECT_TRUE(test::check([] {
    const fabric::Fabric fabric = test::build(any_shape());
    RC_ASSERT(common::distances(fabric.graph()).hops == test::reference_distances(fabric.graph()).hops);
  }));
}

TEST(MinhopProperties, SearchSpansSeveralBatches) {
  test::Shape ring;
  ring.hosts.assign(600, 0);  // longest path: 150 hops and a chord
  for (std::uint32_t s = 0; s < 600; ++s) ring.cables.push_back({s, (s + 1) % 600});
  for (std::uint32_t s = 0; s < 300; s += 50) ring.cables.push_back({s, s + 300});
  const fabric::Fabric big = test::build(ring);
  EXPECT_EQ(common::distances(big.graph()).hops, test::reference_distances(big.graph()).hops);
}

TEST(MinhopProperties, WaysOfMoreThan254HopsAreUnknown) {
  test::Shape line;
  line.hosts.assign(300, 0);
  for (std::uint32_t s = 1; s < 300; ++s) line.cables.push_back({s - 1, s});
  const HopMatrix hops = common::distances(test::build(line).graph());
  EXPECT_EQ(hops.at(SwitchId(0), SwitchId(254)), 254);
  EXPECT_EQ(hops.at(SwitchId(0), SwitchId(255)), HopMatrix::kUnknown);
  EXPECT_EQ(hops.at(SwitchId(299), SwitchId(0)), HopMatrix::kUnknown);
}

TEST(MinhopProperties, TablesEqualTheRulesTakenOneByOne) {
  EXPECT_TRUE(test::check([] {
    const fabric::Fabric fabric = test::build(any_shape());
    RC_ASSERT(test::difference(fabric, minhop_tables(fabric).lfts, test::reference_minhop(fabric)) == "");
  }));
}

TEST(MinhopProperties, CountersStartWhereTheyAreTold) {
  EXPECT_TRUE(test::check([] {
    const fabric::Fabric fabric = test::build(any_shape());
    Options options;
    options.ports.initial_loads =
        *rc::gen::container<std::vector<std::uint32_t>>(fabric.ports().size(), rc::gen::inRange(0U, 20U));
    const auto ours = route(fabric::SubFabric(fabric), options);
    RC_ASSERT(test::difference(fabric, ours->lfts,
                               test::reference_minhop(fabric, options.ports.initial_loads)) == "");
  }));
}

TEST(MinhopProperties, RoutesArriveByShortestPaths) {
  EXPECT_TRUE(test::check([] {
    const fabric::Fabric fabric = test::build(any_shape(30));
    const StepTables tables = minhop_tables(fabric);
    const HopMatrix hops = test::reference_distances(fabric.graph());
    for (std::uint16_t lid = 1; lid <= fabric.max_lid().value; ++lid) {
      const auto owner = fabric.lid_owner(Lid(lid));
      if (!owner) continue;
      const fabric::Port& port = fabric.port(*owner);
      const auto own_switch = fabric.switch_id(port.node);
      const SwitchId to = own_switch ? *own_switch : *fabric.switch_id(fabric.port(port.peer).node);
      for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
        const std::uint8_t least = hops.at(SwitchId(s), to);
        const auto length = follow(fabric, tables.lfts, SwitchId(s), Lid(lid), *owner);
        if (least == HopMatrix::kUnknown)
          RC_ASSERT(tables.lfts.at(SwitchId(s), Lid(lid)) == kNoPath);
        else
          RC_ASSERT(length == std::optional<std::uint32_t>(least));
      }
    }
  }));
}

TEST(MinhopProperties, CountersAreLevelWhereCandidatesDoNotOverlap) {
  EXPECT_TRUE(test::check([] {
    test::Shape shape = any_shape();
    shape.lmc = 0;
    const fabric::Fabric fabric = test::build(shape);
    const StepTables tables = minhop_tables(fabric);
    const fabric::SubFabric view(fabric);
    const common::PortOptions options;
    const common::PortContext context(view, options);
    const common::ShortestPaths rule(context.graph(), *tables.hops);
    common::Candidates candidates(context, rule);
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const SwitchId sw(s);
      candidates.examine(sw);
      std::vector<common::CandidateSet<4>> sets;
      std::vector<std::uint32_t> load(256);
      std::uint32_t counted = 0;
      for (const fabric::EndPort& host : fabric.end_ports()) {
        const std::uint8_t port = tables.lfts.at(sw, host.lid);
        if (host.sw == sw || port == kNoPath) continue;
        ++load[port];
        ++counted;
        const auto set = candidates.set<4>(host.sw);
        if (std::find(sets.begin(), sets.end(), set) == sets.end()) sets.push_back(set);
      }
      std::uint32_t sum = 0;
      std::vector<int> owners(256);
      for (const auto& set : sets) set.for_each([&](std::size_t c) { ++owners[c]; });
      for (const auto& output : candidates.outputs()) sum += load[output.port.index()];
      RC_ASSERT(sum == counted);
      if (std::ranges::any_of(owners, [](int n) { return n > 1; })) continue;
      for (const auto& set : sets) {
        std::uint32_t least = ~0U, most = 0;
        set.for_each([&](std::size_t c) {
          least = std::min(least, load[candidates.outputs()[c].port.index()]);
          most = std::max(most, load[candidates.outputs()[c].port.index()]);
        });
        RC_ASSERT(most - least <= 1U);
      }
    }
  }));
}

TEST(MinhopProperties, ThreadsDoNotMatter) {
  EXPECT_TRUE(test::check([] {
    const fabric::Fabric fabric = test::build(any_shape());
    const auto with_threads = [&](std::size_t n) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, n);
      return minhop_tables(fabric);
    };
    const StepTables one = with_threads(1), two = with_threads(2);
    RC_ASSERT(one.lfts == two.lfts);
    RC_ASSERT(one.hops->hops == two.hops->hops);
  }));
}

TEST(MinhopProperties, NamesDoNotMatterOnlyTheirOrder) {
  EXPECT_TRUE(test::check([] {
    test::Shape shape = any_shape(40);
    shape.guid_step = 1;
    const StepTables one = minhop_tables(test::build(shape));
    shape.guid_step = 6;  // 40 * 6 < 256: the order of the last byte alone
    const StepTables six = minhop_tables(test::build(shape));
    RC_ASSERT(one.lfts == six.lfts);
  }));
}

}  // namespace
}  // namespace rch::engines::minhop
