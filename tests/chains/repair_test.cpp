// Repairs against definitions: which packets arrive is found here by walking the tables.

#include "chains/repair.h"

#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <utility>
#include <variant>

#include "chain_fixture.h"
#include "chains/update.h"
#include "fabric/fabric_builder.h"
#include "fabric/generator.h"
#include "fabric/parts.h"
#include "fabric/random.h"
#include "support/small_fabrics.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using test::plan_on;

/// The fabric after cables between switches were pulled, by one port of each.
Fabric with_cables_pulled(const Fabric& fabric, const std::vector<PortId>& cables) {
  fabric::FabricBuilder builder(fabric);
  for (const PortId cable : cables) {
    const fabric::Port& port = fabric.port(cable);
    builder.disconnect(*builder.find(fabric.node(port.node).guid), port.number);
  }
  return *std::move(builder).build();
}

std::vector<PortId> cables_between_switches(const Fabric& fabric) {
  std::vector<PortId> cables;
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
    const fabric::Port& port = fabric.port(PortId(p));
    if (!port.peer.is_none() && port.peer.value > p && fabric.is_switch(port.node) &&
        fabric.is_switch(fabric.port(port.peer).node))
      cables.emplace_back(p);
  }
  return cables;
}

/// True if a packet that a switch has for a LID gets to the port that has it.
bool gets_there(const Fabric& fabric, const fabric::ForwardingTables& lfts, SwitchId from, Lid lid) {
  const PortId goal = *fabric.lid_owner(lid);
  SwitchId at = from;
  for (std::size_t hops = 0; hops <= fabric.switch_count(); ++hops) {
    const std::uint8_t out = lfts.at(at, lid);
    if (out == 0) return fabric.port_id(at, PortNum(0)) == goal;
    if (out > fabric.node(at).num_ports) return false;
    const PortId peer = fabric.port(fabric.port_id(at, PortNum(out))).peer;
    if (peer.is_none()) return false;
    if (peer == goal) return true;
    const auto next = fabric.switch_id(fabric.port(peer).node);
    if (!next) return false;
    at = *next;
  }
  return false;
}

/// Cables lead from the switch to the port that has the LID.
bool are_joined(const Fabric& fabric, SwitchId from, Lid lid) {
  const fabric::Port& port = fabric.port(*fabric.lid_owner(lid));
  const auto to = fabric.switch_id(fabric.is_switch(port.node) ? port.node : fabric.port(port.peer).node);
  const fabric::Parts parts = fabric::parts(fabric.graph());
  return parts.of[from.index()] == parts.of[to->index()];
}

/// True if no LID is without a path while the target is written.
bool drains_nothing(const Plan& installed, const Plan& target) {
  bool nothing = true;
  preview_update(installed, target, [&](const Event& event) {
    if (const auto* const planned = std::get_if<UpdatePlanned>(&event))
      nothing = planned->plan.drained.empty() && !planned->plan.only_static;
  });
  return nothing;
}

/// Judges one repair. Returns how many pairs of hosts that cables join it left without a path.
std::size_t judge(const Plan& installed, const Fabric& cut, const std::string& conf, bool regroups) {
  const auto made =
      plan_on(cut, conf, {.installed = &installed, .settings = {}, .repairs = true, .regroups = regroups});
  if (!made) return 0;
  EXPECT_TRUE(made->verdict.clean());
  for (const verify::Finding& finding : made->verdict.findings) {
    EXPECT_NE(finding.kind, verify::FindingKind::loop);
    EXPECT_NE(finding.kind, verify::FindingKind::credit_loop);
  }
  EXPECT_TRUE(made->verdict.switch_lids.sound() || !installed.verdict.switch_lids.sound());
  const fabric::ForwardingTables &before = installed.tables->lfts, &after = made->tables->lfts;
  std::size_t left = 0;
  for (std::uint32_t s = 0; s < cut.switch_count(); ++s)
    for (std::uint16_t l = 1; l <= cut.max_lid().value; ++l) {
      const SwitchId sw(s);
      const Lid lid(l);
      if (!cut.lid_owner(lid)) continue;
      if (!are_joined(cut, sw, lid)) continue;
      if (gets_there(cut, before, sw, lid)) {
        EXPECT_EQ(after.at(sw, lid), before.at(sw, lid)) << "what arrives is left alone";
      } else if (!cut.end_ports_of(sw).empty() && !cut.is_switch(cut.port(*cut.lid_owner(lid)).node)) {
        left += gets_there(cut, after, sw, lid) ? 0 : cut.end_ports_of(sw).size();
      }
    }
  EXPECT_EQ(made->left_pairs > 0, left > 0);
  const Plan* const previous = &installed;
  EXPECT_TRUE(judge_update(installed, *made, {&previous, 1}, false, {})) << "traffic need not be stopped";
  return left;
}

