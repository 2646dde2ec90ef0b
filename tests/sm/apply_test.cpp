// One pass over a fabric in memory.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "policy/build/front_end.h"
#include "sm/managers.h"
#include "support/small_fabrics.h"

namespace rch::sm {
namespace {

namespace pi = hw::port_info;
using sim::Visit;

class Apply : public testing::Test {
 protected:
  Result<hw::CommitReport> run(const InstallOptions& options = {}, bool high = false) {
    sim::SimulatedPort port(fake, fabric.end_ports()[0].port);
    hw::Driver driver(port, {});
    fake.sets.clear();
    const auto planner = [&](const fabric::Fabric& live) -> Result<chains::Plan> {
      chains::Plan plan = test::plan_by_ports(live, high);
      plan.verdict.findings = findings;
      return plan;
    };
    const auto observe = [&](const chains::Event& event) {
      if (const auto* seen = std::get_if<chains::FabricSeen>(&event)) quarantine = seen->quarantine;
    };
    return driver.wait(apply(driver, planner, options, observe));
  }
  std::uint8_t entry(std::uint32_t sw, std::size_t lid) { return fake.lft_blocks.at({SwitchId(sw), 0})[lid]; }

  const fabric::Fabric fabric = rch::test::build(rch::test::clos(3, 2, 2));
  sim::SimulatedFabric fake{fabric, fabric.end_ports()[0].port};
  std::vector<verify::Finding> findings;
  std::vector<fabric::Quarantined> quarantine;  ///< of the last look
};

TEST(ApplyThatStoodStill, WritesNothingWhenItWakesUp) {
  const fabric::Fabric fabric = rch::test::build(rch::test::clos(12, 4, 12));
  const PortId own = fabric.end_ports()[0].port;
  sim::SimulatedFabric fake{fabric, own};
  std::size_t since = 0;
  bool stood_still = false;
  fake.after_set = [&](const Visit& visit) {
    if (stood_still) ++since;
    const bool of_a_switch = fabric.is_switch(visit.node) && visit.attribute == hw::Attribute::port_info;
    if (stood_still || !of_a_switch || (visit.modifier & 0xFFU) == 0) return;
    stood_still = true;
    fake.pass_until(fake.now() + std::chrono::seconds{5});
    set(fake.port_info[own.index()], pi::kMasterSmLid, 3);
  };
  sim::SimulatedPort port(fake, own);
  hw::Driver driver(port, {});
  const auto planner = [](const fabric::Fabric& live) -> Result<chains::Plan> {
    return test::plan_by_ports(live, false);
  };
  const auto report = driver.wait(apply(driver, planner, {}));
  ASSERT_TRUE(stood_still);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().cause, "mastership-lost");
  EXPECT_EQ(since, 0U);
}

/// suppress_mc_pkey_traps, whose bit 0 counts.
TEST(ApplyWithOptions, TrapsAboutMulticastPKeysAreSuppressed) {
  const fabric::Fabric fabric = rch::test::build(rch::test::clos(3, 2, 2));
  const PortId own = fabric.end_ports()[0].port, other = fabric.end_ports()[1].port;
  sim::SimulatedFabric fake{fabric, own};
  hw::SmpData& info = fake.port_info[other.index()];
  set(info, pi::kCapTrapSuppression, 1);
  const auto after = [&](std::uint8_t option) {
    sim::SimulatedPort port(fake, own);
    hw::Driver driver(port, {});
    const auto planner = [&](const fabric::Fabric& live) -> Result<chains::Plan> {
      chains::Plan plan = test::plan_by_ports(live, false);
      plan.options.ports.suppress_mc_pkey_traps = option;
      return plan;
    };
    EXPECT_TRUE(driver.wait(apply(driver, planner, {})));
    return get(info, pi::kTrapSuppression);
  };
  EXPECT_EQ(after(255), 0U) << "not set: as it is";
  EXPECT_EQ(after(3), 1U);
  EXPECT_EQ(after(255), 1U);
  EXPECT_EQ(after(2), 0U);
}

/// A pass over a fabric in memory with tables of a policy, while links have to be reset.
class LinksInRounds : public testing::Test {
 protected:
  explicit LinksInRounds(const rch::test::Shape& shape = rch::test::clos(3, 3, 2))
      : fabric(rch::test::build(shape)) {}

