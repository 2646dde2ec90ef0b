#include "chains/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chain_fixture.h"
#include "chains/plan_file.h"
#include "chains/update.h"
#include "fabric/difference.h"
#include "fabric/fabric_builder.h"
#include "fabric/generator.h"
#include "support/small_fabrics.h"

namespace rch::chains {
namespace {

using test::plan_on;
using test::policy_of;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

/// Index of each event in the variant, phases left out.
struct Story {
  std::vector<std::size_t> events;
  Observer observer() {
    return [this](const Event& event) {
      if (!std::holds_alternative<PhaseFinished>(event)) events.push_back(event.index());
    };
  }
};

template <class E>
std::size_t index_of() {
  return []<class... All>(std::variant<All...>*) {
    std::size_t at = 0;
    (void)((std::is_same_v<E, All> || (++at, false)) || ...);
    return at;
  }(static_cast<Event*>(nullptr));
}

TEST(PlanOfPolicy, TellsItsEventsInOrder) {
  Story story;
  const auto made =
      plan_on(test::build(test::clos(4, 2, 2)), "routing_engine minhop\n", {}, story.observer());
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(made->verdict.clean());
  EXPECT_THAT(story.events,
              ElementsAre(index_of<LidsAssigned>(), index_of<PolicyBound>(), index_of<StepOutcome>(),
                          index_of<ChainFinished>(), index_of<GroupsRouted>(), index_of<TablesFinal>(),
                          index_of<Proven>()));
}

TEST(PlanOfPolicy, SameInputSamePlan) {
  const auto once = plan_on(test::build(test::clos(4, 2, 2)), "routing_engine minhop\n");
  const auto again = plan_on(test::build(test::clos(4, 2, 2)), "routing_engine minhop\n");
  ASSERT_TRUE(once && again);
  EXPECT_EQ(encode_plan(*once), encode_plan(*again));
}

// Nothing that the caller gave is alive any more when its plan is used.
TEST(PlanOfPolicy, OwnsWhatItRefersTo) {
  std::optional<Plan> kept;
  {
    const fabric::Fabric fabric = test::build(test::clos(4, 2, 2));
    auto made = plan_on(fabric, "routing_engine minhop\n");
    ASSERT_TRUE(made);
    kept = std::move(*made);
  }
  ASSERT_EQ(kept->configuration.size(), 1U);
  EXPECT_EQ(kept->configuration[0].file, "opensm.conf");
  const Plan copy = *kept;
  EXPECT_EQ(copy.fabric, kept->fabric);
  const auto proven = prove_again(copy, *kept->fabric, {});
  ASSERT_TRUE(proven);
  EXPECT_TRUE(proven->verdict.clean());
}

TEST(PlanOfPolicy, KeepsInstalledRoutes) {
  const fabric::Fabric fabric = test::build(test::clos(4, 2, 2));
  const auto installed = plan_on(fabric, "routing_engine minhop\n");
  ASSERT_TRUE(installed);
  Story story;
  const auto next = plan_on(fabric, "routing_engine minhop\n", {.installed = &*installed, .settings = {}},
                            story.observer());
  ASSERT_TRUE(next);
  EXPECT_TRUE(next->tables->lfts == installed->tables->lfts);
  EXPECT_THAT(story.events, testing::Contains(index_of<TablesCompared>()));
}

TEST(PlanOfPolicy, WithoutARoutingItIsUnroutable) {
  policy::Policy policy = *policy_of("routing_engine minhop\n");
  ASSERT_FALSE(policy.steps.empty());
  policy.steps.front().engine = "none";
  Diagnostics diagnostics;
  Story story;
  const auto made = plan(std::make_shared<const policy::Policy>(policy), test::build(test::clos(4, 2, 2)), {},
                         diagnostics, story.observer());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, ErrorKind::unroutable);
  EXPECT_EQ(story.events.back(), index_of<ChainFinished>());
}

fabric::Fabric ring() {
  return test::build({.hosts = {1, 1, 1, 1, 1}, .cables = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}});
}

