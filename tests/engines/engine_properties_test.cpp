// Properties that hold for minhop, dor, updn and dnup with any of the options they
// share, on random graphs.

#include <algorithm>
#include <array>
#include <optional>
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
#include "support/property.h"
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

EngineResult route(const Situation& made) {
  const fabric::SubFabric view(made.fabric);
  const updn::Options& options = made.options;
  return made.engine == Engine::updn   ? updn::route(view, options)
         : made.engine == Engine::dnup ? updn::route_dnup(view, {options.connect_roots, options.ports})
         : made.engine == Engine::dor  ? dor::route(view, {options.ports})
                                       : minhop::route(view, {options.ports});
}

bool can_route(const Situation& made) { return route(made).has_value(); }

StepTables routed(const Situation& made) {
  auto result = route(made);
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
    if (!own_switch && port.peer.is_none()) continue;
    body(Lid(lid), own_switch ? *own_switch : *fabric.switch_id(fabric.port(port.peer).node));
  }
}

/// What the path of a packet costs: hops, or their weights.
unsigned cost(const Situation& made, const StepTables& tables, const std::vector<SwitchId>& path, Lid lid) {
  unsigned sum = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const PortId out = made.fabric.port_id(path[i], PortNum(tables.lfts.at(path[i], lid)));
    sum += tables.hops->weights.empty() ? 1 : tables.hops->weights[out.index()];
  }
  return sum;
}

/// The port lies on a minimal path to `to`.
bool is_minimal(const Situation& made, const StepTables& tables, SwitchId from, std::uint8_t port,
                SwitchId to) {
  if (port == kNoPath || port == 0) return false;
  for (const fabric::Neighbor& n : made.fabric.graph().neighbors(from))
    for (const fabric::SwitchLink& link : made.fabric.graph().links(n))
      if (link.out == PortNum(port)) {
        const PortId out = made.fabric.port_id(from, link.out);
        const unsigned weight = tables.hops->weights.empty() ? 1 : tables.hops->weights[out.index()];
        const std::uint8_t hops = tables.hops->at(from, to);
        return hops != HopMatrix::kUnknown && hops == tables.hops->at(n.sw, to) + weight;
      }
  return false;
}

class EngineProperties : public testing::TestWithParam<Engine> {};
class KeepingProperties : public testing::TestWithParam<Engine> {};

TEST_P(EngineProperties, RoutesArriveAndCostWhatTheMatrixSays) {
  EXPECT_TRUE(test::check([&] {
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
        // OpenSM's search may find a shorter path later than it tells the neighbors.
        if (path && exact) RC_ASSERT(cost(made, tables, *path, lid) == hops);
        if (path) RC_ASSERT(cost(made, tables, *path, lid) <= hops);
      }
    });
  }));
}