  Result<hw::CommitReport> run(const std::string& options, const InstallOptions& install) {
    sim::SimulatedPort port(fake, fabric.end_ports()[0].port);
    hw::Driver driver(port, {});
    const auto policy = read_policy(options);
    const auto planner = [&](const fabric::Fabric& live) {
      Diagnostics diagnostics;
      auto plan = chains::plan(policy, live, {.installed = nullptr, .settings = {}}, diagnostics);
      if (plan) planned = *plan;
      return plan;
    };
    const auto observe = [&](const chains::Event& event) {
      if (const auto* found = std::get_if<chains::LinksReset>(&event)) told = *found;
      if (std::get_if<chains::LinkRoundBegins>(&event) != nullptr) ++rounds;
    };
    return driver.wait(apply(driver, planner, install, observe));
  }

  static std::shared_ptr<const policy::Policy> read_policy(const std::string& text) {
    SourceSet sources;
    Diagnostics diagnostics;
    sources.provide("opensm.conf", text);
    sources.provide("torus.conf", "torus 5 5 1\nxp_link 0x100000 0x100008\nyp_link 0x100000 0x100028\n");
    return std::make_shared<const policy::Policy>(
        *policy::load("opensm.conf", sources, diagnostics).value().policy);
  }

  bool is_active(PortId port) const { return get(fake.port_info[port.index()], pi::kState) == 4; }

  /// Hosts whose packets do not get to the leaf of another by links that are active.
  std::size_t count_cut_off() {
    std::size_t cut_off = 0;
    for (const fabric::EndPort& from : fabric.end_ports())
      for (const fabric::EndPort& to : fabric.end_ports()) cut_off += arrives(from.sw, to) ? 0 : 1;
    return cut_off;
  }
  bool arrives(SwitchId at, const fabric::EndPort& to) {
    const std::uint64_t lid = get(fake.port_info[to.port.index()], pi::kLid);
    for (std::size_t hops = 0; at != to.sw && hops < fabric.switch_count(); ++hops) {
      const std::uint8_t exit = fake.lft_blocks.at({at, lid / 64})[lid % 64];
      const PortId out = fabric.port_id(at, PortNum(exit));
      const PortId peer = fabric.port(out).peer;
      if (exit == 0 || peer.is_none() || !is_active(out) || !is_active(peer)) return false;
      at = SwitchId(fabric.port(peer).node.value);
    }
    return at == to.sw;
  }

  const fabric::Fabric fabric;
  sim::SimulatedFabric fake{fabric, fabric.end_ports()[0].port};
  std::optional<chains::Plan> planned;
  chains::LinksReset told;
  std::size_t rounds = 0;
};

TEST_F(LinksInRounds, EveryPairKeepsAPath) {
  ASSERT_TRUE(run("routing_engine updn\n", {}));
  ASSERT_EQ(count_cut_off(), 0U);
  std::size_t most_cut_off = 0;
  fake.after_set = [&](const Visit&) { most_cut_off = std::max(most_cut_off, count_cut_off()); };
  for (const char* const vls : {"max_op_vls 2\n", "max_op_vls 3\n"}) {
    rounds = 0;
    const auto report = run(std::string("routing_engine updn\n") + vls, {.accept_reset = true});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->resets, 6U + 9U);
    EXPECT_EQ(told.links, 6U + 9U);
    EXPECT_EQ(told.hosts, 6U);
    EXPECT_EQ(told.unspared, 0U);
    EXPECT_EQ(rounds, told.rounds);
    EXPECT_GE(rounds, 2U);
    EXPECT_LE(rounds, 4U);
    EXPECT_EQ(most_cut_off, 0U);
    EXPECT_EQ(run(std::string("routing_engine updn\n") + vls, {})->writes(), 0U);
  }
}

/// What was done counts, and the rest is done by the next pass.
TEST_F(LinksInRounds, GoOnAfterAStop) {
  ASSERT_TRUE(run("routing_engine updn\n", {}));
  std::size_t resets = 0;
  fake.lose_request = [&](const Visit& visit) {
    if (visit.method == hw::Method::set && visit.attribute == hw::Attribute::port_info &&
        get(visit.data, pi::kState) == 1)
      ++resets;
    return resets >= 3;
  };
  EXPECT_FALSE(run("routing_engine updn\nmax_op_vls 2\n", {.strict = true, .accept_reset = true}));
  fake.lose_request = [](const Visit&) { return false; };
  EXPECT_EQ(count_cut_off(), 0U);
  const auto report = run("routing_engine updn\nmax_op_vls 2\n", {.accept_reset = true});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_LT(report->resets, 6U + 9U);
  EXPECT_EQ(count_cut_off(), 0U);
}

rch::test::Shape torus_5x5() {
  rch::test::Shape shape;
  for (std::uint32_t y = 0; y < 5; ++y)
    for (std::uint32_t x = 0; x < 5; ++x) {
      shape.hosts.push_back(1);
      shape.cables.push_back({y * 5 + x, y * 5 + (x + 1) % 5});
      shape.cables.push_back({y * 5 + x, (y + 1) % 5 * 5 + x});
    }
  return shape;
}