// Shortest paths around a ring close a credit loop. dfsssp puts them on two virtual layers.
TEST(PlanOfPolicy, AFallbackTakesThePlaceOfAStepThatIsNotProven) {
  Story story;
  const auto made = plan_on(ring(), "routing_engine minhop,dfsssp\n", {}, story.observer());
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(test::outline(made->steps), "1 failed, 2 routed");
  EXPECT_EQ(made->steps[0].failure->rule, "credit-loop");
  EXPECT_TRUE(made->verdict.clean());
  EXPECT_EQ(std::ranges::count(story.events, index_of<ChainFinished>()), 1);
  EXPECT_EQ(std::ranges::count(story.events, index_of<Proven>()), 1);
}

// All pairs of hosts are safe. Packets to switches between them close a loop.
TEST(PlanOfPolicy, LoopsOfPacketsToSwitchesAskForAFallbackToo) {
  const fabric::Fabric fabric = test::build(test::random_shape(23, 8));
  const auto alone = plan_on(fabric, "routing_engine minhop\n");
  ASSERT_TRUE(alone && alone->verdict.clean() && !alone->verdict.switch_lids.sound());
  const auto made = plan_on(fabric, "routing_engine minhop,dfsssp\n");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(test::outline(made->steps), "1 failed, 2 routed");
  EXPECT_EQ(made->steps[0].failure->rule, kSwitchLids);
}

TEST(PlanOfPolicy, WhatIsAcceptedNeedsNoFallback) {
  policy::Settings settings;
  settings.accept = {"credit-loop"};
  const auto made =
      plan_on(ring(), "routing_engine minhop,dfsssp\n", {.installed = nullptr, .settings = settings});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(test::outline(made->steps), "1 routed, 2 not-needed");
}

// Two hosts on spines of different columns have no up-down path. It is found beside the rules of the engine,
// and a second plan changes none of these paths.
TEST(PlanOfPolicy, PairsThatAnEngineLeavesWithoutAPathGetOne) {
  using namespace fabric;
  for (const Topology& shape :
       {Topology(FatTree{4}), Topology(FatTree{6}), Topology(Clos{6, 4}), Topology(Dragonfly{5, 2, 2})})
    for (const bool aggregation : {false, true}) {
      GeneratorOptions options{.shape = shape, .hosts = 2, .shuffle = 1, .equipment = Equipment::all()};
      options.equipment.aggregation_nodes = aggregation;
      const Fabric made_of = std::move(generate(options)->fabric);
      const char* conf = "routing_engine dnup\n";
      const auto made = plan_on(made_of, conf);
      ASSERT_TRUE(made) << made.error().message;
      EXPECT_TRUE(made->verdict.clean()) << made->verdict.findings.front().message;
      const auto again = plan_on(made_of, conf, {.installed = &*made, .settings = {}});
      ASSERT_TRUE(again) << again.error().message;
      EXPECT_TRUE(again->verdict.clean());
      for (const EndPort& host : made->fabric->end_ports())
        for (std::uint32_t s = 0; s < made->fabric->switch_count(); ++s) {
          const std::uint8_t first = made->tables->lfts.at(SwitchId(s), host.lid);
          EXPECT_TRUE(first == kNoPath || again->tables->lfts.at(SwitchId(s), host.lid) == first);
        }
    }
}

// up*/down* has no path between many aggregation nodes of a dragonfly+. Those that join them by other rules
// close credit loops with the rest.
TEST(PlanOfPolicy, PairsThatGetNoPathAreSaidToHaveBeenTried) {
  const fabric::GeneratorOptions options{
      .shape = fabric::DragonflyPlus{4, 4, 4, 1}, .hosts = 2, .equipment = fabric::Equipment::all(3)};
  const auto made = plan_on(std::move(fabric::generate(options)->fabric), "routing_engine dnup\n");
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_FALSE(made->verdict.clean());
  EXPECT_EQ(made->verdict.findings.front().kind, verify::FindingKind::unreachable);
  EXPECT_THAT(made->steps.front().remarks, Contains(HasSubstr("no paths beside the rules of the engines")));
}

// The operator sees what is wrong with the last one.
TEST(PlanOfPolicy, WithoutAProvenFallbackNothingMayBeCommitted) {
  const auto made = plan_on(ring(), "routing_engine minhop,dor\n");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(test::outline(made->steps), "1 failed, 2 routed");
  EXPECT_FALSE(made->verdict.clean());
}

