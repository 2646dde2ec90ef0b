// Properties of routing-engines 15.1 that hold for minhop, dor, updn and dnup with any of the options they
// share, on random graphs.

#include <algorithm>
#include <array>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <tbb/global_control.h>

#include "drawn_options.h"
#include "engines/common/distances.h"
#include "engines/dor/dor.h"
#include "engines/minhop/minhop.h"
#include "engines/updn/updn.h"
#include "fabric/faults.h"
#include "support/small_fabrics.h"
#include "table_judge.h"

namespace rch::engines {
namespace {

enum class Engine { minhop, dor, updn, dnup };

/// A random fabric and options for one engine.
struct Situation {
  Engine engine;
  fabric::Fabric fabric;
  updn::Options options;
};

Situation any_situation(Engine engine, std::uint32_t max_switches) {
  test::Shape shape = test::random_shape(*rc::gen::arbitrary<std::uint64_t>(), max_switches);
  shape.lmc = *rc::gen::inRange<std::uint8_t>(0, 4);
  shape.hosts.front() = std::max(shape.hosts.front(), 1U);  // dnup needs a leaf
  Situation made{engine, test::build(shape), {}};
  fabric::Random random(*rc::gen::arbitrary<std::uint64_t>());
  test::DrawnNames names(random, made.fabric);
  made.options.ports = names.port_options();
  made.options.roots = names.roots();
  made.options.ids = names.ids();
  return made;
}

StepTables routed(const Situation& made) {
  const fabric::SubFabric view(made.fabric);
  const updn::Options& options = made.options;
  auto result = made.engine == Engine::updn   ? updn::route(view, options)
                : made.engine == Engine::dnup ? updn::route_dnup(view, {options.connect_roots, options.ports})
                : made.engine == Engine::dor  ? dor::route(view, {options.ports})
                                              : minhop::route(view, {options.ports});
  RC_ASSERT(result.has_value());
  return std::move(*result);
}

/// Every LID of an end port, with the switch that the port is or hangs on.
template <class Body>
void for_each_lid(const fabric::Fabric& fabric, Body&& body) {
  for (std::uint16_t lid = 1; lid <= fabric.max_lid().value; ++lid) {
    const auto owner = fabric.lid_owner(Lid(lid));
    if (!owner) continue;
    const fabric::Port& port = fabric.port(*owner);
    const auto own_switch = fabric.switch_id(port.node);
    body(Lid(lid), own_switch ? *own_switch : *fabric.switch_id(fabric.port(port.peer).node));
  }
}

/// What the way of a packet costs: hops, or their weights.
unsigned cost(const Situation& made, const StepTables& tables, const std::vector<SwitchId>& path, Lid lid) {
  unsigned sum = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const PortId out = made.fabric.port_id(path[i], PortNum(tables.lfts.at(path[i], lid)));
    sum += tables.hops->weights.empty() ? 1 : tables.hops->weights[out.index()];
  }
  return sum;
}

/// The port is one by which the way to `to` may go on.
bool leads_on(const Situation& made, const StepTables& tables, SwitchId from, std::uint8_t port,
              SwitchId to) {
  if (port == kNoPath || port == 0) return false;
  for (const fabric::Neighbor& n : made.fabric.graph().neighbors(from))
    for (const fabric::SwitchLink& link : made.fabric.graph().links(n))
      if (link.out == PortNum(port)) {
        const PortId out = made.fabric.port_id(from, link.out);
        const unsigned weight = tables.hops->weights.empty() ? 1 : tables.hops->weights[out.index()];
        return tables.hops->at(from, to) == tables.hops->at(n.sw, to) + weight;
      }
  return false;
}

class EngineProperties : public testing::TestWithParam<Engine> {};

TEST_P(EngineProperties, RoutesArriveAndCostWhatTheMatrixSays) {  // P1, P2
  EXPECT_TRUE(rc::check([&] {
    Situation made = any_situation(GetParam(), 25);
    made.options.ports.compat = *rc::gen::arbitrary<bool>();
    made.options.connect_roots = *rc::gen::arbitrary<bool>();
    const StepTables tables = routed(made);
    const bool exact =
        !made.options.ports.compat || GetParam() == Engine::minhop || GetParam() == Engine::dor;
    for_each_lid(made.fabric, [&](Lid lid, SwitchId to) {
      for (std::uint32_t s = 0; s < made.fabric.switch_count(); ++s) {
        const std::uint8_t hops = tables.hops->at(SwitchId(s), to);
        const auto path = test::path(made.fabric, tables.lfts, SwitchId(s), lid);
        RC_ASSERT(path.has_value() == (hops != HopMatrix::kUnknown));
        // OpenSM's search may find a shorter way later than it tells the neighbours.
        if (path && exact) RC_ASSERT(cost(made, tables, *path, lid) == hops);
        if (path) RC_ASSERT(cost(made, tables, *path, lid) <= hops);
      }
    });
  }));
}

TEST_P(EngineProperties, ThreadsDoNotMatter) {  // P5
  EXPECT_TRUE(rc::check([&] {
    Situation made = any_situation(GetParam(), 60);
    made.options.ports.compat = *rc::gen::arbitrary<bool>();
    const auto with_threads = [&](std::size_t n) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, n);
      return routed(made);
    };
    const StepTables one = with_threads(1), two = with_threads(2);
    RC_ASSERT(one.lfts == two.lfts);
    RC_ASSERT(one.hops->hops == two.hops->hops);
    RC_ASSERT(one.remarks == two.remarks);
  }));
}