class TorusInRounds : public LinksInRounds {
 protected:
  TorusInRounds() : LinksInRounds(torus_5x5()) {}

  /// From here on LIDs are noted of which a switch loses an entry that it had.
  void count_drained() {
    drained.clear();
    entries_before = fake.lft_blocks;
    fake.after_set = [this](const Visit& visit) {
      if (visit.attribute != hw::Attribute::linear_table) return;
      const auto& now = fake.lft_blocks.at({SwitchId(visit.node.value), visit.modifier});
      auto& before = entries_before.at({SwitchId(visit.node.value), visit.modifier});
      for (std::size_t i = 0; i < now.size(); ++i)
        if (before[i] != kNoPath && now[i] == kNoPath) drained.insert(visit.modifier * now.size() + i);
      before = now;
    };
  }

  decltype(fake.lft_blocks) entries_before;
  std::set<std::size_t> drained;

  std::size_t table_writes() const {
    return static_cast<std::size_t>(std::ranges::count_if(fake.sets, [](const Visit& visit) {
      return visit.attribute == hw::Attribute::linear_table || visit.attribute == hw::Attribute::sl2vl ||
             visit.attribute == hw::Attribute::port_info;
    }));
  }
};

/// Hosts send with the service levels of dfsssp until they ask again. On the VLs of torus-2QoS some of these
/// close a ring, whichever tables are installed in between.
TEST_F(TorusInRounds, OldServiceLevelsCountInEveryRoundAndBeforeTheFirst) {
  const std::string torus = "routing_engine torus-2QoS\nqos TRUE\ntorus_config torus.conf\n";
  for (const char* const vls : {"max_op_vls 3\n", "max_op_vls 2\n"}) {
    ASSERT_TRUE(run(std::string("routing_engine dfsssp\nqos TRUE\n") + vls,
                    {.accept_reset = true, .accept_static = true, .accept_path_sls = true}));
    const chains::Plan before = *planned;
    fake.sets.clear();
    rounds = 0;
    const auto refused = run(torus, {.accept_reset = true, .accept_path_sls = true, .previous = &before});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::forbidden);
    EXPECT_EQ(
        refused.error().message,
        "the update has to stop traffic, which is not accepted (`--accept static-change` of `rch apply`, or "
        "once of `rch sweep`)");
    EXPECT_GE(told.rounds, 2U);
    EXPECT_EQ(rounds, 0U);
    EXPECT_EQ(table_writes(), 0U);
    count_drained();
    const auto accepted = run(
        torus, {.accept_reset = true, .accept_static = true, .accept_path_sls = true, .previous = &before});
    ASSERT_TRUE(accepted) << accepted.error().message;
    EXPECT_EQ(rounds, told.rounds);
    EXPECT_GT(drained.size(), 0U);
    EXPECT_EQ(told.drained, drained.size()) << "the finding counts the LIDs that lose an entry meanwhile";
  }
}

/// From the first request of that kind on a node does not answer.
struct Silence {
  const char* when;
  hw::Attribute attribute;
  hw::Method method;
};

class FallsSilent : public Apply, public testing::WithParamInterface<Silence> {
 protected:
  /// `only`: it goes on answering everything else.
  void falls_silent(NodeId node, bool only) {
    fake.lose_request = [this, node, only](const Visit& visit) {
      if (visit.node != node) return false;
      const bool now = visit.attribute == GetParam().attribute && visit.method == GetParam().method;
      silent = silent || now;
      return now || (silent && !only);
    };
  }
  bool silent = false;
};

TEST_P(FallsSilent, AHostIsLeftOutAndTheRestIsWritten) {
  const PortId host = fabric.end_ports()[3].port;
  for (const bool only : {false, true}) {
    SCOPED_TRACE(only);
    silent = false;
    falls_silent(fabric.port(host).node, only);
    const auto report = run({}, only);
    if (!silent) continue;  // hosts are not asked for it
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_EQ(quarantine.size(), 1U);
    EXPECT_NE(quarantine[0].reason.find("answer"), std::string::npos) << quarantine[0].reason;
    const chains::Plan plan = test::plan_by_ports(fabric, only);
    const Lid lid(
        static_cast<std::uint16_t>(get(fake.port_info[fabric.end_ports()[5].port.index()], pi::kLid)));
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) EXPECT_NE(entry(s, lid.index()), kNoPath);
    fake.lose_request = [](const Visit&) { return false; };
    ASSERT_TRUE(run({}, only)) << "it is back";
    EXPECT_TRUE(quarantine.empty());
  }
}