// Installed entries that lead to the lost cable close cycles with new paths until they are replaced. Then a
// further repair restores what the first one leaves, and no traffic is stopped for either.
TEST(Repairs, RestoreInTwoStepsWhatOneCannot) {
  fabric::GeneratorOptions shape;
  shape.shape = fabric::Dragonfly{9, 4, 2};
  shape.hosts = 2;
  shape.shuffle = 3;
  const Fabric whole = fabric::generate(shape)->fabric;
  const std::string conf = "routing_engine dfsssp\nqos TRUE\n";
  const auto installed = plan_on(whole, conf);
  ASSERT_TRUE(installed && installed->verdict.clean());
  const std::vector<PortId> cables = cables_between_switches(whole);
  std::size_t twice = 0;
  for (std::size_t i = 0; i < cables.size(); i += 2) {
    const Fabric cut = with_cables_pulled(whole, {cables[i]});
    const auto first = plan_on(cut, conf, {.installed = &*installed, .settings = {}, .repairs = true});
    if (!first || first->left_pairs == 0) continue;
    ++twice;
    const auto second = plan_on(cut, conf, {.installed = &*first, .settings = {}, .repairs = true});
    ASSERT_TRUE(second && second->verdict.clean());
    EXPECT_EQ(second->lost_pairs, first->left_pairs);
    EXPECT_EQ(second->left_pairs, 0U);
    EXPECT_TRUE(drains_nothing(*installed, *first) && drains_nothing(*first, *second));
  }
  EXPECT_GT(twice, 1U);
}

/// The fabric after two cables between switches exchanged their second ends; nothing if one would lead back.
std::optional<Fabric> with_cables_exchanged(const Fabric& fabric, PortId one, PortId other) {
  const auto end = [&](PortId id) {
    return std::pair(fabric.node(fabric.port(id).node).guid, fabric.port(id).number);
  };
  const PortId far = fabric.port(one).peer, other_far = fabric.port(other).peer;
  fabric::FabricBuilder builder(with_cables_pulled(fabric, {one, other}));
  for (const auto& [a, b] : {std::pair(one, other_far), std::pair(other, far)}) {
    if (end(a).first == end(b).first) return std::nullopt;
    builder.connect(*builder.find(end(a).first), end(a).second, *builder.find(end(b).first), end(b).second);
  }
  return *std::move(builder).build();
}

// Multicast trees end where cables were exchanged: no repair is refused because of what they would close.
TEST(Repairs, EndMulticastTreesAtExchangedCables) {
  fabric::GeneratorOptions shape;
  shape.shape = fabric::Dragonfly{9, 4, 2};
  shape.hosts = 2;
  shape.shuffle = 3;
  const Fabric whole = fabric::generate(shape)->fabric;
  const std::string conf = "routing_engine dfsssp\n";
  const auto installed = plan_on(whole, conf);
  ASSERT_TRUE(installed && installed->verdict.clean() && !installed->tables->groups.empty());
  const std::vector<PortId> cables = cables_between_switches(whole);
  std::size_t repaired = 0;
  for (std::size_t i = 0; i < cables.size() / 2; i += 3) {
    const auto now = with_cables_exchanged(whole, cables[i], cables[cables.size() - 1 - i]);
    if (!now) continue;
    const auto made = plan_on(*now, conf, {.installed = &*installed, .settings = {}, .repairs = true});
    if (!made) continue;
    ++repaired;
    EXPECT_TRUE(made->verdict.clean()) << i;
    for (const verify::Finding& finding : made->verdict.findings)
      EXPECT_NE(finding.kind, verify::FindingKind::credit_loop) << i << " " << finding.message;
  }
  EXPECT_GT(repaired, 5U);
}

// Whatever cable of a tree fails: the repair restores all of its paths, and it is there.
TEST(Repairs, RestoreEveryCableOfATree) {
  const Fabric whole = test::build(test::clos(6, 3, 2));
  for (const char* conf : {"routing_engine minhop\n", "routing_engine updn\n", "routing_engine ftree\n"}) {
    const auto installed = plan_on(whole, conf);
    ASSERT_TRUE(installed && installed->verdict.clean());
    for (const PortId cable : cables_between_switches(whole)) {
      const Fabric cut = with_cables_pulled(whole, {cable});
      EXPECT_TRUE(plan_on(cut, conf, {.installed = &*installed, .settings = {}, .repairs = true})) << conf;
      EXPECT_EQ(judge(*installed, cut, conf, false), 0U);
    }
  }
}

// A switch with hosts lost all of its cables, and another one some: what cables still join is restored, and
// the hosts that are cut off are not counted as pairs that the repair leaves without a path.
TEST(Repairs, RestoreWhatCablesJoinWhereASwitchIsCutOff) {
  const Fabric whole = test::build(test::clos(4, 2, 2));
  const char* conf = "routing_engine updn\n";
  const auto installed = plan_on(whole, conf);
  ASSERT_TRUE(installed);
  const auto up = [&](std::uint32_t leaf, std::uint8_t port) {
    return whole.port_id(SwitchId(leaf), PortNum(port));
  };
  const Fabric cut = with_cables_pulled(whole, {up(0, 3), up(0, 4), up(1, 3)});
  const auto made = plan_on(cut, conf, {.installed = &*installed, .settings = {}, .repairs = true});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_GT(made->lost_pairs, 0U);
  EXPECT_LE(made->lost_pairs, 2U * 2 * 4);
  EXPECT_EQ(made->left_pairs, 0U);
}