TEST_P(EngineProperties, WhatIsHeldIsKept) {  // P6
  EXPECT_TRUE(rc::check([&] {
    Situation made = any_situation(GetParam(), 25);
    const StepTables first = routed(made);
    const fabric::SubFabric view(made.fabric);
    const bool same_rules = *rc::gen::arbitrary<bool>();
    made.options.ports.held = common::InForce{&view, &first.lfts, same_rules};
    RC_ASSERT(routed(made).lfts == first.lfts);
  }));
}

/// Looking only where something has changed gives what looking everywhere does; and with minhop no entry
/// moves that could stay.
TEST_P(EngineProperties, ReroutingTouchesWhatItMust) {  // T7
  EXPECT_TRUE(rc::check([&] {
    Situation made = any_situation(GetParam(), 25);
    const StepTables first = routed(made);
    const fabric::Fabric before = made.fabric;
    const auto damaged = fabric::remove_parts(
        before, {.random_links = 1, .seed = *rc::gen::arbitrary<std::uint64_t>(), .keep_connected = false});
    RC_PRE(damaged.has_value());
    made.fabric = damaged->fabric;
    const fabric::SubFabric view(before);
    made.options.ports.held = common::InForce{&view, &first.lfts, true};
    const StepTables fast = routed(made);
    made.options.ports.held->same_rules = false;
    const StepTables slow = routed(made);
    RC_ASSERT(fast.lfts == slow.lfts);
    if (GetParam() != Engine::minhop || made.fabric.switch_count() != before.switch_count()) return;
    for_each_lid(made.fabric, [&](Lid lid, SwitchId to) {
      for (std::uint32_t s = 0; s < made.fabric.switch_count(); ++s) {
        const std::uint8_t was = first.lfts.at(SwitchId(s), lid), is = fast.lfts.at(SwitchId(s), lid);
        if (was != is) RC_ASSERT(!leads_on(made, fast, SwitchId(s), was, to));
      }
    });
  }));
}

class UpDownProperties : public testing::TestWithParam<Engine> {};

TEST_P(UpDownProperties, NoCreditLoopWhateverTheOptions) {  // P3
  EXPECT_TRUE(rc::check([&] {
    const Situation made = any_situation(GetParam(), 20);
    RC_ASSERT(test::credit_cycle(made.fabric, routed(made).lfts, true) == "");
  }));
}

/// Neighbours by which a port of the same cost leads towards `to`.
std::set<SwitchId> ways(const Situation& made, const StepTables& tables, SwitchId from, SwitchId to) {
  std::set<SwitchId> found;
  for (const fabric::Neighbor& n : made.fabric.graph().neighbors(from))
    if (tables.hops->at(from, to) == tables.hops->at(n.sw, to) + 1) found.insert(n.sw);
  return found;
}

TEST(LmcProperties, LidsOfAHostLeaveByAsManyNodesAsThereAre) {
  EXPECT_TRUE(rc::check([] {
    Situation made = any_situation(Engine::minhop, 20);
    made.options.ports = {.port_shifting = *rc::gen::arbitrary<bool>()};
    const StepTables tables = routed(made);
    for (const fabric::EndPort& host : made.fabric.end_ports()) {
      RC_ASSERT(host.lid.value % (1U << host.lmc) == 0U);
      for (std::uint32_t s = 0; s < made.fabric.switch_count(); ++s) {
        const SwitchId sw(s);
        if (sw == host.sw || tables.hops->at(sw, host.sw) == HopMatrix::kUnknown) continue;
        std::set<SwitchId> used;
        for (std::uint16_t k = 0; k < 1U << host.lmc; ++k) {
          const std::uint8_t out = tables.lfts.at(sw, Lid(static_cast<std::uint16_t>(host.lid.value + k)));
          const PortId peer = made.fabric.port(made.fabric.port_id(sw, PortNum(out))).peer;
          used.insert(*made.fabric.switch_id(made.fabric.port(peer).node));
        }
        RC_ASSERT(used.size() ==
                  std::min(std::size_t{1} << host.lmc, ways(made, tables, sw, host.sw).size()));
      }
    }
  }));
}

/// A cable that costs more than any way round it might as well not be there.
TEST(MinhopProperties, CablesOffAllShortestPathsDoNotMatter) {  // P8
  EXPECT_TRUE(rc::check([] {
    test::Shape shape = test::random_shape(*rc::gen::arbitrary<std::uint64_t>(), 20);
    RC_PRE(!shape.cables.empty());
    const test::Cable last = shape.cables.back();  // the highest port of both its switches
    const fabric::Fabric with = test::build(shape);
    shape.cables.pop_back();
    const fabric::Fabric without = test::build(shape);
    RC_PRE(common::distances(without.graph()).at(SwitchId(last.a), SwitchId(last.b)) != HopMatrix::kUnknown);
    minhop::Options options;
    for (std::uint32_t s : {last.a, last.b})
      options.ports.hop_weights.push_back(
          {{with.node(SwitchId(s)).guid, PortNum(with.node(SwitchId(s)).num_ports)}, 200});
    const auto one = minhop::route(fabric::SubFabric(with), options);
    const auto other = minhop::route(fabric::SubFabric(without), {});
    RC_ASSERT(one->lfts == other->lfts);
  }));
}

std::string name_of(const testing::TestParamInfo<Engine>& param) {
  constexpr std::array<const char*, 4> kNames{"minhop", "dor", "updn", "dnup"};
  return kNames[static_cast<std::size_t>(param.param)];
}
INSTANTIATE_TEST_SUITE_P(Engines, EngineProperties,
                         testing::Values(Engine::minhop, Engine::dor, Engine::updn, Engine::dnup), name_of);
INSTANTIATE_TEST_SUITE_P(Engines, UpDownProperties, testing::Values(Engine::updn, Engine::dnup), name_of);

}  // namespace
}  // namespace rch::engines