TEST_P(FallsSilent, ASwitchThatIsNoCutIsLeftOut) {
  falls_silent(NodeId(4), true);  // a spine
  const auto report = run();
  ASSERT_TRUE(silent);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(quarantine.size(), 1U);
  EXPECT_EQ(quarantine[0].node, fabric.node(NodeId(4)).guid);
}

TEST_P(FallsSilent, ALeafIsLeftOutWithItsHosts) {
  falls_silent(NodeId(1), true);
  const auto report = run();
  ASSERT_TRUE(silent);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(quarantine.size(), 1U + fabric.end_ports_of(SwitchId(1)).size());
  fake.lose_request = [](const Visit&) { return false; };
  ASSERT_TRUE(run()) << "it is back";
  EXPECT_TRUE(quarantine.empty());
}

TEST_P(FallsSilent, ALeafOfHostsInServiceIsACutAndIsNamed) {
  ASSERT_TRUE(run());
  falls_silent(NodeId(1), true);
  const auto report = run({}, true);
  if (!silent) return;  // it holds that already
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().cause, "fabric-not-whole");
  EXPECT_NE(report.error().message.find(fabric.node(NodeId(1)).description), std::string::npos)
      << report.error().message;
}

TEST_P(FallsSilent, IsRefusedWhereThatIsAskedFor) {
  falls_silent(NodeId(4), true);
  const auto report = run({.strict = true});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().cause, "no-answer");
}

using hw::Attribute;
using hw::Method;
INSTANTIATE_TEST_SUITE_P(Apply, FallsSilent,
                         testing::Values(Silence{"AtALid", Attribute::port_info, Method::set},
                                         Silence{"AtATable", Attribute::linear_table, Method::set},
                                         Silence{"AtATop", Attribute::switch_info, Method::set}),
                         [](const auto& test) { return test.param.when; });

TEST_F(Apply, BringsUpAndThenFindsNothingToDo) {
  const auto first = run();
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->lft_blocks, 5U);
  const auto second = run();
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->writes(), 0U);
  EXPECT_TRUE(fake.sets.empty());
}

TEST_F(Apply, ChangesTables) {
  ASSERT_TRUE(run());
  const auto changed = run({}, true);
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_GT(changed->lft_blocks, 0U);
  const chains::Plan plan = test::plan_by_ports(fabric, true);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    for (std::uint16_t lid = 1; lid <= 11; ++lid)
      EXPECT_EQ(entry(s, lid), plan.tables->lfts.at(SwitchId(s), Lid(lid)));
}

TEST_F(Apply, ADryRunWritesNothingAndIsNoManager) {
  fake.on_visit = [&](std::size_t, const Visit&) {
    EXPECT_EQ(get(fake.port_info[fabric.end_ports()[0].port.index()], pi::kCapIsSm), 0U);
  };
  const auto report = run({.dry_run = true});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_GT(report->writes(), 0U);
  EXPECT_TRUE(fake.sets.empty());
}

TEST_F(Apply, AVerdictWithFindingsForbidsTheCommit) {
  findings.emplace_back();
  const auto report = run();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::forbidden);
  EXPECT_TRUE(fake.sets.empty());
}

TEST_F(Apply, ASwitchThatStartsAgainBeforeTheCommitIsNotMissed) {
  ASSERT_TRUE(run());
  for (hw::SmpData& info : fake.switch_info) set(info, hw::switch_info::kPortStateChange, 1);
  bool rebooted = false;
  fake.on_visit = [&](std::size_t, const Visit& visit) {
    const bool reads = visit.attribute == hw::Attribute::linear_table && visit.method == hw::Method::get;
    if (!reads || visit.node != NodeId(4) || rebooted) return;
    rebooted = true;  // its ports and its table were read before
    fake.reboot(SwitchId(0));
  };
  const auto report = run({}, true);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message,
            "the fabric is not as it was left: a switch started again or a port changed during the commit; "
            "run again");
  EXPECT_TRUE(run({}, true)) << "the next run completes it";
}

TEST_F(Apply, LosesTheMastershipWhenOurPortNamesAnotherManager) {
  ASSERT_TRUE(run());
  fake.on_visit = [&](std::size_t, const Visit& visit) {
    if (visit.attribute == hw::Attribute::linear_table)
      set(fake.port_info[fabric.end_ports()[0].port.index()], pi::kMasterSmLid, 3);
  };
  const auto report = run({}, true);
  ASSERT_FALSE(report);
  EXPECT_EQ(
      report.error().message,
      "the mastership was lost: our port has LID 6 and names LID 3 as its subnet manager, not 6 and 6 (the "
      "commit stopped before the step `write forwarding tables`)");
  EXPECT_EQ(report.error().cause, "mastership-lost");
}

}  // namespace
}  // namespace rch::sm