TEST_P(EngineProperties, ThreadsDoNotMatter) {
  EXPECT_TRUE(test::check([&] {
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

TEST_P(EngineProperties, WhatIsInstalledIsKept) {
  EXPECT_TRUE(test::check([&] {
    Situation made = any_situation(GetParam(), 25);
    const StepTables first = routed(made);
    const fabric::SubFabric view(made.fabric);
    const bool same_rules = *rc::gen::arbitrary<bool>();
    const common::ChangeSet changes(view, view);
    made.options.ports.installed = common::InstalledTables{&changes, &first.lfts, same_rules};
    RC_ASSERT(routed(made).lfts == first.lfts);
  }));
}

/// One part of a fabric goes, or comes back.
struct Incident {
  fabric::Fabric before, after;
};

enum class Part { cable, sw, host };

std::optional<Incident> incident(const fabric::Fabric& fabric, Part part, bool returns) {
  fabric::Faults faults{.seed = *rc::gen::arbitrary<std::uint64_t>(), .keep_connected = false};
  if (part == Part::cable) faults.random_links = *rc::gen::inRange(1U, 3U);
  if (part == Part::sw) faults.random_switches = 1;
  if (part == Part::host) {
    const fabric::EndPort& host =
        fabric.end_ports()[*rc::gen::inRange<std::size_t>(0, fabric.end_ports().size())];
    faults.links = {fmt::format("{}[{}]", fabric.node(host.sw).guid, host.attach)};
  }
  auto damaged = fabric::remove_parts(fabric, faults);
  if (!damaged) return std::nullopt;
  return returns ? Incident{std::move(damaged->fabric), fabric}
                 : Incident{fabric, std::move(damaged->fabric)};
}

/// Routes of `made` on the fabric after an incident, with those before it installed.
StepTables rerouted(Situation& made, const Incident& incident, const StepTables& installed, bool same_rules) {
  made.fabric = incident.after;
  const fabric::SubFabric before(incident.before), now(incident.after);
  const common::ChangeSet changes(before, now);
  made.options.ports.installed = common::InstalledTables{&changes, &installed.lfts, same_rules};
  StepTables tables = routed(made);
  made.options.ports.installed.reset();
  return tables;
}

/// Incremental rerouting gives what selecting every entry again gives; and with minhop no entry
/// moves that could stay.
TEST_P(EngineProperties, ReroutingTouchesWhatItMust) {
  EXPECT_TRUE(test::check([&] {
    Situation made = any_situation(GetParam(), 25);
    made.options.roots.resize(std::min<std::size_t>(made.options.roots.size(), 1));
    const auto changes = incident(made.fabric, *rc::gen::element(Part::cable, Part::sw, Part::host),
                                  *rc::gen::arbitrary<bool>());
    RC_PRE(changes.has_value());
    made.fabric = changes->before;
    RC_PRE(can_route(made));
    const StepTables first = routed(made);
    made.fabric = changes->after;
    RC_PRE(can_route(made));
    const StepTables fast = rerouted(made, *changes, first, true);
    const StepTables slow = rerouted(made, *changes, first, false);
    RC_ASSERT(fast.hops->hops == slow.hops->hops);
    RC_ASSERT(fast.remarks == slow.remarks);
    for_each_lid(made.fabric, [&](Lid lid, SwitchId to) {
      for (std::uint32_t s = 0; s < made.fabric.switch_count(); ++s) {
        const std::uint8_t is = fast.lfts.at(SwitchId(s), lid);
        RC_ASSERT(is == slow.lfts.at(SwitchId(s), lid));
        const auto before = changes->before.find_node(made.fabric.node(SwitchId(s)).guid);
        if (GetParam() != Engine::minhop || !before || lid > changes->before.max_lid()) continue;
        const std::uint8_t was = first.lfts.at(SwitchId(before->value), lid);
        if (was != is) RC_ASSERT(!is_minimal(made, fast, SwitchId(s), was, to));
      }
    });
  }));
}

/// What comes back finds the routes that it had, and while it was away nothing was written.
TEST_P(KeepingProperties, AHostThatWasAwayFindsItsRoutes) {
  EXPECT_TRUE(test::check([&] {
    Situation made = any_situation(GetParam(), 25);
    made.options.ports.scatter_ports = 0;
    RC_PRE(!made.fabric.end_ports().empty());
    const auto leaves = incident(made.fabric, Part::host, false);
    RC_PRE(leaves.has_value() && leaves->after.max_lid() == leaves->before.max_lid());
    const Incident returns{leaves->after, leaves->before};
    const StepTables first = routed(made);
    made.fabric = leaves->after;
    RC_PRE(can_route(made));
    const StepTables away = rerouted(made, *leaves, first, true);
    const StepTables back = rerouted(made, returns, away, true);
    RC_ASSERT(back.lfts == first.lfts);
    RC_ASSERT(away.lfts == first.lfts);
  }));
}

class UpDownProperties : public testing::TestWithParam<Engine> {};

TEST_P(UpDownProperties, NoCreditLoopWhateverTheOptions) {
  EXPECT_TRUE(test::check([&] {
    const Situation made = any_situation(GetParam(), 20);
    RC_ASSERT(test::credit_cycle(made.fabric, routed(made).lfts, true) == "");
  }));
}

/// Neighbours by which a port of the same cost leads towards `to`.
std::set<SwitchId> next_hops(const Situation& made, const StepTables& tables, SwitchId from, SwitchId to) {
  std::set<SwitchId> found;
  for (const fabric::Neighbor& n : made.fabric.graph().neighbors(from))
    if (tables.hops->at(from, to) == tables.hops->at(n.sw, to) + 1) found.insert(n.sw);
  return found;
}

TEST(LmcProperties, LidsOfAHostLeaveByAsManyNodesAsThereAre) {
  EXPECT_TRUE(test::check([] {
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
                  std::min(std::size_t{1} << host.lmc, next_hops(made, tables, sw, host.sw).size()));
      }
    }
  }));
}

/// A link that costs more than any path around it has no effect.
TEST(MinhopProperties, CablesOffAllShortestPathsDoNotMatter) {
  EXPECT_TRUE(test::check([] {
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
INSTANTIATE_TEST_SUITE_P(Engines, KeepingProperties, testing::Values(Engine::minhop, Engine::dor), name_of);
INSTANTIATE_TEST_SUITE_P(Engines, UpDownProperties, testing::Values(Engine::updn, Engine::dnup), name_of);

}  // namespace
}  // namespace rch::engines