TEST(PlanOfPolicy, AnotherFabricIsForbidden) {
  const auto made = plan_on(test::build(test::clos(4, 2, 2)), "routing_engine minhop\n");
  ASSERT_TRUE(made);
  Story story;
  const auto proven = prove_again(*made, test::build(test::clos(3, 2, 2)), {}, story.observer());
  ASSERT_FALSE(proven);
  EXPECT_EQ(proven.error().kind, ErrorKind::forbidden);
  EXPECT_THAT(story.events, ElementsAre(index_of<FabricDiffers>()));
}

/// The fabric without what `edit` takes away.
fabric::Fabric without(const fabric::Fabric& fabric,
                       const std::function<void(fabric::FabricBuilder&)>& edit) {
  fabric::FabricBuilder builder(fabric);
  edit(builder);
  return *std::move(builder).build();
}

fabric::FabricBuilder::Handle handle_of(const fabric::FabricBuilder& builder, const fabric::Fabric& fabric,
                                        NodeId node) {
  return *builder.find(fabric.node(node).guid);
}

TEST(PlanOfPolicy, JoinedGroupsStayWithTheMembersThatAreLeft) {
  const fabric::Fabric whole = test::build(test::clos(4, 2, 2));
  auto found = plan_on(whole, "routing_engine minhop\n");
  ASSERT_TRUE(found);
  const std::size_t planned = found->tables->groups.size();
  const Lid joined(0xC123);
  auto tables = std::make_shared<fabric::RoutingTables>();
  const auto& ends = whole.end_ports();
  tables->groups.push_back({joined, 0, {ends[0].port, ends[3].port, ends[5].port}, {}});
  std::ranges::sort(tables->groups.back().members);
  found->tables = tables;
  found->joined = {joined};
  const NodeId lost = whole.port(ends[3].port).node;
  const fabric::Fabric rest = without(
      whole, [&](fabric::FabricBuilder& builder) { builder.remove(handle_of(builder, whole, lost)); });
  const auto first = plan_on(whole, "routing_engine updn\n", {.found = &*found, .settings = {}});
  ASSERT_TRUE(first);
  ASSERT_EQ(first->tables->groups.size(), planned + 1);
  EXPECT_EQ(first->tables->groups.back().members, tables->groups.back().members);
  const auto next = plan_on(rest, "routing_engine updn\n", {.installed = &*first, .settings = {}});
  ASSERT_TRUE(next);
  EXPECT_TRUE(next->verdict.clean());
  ASSERT_EQ(next->tables->groups.back().mlid, joined);
  EXPECT_EQ(next->tables->groups.back().members.size(), 2U);
  EXPECT_FALSE(next->tables->groups.back().ports.empty());
  EXPECT_EQ(next->joined, found->joined);
}

// The proof holds no packets to a host that is absent: its old entries and new ones of others could close a
// credit loop.
TEST(PlanOfPolicy, EntriesOfAnAbsentHostGoWhenOthersAreRoutedAnew) {
  const fabric::Fabric whole = test::build(test::clos(4, 2, 2));
  const auto installed = plan_on(whole, "routing_engine minhop\n");
  ASSERT_TRUE(installed);
  const PortId host = whole.end_ports()[3].port;
  const Lid absent = installed->fabric->port(host).lid;
  const auto entries_without = [&](std::optional<SwitchId> spine) {
    const fabric::Fabric rest = without(whole, [&](fabric::FabricBuilder& builder) {
      builder.remove(handle_of(builder, whole, whole.port(host).node));
      if (spine) builder.remove(handle_of(builder, whole, fabric::Fabric::node_id(*spine)));
    });
    const auto next = plan_on(rest, "routing_engine minhop\n", {.installed = &*installed, .settings = {}});
    EXPECT_TRUE(next && next->verdict.clean());
    std::size_t entries = 0;
    for (std::uint32_t s = 0; s < rest.switch_count(); ++s)
      entries += next->tables->lfts.at(SwitchId(s), absent) != kNoPath ? 1 : 0;
    return entries;
  };
  SwitchId spine(0);
  while (!whole.end_ports_of(spine).empty()) ++spine.value;
  EXPECT_EQ(entries_without(std::nullopt), whole.switch_count()) << "nothing else is routed anew";
  EXPECT_EQ(entries_without(spine), 0U);
}