// A repair goes by the installed configuration. After a reload its findings are those of other texts.
TEST(Repairs, TellNoFindingsOfTheInstalledConfiguration) {
  const Fabric whole = test::build(test::clos(4, 2, 2));
  const test::ScratchFolder folder;
  std::ofstream(folder.file("list")) << "0x9,1,0x8,1,Any,Active\n";
  const auto before =
      test::policy_of("routing_engine minhop\ntopo_config_file " + folder.file("list") + "\n");
  Diagnostics told, told_of_repair;
  const auto installed = plan(before, whole, {}, told);
  ASSERT_TRUE(installed) << installed.error().message;
  EXPECT_FALSE(told.all().empty());
  const Fabric cut = with_cables_pulled(whole, {cables_between_switches(whole).front()});
  const PlanRequest request{.installed = &*installed, .settings = {}, .repairs = true};
  const auto made = plan(test::policy_of("routing_engine updn\n"), cut, request, told_of_repair);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(told_of_repair.all().empty());
}

TEST(Repairs, ThereIsNothingToRepairOnTheSameFabric) {
  const Fabric whole = test::build(test::clos(4, 2, 2));
  const auto installed = plan_on(whole, "routing_engine updn\n");
  ASSERT_TRUE(installed);
  const auto made =
      plan_on(whole, "routing_engine updn\n", {.installed = &*installed, .settings = {}, .repairs = true});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, kNothingToRepair);
}

// A manager that starts again has the plan, and a configuration that has none of its own: of the policy
// before no more is known than the file says.
TEST(Repairs, NeedNoPolicyOfAPlanThatWasRead) {
  const Fabric whole = test::build(test::clos(4, 2, 2));
  const auto made = plan_on(whole, "routing_engine updn\nmax_op_vls 3\n");
  ASSERT_TRUE(made && made->verdict.clean());
  Plan read = *made;
  read.bound = nullptr;
  read.channels = nullptr;
  read.dependencies = nullptr;
  const char* other = "routing_engine ftree\nmax_op_vls 2\n";
  const PlanRequest request{.installed = &read, .settings = {}, .repairs = true, .regroups = true};
  const auto same = plan_on(whole, other, request);
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_EQ(same->tables->lfts, read.tables->lfts);
  EXPECT_EQ(same->tables->groups.size(), read.tables->groups.size());
  EXPECT_EQ(same->configuration, read.configuration);
  EXPECT_EQ(same->options.qos.max_op_vls, 3U);
  for (const PortId cable : cables_between_switches(whole)) {
    const Fabric cut = with_cables_pulled(whole, {cable});
    EXPECT_EQ(judge(read, cut, other, false), 0U);
    EXPECT_EQ(judge(read, cut, other, true), 0U);
  }
}

// ftree does not route what is left, and says so; the repair of its tables does.
TEST(Repairs, HoldWhereTheChainHasNoPlan) {
  const Fabric whole = test::build(test::clos(4, 2, 2));
  const auto installed = plan_on(whole, "routing_engine ftree\n");
  ASSERT_TRUE(installed && installed->verdict.clean());
  const std::vector<PortId> cables = cables_between_switches(whole);
  for (const PortId cable : cables) {
    const Fabric cut = with_cables_pulled(whole, {cable});
    const auto made =
        plan_on(cut, "routing_engine ftree\n", {.installed = &*installed, .settings = {}, .repairs = true});
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_TRUE(made->verdict.clean());
  }
}

// Random graphs with up to three cables pulled, on one lane and on several.
TEST(Repairs, OfRandomFabricsChangeOnlyWhatIsLostAndAreSafe) {
  std::size_t judged = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    fabric::Random draw(seed);
    const Fabric whole = test::build(test::random_shape(seed, 10));
    const std::vector<PortId> cables = cables_between_switches(whole);
    if (cables.empty()) continue;
    for (const char* conf : {"routing_engine updn\n", "routing_engine dfsssp\nqos TRUE\n"}) {
      const auto installed = plan_on(whole, conf);
      if (!installed || !installed->verdict.clean()) continue;
      std::vector<PortId> pulled = cables;
      draw.shuffle(pulled);
      pulled.resize(std::min<std::size_t>(pulled.size(), 1 + draw.below(3)));
      const Fabric cut = with_cables_pulled(whole, pulled);
      SCOPED_TRACE(testing::Message() << conf << "seed " << seed);
      judge(*installed, cut, conf, false);
      judge(*installed, cut, conf, true);
      ++judged;
    }
  }
  EXPECT_GT(judged, 60U);
}

}  // namespace
}  // namespace rch::chains