// The line `changed` stands beside the blocks that are written.
TEST(PlanOfPolicy, TheChangesThatAreToldCountEntriesOfAbsentHosts) {
  const fabric::Fabric whole = test::build(test::clos(4, 2, 2));
  SwitchId spine(0);
  while (!whole.end_ports_of(spine).empty()) ++spine.value;
  const PortId host = whole.end_ports()[3].port;
  for (const char* engine : {"minhop", "dfsssp"}) {
    const std::string conf = std::string("routing_engine ") + engine + "\n";
    const auto installed = plan_on(whole, conf);
    ASSERT_TRUE(installed);
    const fabric::Fabric rest = without(whole, [&](fabric::FabricBuilder& builder) {
      builder.remove(handle_of(builder, whole, whole.port(host).node));
      builder.remove(handle_of(builder, whole, fabric::Fabric::node_id(spine)));
    });
    std::optional<fabric::TableChanges> told;
    const auto next =
        plan_on(rest, conf, {.installed = &*installed, .settings = {}}, [&](const Event& event) {
          if (const auto* compared = std::get_if<TablesCompared>(&event)) told = compared->changes;
        });
    ASSERT_TRUE(next && told);
    const fabric::TableChanges written =
        fabric::table_changes(*installed->fabric, installed->tables->lfts, *next->fabric, next->tables->lfts);
    const Lid absent = installed->fabric->port(host).lid;
    EXPECT_EQ(next->tables->lfts.at(SwitchId(0), absent), kNoPath) << engine;
    EXPECT_EQ(told->entries, written.entries) << engine;
    EXPECT_EQ(told->blocks, written.blocks) << engine;
  }
}

// updn finds the spines by itself. One that lost a cable does not look like a root any more, and stays one:
// only what went by the cable changes.
TEST(PlanOfPolicy, FoundRootsStayRoots) {
  const fabric::Fabric whole = test::build(test::clos(8, 4, 3));
  const SwitchId leaf(0), spine(9);
  const auto without_cable = [&](SwitchId from, SwitchId to) {
    return without(whole, [&](fabric::FabricBuilder& builder) {
      for (unsigned p = 1; p <= whole.node(from).num_ports; ++p) {
        const PortNum number(static_cast<std::uint8_t>(p));
        const PortId peer = whole.port(whole.port_id(from, number)).peer;
        if (!peer.is_none() && whole.port(peer).node == fabric::Fabric::node_id(to))
          builder.disconnect(handle_of(builder, whole, fabric::Fabric::node_id(from)), number);
      }
    });
  };
  ASSERT_FALSE(whole.end_ports_of(leaf).empty());
  ASSERT_TRUE(whole.end_ports_of(spine).empty());
  const auto first = plan_on(whole, "routing_engine updn\n");
  ASSERT_TRUE(first);
  ASSERT_EQ(first->steps.front().found_roots.size(), 4U);
  const fabric::Fabric cut = without_cable(leaf, spine);
  const auto next = plan_on(cut, "routing_engine updn\n", {.installed = &*first, .settings = {}});
  ASSERT_TRUE(next && next->verdict.clean());
  EXPECT_EQ(next->steps.front().found_roots, first->steps.front().found_roots);
  const auto concerns = [&](SwitchId sw) { return sw == leaf || sw == spine; };
  for (std::uint32_t s = 0; s < whole.switch_count(); ++s)
    for (std::uint16_t l = 1; l <= whole.max_lid().value; ++l) {
      const PortId owner = *whole.lid_owner(Lid(l));
      const NodeId at = whole.is_switch(whole.port(owner).node) ? whole.port(owner).node
                                                                : whole.port(whole.port(owner).peer).node;
      if (concerns(SwitchId(s)) || concerns(SwitchId(at.value))) continue;
      EXPECT_EQ(next->tables->lfts.at(SwitchId(s), Lid(l)), first->tables->lfts.at(SwitchId(s), Lid(l)))
          << "switch " << s << " LID " << l;
    }
  const auto other = plan_on(without_cable(SwitchId(1), SwitchId(10)), "routing_engine updn\n",
                             {.installed = &*next, .settings = {}});
  ASSERT_TRUE(other && other->verdict.clean());
  EXPECT_EQ(other->steps.front().found_roots, first->steps.front().found_roots);
}

TEST(PlanOfPolicy, GoesOnWithoutALostHost) {
  const fabric::Fabric whole = test::build(test::clos(4, 2, 2));
  const auto made = plan_on(whole, "routing_engine minhop\nqos TRUE\n");
  ASSERT_TRUE(made);
  const NodeId lost = whole.port(whole.end_ports()[3].port).node;
  const fabric::Fabric rest = without(
      whole, [&](fabric::FabricBuilder& builder) { builder.remove(handle_of(builder, whole, lost)); });
  Story story;
  const auto proven = prove_again(*made, rest, {}, story.observer());
  ASSERT_TRUE(proven) << proven.error().message;
  EXPECT_TRUE(proven->verdict.clean());
  EXPECT_EQ(proven->verdict.pairs, 7U * 6U);
  EXPECT_TRUE(proven->tables->lfts == made->tables->lfts) << "no entry changes";
  EXPECT_EQ(proven->fabric->fingerprint(), rest.fingerprint());
  for (std::uint32_t p = 0; p < rest.ports().size(); ++p) {
    const auto then = fabric::counterpart(*made->fabric, rest, rest.port(PortId(p)));
    ASSERT_TRUE(then);
    EXPECT_EQ(proven->fabric->port(PortId(p)).lid, made->fabric->port(*then).lid);
    const auto *now_at = proven->tables->arbitration.at(PortId(p)),
               *then_at = made->tables->arbitration.at(*then);
    EXPECT_EQ(now_at == nullptr, then_at == nullptr);
    if (now_at != nullptr && then_at != nullptr) {
      EXPECT_EQ(*now_at, *then_at);
    }
  }
  for (std::size_t g = 0; g < made->tables->groups.size(); ++g) {
    const auto &now = proven->tables->groups[g], &then = made->tables->groups[g];
    EXPECT_EQ(now.members.size() + 1, then.members.size());
    EXPECT_EQ(now.ports.size() + 1, then.ports.size());
  }
  EXPECT_THAT(story.events, testing::Contains(index_of<FabricDiffers>()));
}

TEST(PlanOfPolicy, DoesNotGoOnWithoutACableOrWithANewHost) {
  const fabric::Fabric whole = test::build(test::clos(4, 2, 2));
  const auto made = plan_on(whole, "routing_engine minhop\n");
  ASSERT_TRUE(made);
  const fabric::Fabric cut = without(whole, [&](fabric::FabricBuilder& builder) {
    builder.disconnect(handle_of(builder, whole, fabric::Fabric::node_id(SwitchId(0))), PortNum(3));
  });
  ASSERT_NE(cut.graph().link_ends(), whole.graph().link_ends());
  EXPECT_FALSE(prove_again(*made, cut, {}));

  const NodeId lost = whole.port(whole.end_ports()[3].port).node;
  const fabric::Fabric fewer = without(
      whole, [&](fabric::FabricBuilder& builder) { builder.remove(handle_of(builder, whole, lost)); });
  const auto small = plan_on(fewer, "routing_engine minhop\n");
  ASSERT_TRUE(small);
  EXPECT_FALSE(prove_again(*small, whole, {}));
}

// Rings route round a cycle: the finding can be accepted, and its update is not judged then.
TEST(PlanOfPolicy, AcceptedLoopsAreNotJudged) {
  const fabric::Fabric fabric = ring();
  const auto refused = plan_on(fabric, "routing_engine minhop\n");
  ASSERT_TRUE(refused);
  EXPECT_FALSE(refused->verdict.clean());
  policy::Settings settings;
  settings.accept = {"credit-loop"};
  const auto accepted =
      plan_on(fabric, "routing_engine minhop\n", {.installed = nullptr, .settings = settings});
  ASSERT_TRUE(accepted);
  EXPECT_TRUE(accepted->verdict.clean());
  Story story;
  preview_update(*accepted, *accepted, story.observer());
  EXPECT_THAT(story.events, ElementsAre(index_of<UpdateNotJudged>()));
}

}  // namespace
}  // namespace rch::chains
