// The manager that stays, on a fabric in memory and a clock that jumps to the next deadline.

#include "sm/manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fabric/fabric_builder.h"
#include "fabric/lids.h"
#include "hw/driver.h"
#include "hw/simple_routing.h"
#include "sm/stations.h"

namespace rch::sm {
namespace {

namespace pi = hw::port_info;
using hw::Attribute;
using hw::SmState;
using sim::Visit;
using std::chrono::milliseconds;

using ManagerTest = test::StationsTest;
using test::Station;

TEST_F(ManagerTest, BringsUpAndThenWritesNothing) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  EXPECT_EQ(unreachable_pairs(), 0U);
  EXPECT_EQ(station.manager.status().generation, 1U);
  EXPECT_EQ(station.manager.status().switches, 5U);
  fake.sets.clear();
  ASSERT_TRUE(run_for(std::chrono::hours{1}));
  EXPECT_TRUE(fake.sets.empty()) << "an idle manager writes nothing";
  EXPECT_EQ(plans, 1U);
  EXPECT_EQ(station.told, (std::vector<std::string>{"start", "subnet up"}));
}

TEST_F(ManagerTest, ATrapLeadsToANewPlanInLessThanTwoSeconds) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  run_for(milliseconds{20000});
  fake.pull(cable());
  EXPECT_GT(unreachable_pairs(), 0U);
  ASSERT_TRUE(run([&] { return station.manager.status().generation == 2; }, milliseconds{2000})) << told();
  EXPECT_EQ(unreachable_pairs(), 0U);
  EXPECT_EQ(fake.repressed, 2U);
}

TEST_F(ManagerTest, AnUpdateIsShownWhileItIsWritten) {
  Station& station = add(0);
  std::size_t written = 0, shown = 0;
  fake.on_visit = [&](std::size_t, const Visit& visit) {
    if (visit.attribute != Attribute::linear_table || visit.method != hw::Method::set) return;
    ++written;
    const auto update = station.manager.status().update;
    shown += update && update->rounds > 0;
  };
  ASSERT_TRUE(bring_up(station));
  EXPECT_GT(written, 0U);
  EXPECT_EQ(shown, written);
  EXPECT_FALSE(station.manager.status().update);
}

TEST_F(ManagerTest, LoadsAreBalancedOnceWhenNoSweepCameForTheWindow) {
  balance_after = std::chrono::seconds{180};
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  run_for(std::chrono::seconds{165});
  EXPECT_EQ(balancings, 0U);
  run_for(std::chrono::seconds{30});
  EXPECT_EQ(balancings, 1U) << told();
  EXPECT_EQ(station.told.back(), "subnet up");
  run_for(std::chrono::hours{1});
  EXPECT_EQ(plans, 2U) << "once for each change";
  fake.pull(cable());
  run_for(std::chrono::seconds{100});
  fake.plug(cable());
  run_for(std::chrono::seconds{100});
  EXPECT_EQ(balancings, 1U) << "a sweep came meanwhile: " << told();
  run_for(std::chrono::seconds{100});
  EXPECT_EQ(balancings, 2U) << told();
  EXPECT_EQ(unreachable_pairs(), 0U);
}

TEST_F(ManagerTest, LoadsAreNotBalancedUnasked) {
  ASSERT_TRUE(bring_up(add(0)));
  run_for(std::chrono::hours{1});
  EXPECT_EQ(plans, 1U);
}

TEST_F(ManagerTest, APulledCableIsLookedAtFromItsEndsOnly) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  run_for(milliseconds{3000});
  fake.gets.clear();
  const PortId pulled = cable();
  const NodeId ends[] = {fabric.port(pulled).node, fabric.port(fabric.port(pulled).peer).node};
  fake.pull(pulled);
  ASSERT_TRUE(run([&] { return station.manager.status().generation == 2; })) << told();
  EXPECT_EQ(unreachable_pairs(), 0U);
  for (const Visit& get : fake.gets) {
    if (get.attribute != Attribute::port_info || !fabric.is_switch(get.node)) continue;
    EXPECT_TRUE(std::ranges::find(ends, get.node) != std::end(ends)) << "switch " << get.node.value;
  }
}

TEST_F(ManagerTest, ASweepThatTheOperatorAsksForReadsEveryTable) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  run_for(milliseconds{3000});
  fake.lft_blocks[{SwitchId(2), 0}][3] ^= 1;  // by somebody else
  station.manager.sweep();
  ASSERT_TRUE(run([&] { return unreachable_pairs() == 0; }, milliseconds{3000})) << told();
}

TEST_F(ManagerTest, HeavySweepsFindTablesThatSomebodyElseWrote) {
  heavy = true;
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  fake.lft_blocks[{SwitchId(2), 0}][3] ^= 1;
  ASSERT_TRUE(run([&] { return unreachable_pairs() == 0; }, milliseconds{15000})) << told();
}

TEST_F(ManagerTest, ALightSweepFindsWhatNoTrapTold) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  fake.pull(cable(), false);
  ASSERT_TRUE(run([&] { return station.manager.status().generation == 2; }, milliseconds{15000})) << told();
  EXPECT_EQ(unreachable_pairs(), 0U);
  EXPECT_EQ(station.told[2], "switches changed or do not answer");
  fake.plug(cable(), false);
  ASSERT_TRUE(run([&] { return station.manager.status().generation == 3; }, milliseconds{12000})) << told();
  EXPECT_EQ(unreachable_pairs(), 0U);
}

TEST_F(ManagerTest, ASwitchThatRebootsGetsItsTablesBackWithoutANewPlan) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  const auto tables = fake.lft_blocks;
  fake.reboot(SwitchId(1));
  EXPECT_GT(unreachable_pairs(), 0U);
  fake.sets.clear();
  ASSERT_TRUE(run([&] { return unreachable_pairs() == 0; }, milliseconds{15000})) << told();
  run_for(milliseconds{1000});
  EXPECT_EQ(fake.lft_blocks, tables);
  EXPECT_EQ(plans, 1U);
  for (const Visit& visit : fake.sets) {
    if (visit.attribute != Attribute::linear_table) continue;
    EXPECT_EQ(visit.node, NodeId(1)) << "other switches keep their tables";
  }
}

TEST_F(ManagerTest, ASwitchThatRebootsDuringASweepIsNotForgotten) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  fake.pull(cable(), false);
  for (hw::SmpData& info : fake.switch_info) set(info, hw::switch_info::kPortStateChange, 1);
  bool rebooted = false;
  fake.on_visit = [&](std::size_t, const Visit& visit) {
    const bool reads = visit.attribute == Attribute::linear_table && visit.method == hw::Method::get;
    if (!reads || visit.node != NodeId(4) || rebooted || plans < 2) return;
    rebooted = true;  // its ports and its table were read before
    fake.reboot(SwitchId(0));
  };
  ASSERT_TRUE(run([&] { return rebooted && unreachable_pairs() == 0; })) << told();
}

TEST_F(ManagerTest, WhatCannotBeRoutedLeavesTheFabricAsItIs) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  const auto tables = fake.lft_blocks;
  refused = true;
  fake.pull(cable());
  ASSERT_TRUE(run([&] { return station.manager.status().degraded.has_value(); }, milliseconds{12000}))
      << told();
  EXPECT_EQ(*station.manager.status().degraded, "no engine routes this");
  EXPECT_FALSE(station.manager.status().proven);
  EXPECT_EQ(fake.lft_blocks, tables);
  refused = false;
  fake.plug(cable());
  ASSERT_TRUE(run([&] { return station.manager.status().proven; }, milliseconds{12000})) << told();
  EXPECT_EQ(unreachable_pairs(), 0U);
  EXPECT_FALSE(station.manager.status().degraded);
}

TEST_F(ManagerTest, LostRequestsAreTriedAgain) {
  bool deaf = false;
  fake.lose_request = [&](const Visit& visit) {
    return deaf && visit.attribute == Attribute::linear_table && visit.method == hw::Method::set;
  };
  deaf = true;
  Station& station = add(0);
  ASSERT_TRUE(run([&] { return station.manager.status().degraded.has_value(); })) << told();
  deaf = false;
  ASSERT_TRUE(bring_up(station));
  EXPECT_EQ(unreachable_pairs(), 0U);
}

TEST_F(ManagerTest, APartThatFailsAfterTheLookIsLeftOutOfTheNextOnesUntilItWorks) {
  bool faulty = true;
  const NodeId bad = fabric.port(host(3)).node;
  fake.lose_request = [&](const Visit& visit) {
    return faulty && visit.node == bad && visit.method == hw::Method::set;
  };
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station)) << told();
  EXPECT_EQ(station.manager.status().quarantined, 1U);
  EXPECT_EQ(station.manager.status().end_ports, fabric.end_ports().size() - 1);
  faulty = false;
  EXPECT_TRUE(run([&] { return station.manager.status().quarantined == 0 && unreachable_pairs() == 0; }))
      << told();
}

// A cable that is pulled while its port is written, and plugged in again.
TEST_F(ManagerTest, APartThatFailedOnceIsLookedAtWhenASwitchTellsOfAChange) {
  bool pulled = false;
  const NodeId unlucky = fabric.port(host(3)).node;
  fake.after_set = [&](const Visit& visit) {
    if (visit.node == unlucky && !std::exchange(pulled, true)) fake.pull(host(3));
  };
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station)) << told();
  fake.plug(host(3));
  EXPECT_TRUE(run([&] { return unreachable_pairs() == 0; }, milliseconds{3000})) << told();
  EXPECT_EQ(station.manager.status().quarantined, 0U);
}

TEST_F(ManagerTest, AFloodOfTrapsHidesNoneOfAnotherKind) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  run_for(milliseconds{500});
  const PortId host = fabric.end_ports()[1].port;
  const auto send = [&](std::uint16_t number) {
    hw::SmpData notice{};
    hw::set(notice, {0, 0, 1}, 1);
    hw::set(notice, {4, 0, 16}, number);
    fake.send_notice(host, notice);
  };
  for (int t = 0; t < 100; ++t) send(129);
  send(256);
  send(259);
  run_for(milliseconds{100});
  EXPECT_EQ(fake.repressed, 102U);
  const auto told =
      std::ranges::count_if(station.told, [](const auto& text) { return text.starts_with("trap "); });
  EXPECT_EQ(told, 12);
}

TEST_F(ManagerTest, TrapsOfUnknownLidsAreRepressedAndLeadToNothing) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  run_for(milliseconds{500});
  const auto sweeps = station.told.size();
  hw::Datagram trap;
  set(trap.mad, hw::mad_header::kMethod, static_cast<std::uint8_t>(hw::Method::trap));
  set(trap.mad, hw::mad_header::kAttribute, static_cast<std::uint16_t>(Attribute::notice));
  trap.mad[hw::mad_header::kData + 5] = 128;
  trap.lid = 4711;
  station.driver.on_arrival(std::span(&trap, 1), fake.now());
  run_for(milliseconds{5000});
  EXPECT_EQ(fake.repressed, 1U);
  EXPECT_EQ(station.told.size(), sweeps + 1);
  EXPECT_EQ(station.told.back(), "trap 4711");
  run_for(milliseconds{10000});
  for (int t = 0; t < 1000; ++t) station.driver.on_arrival(std::span(&trap, 1), fake.now());
  run_for(milliseconds{100});
  EXPECT_EQ(fake.repressed, 501U) << "one source is looked at 500 times in 10 s";
  run_for(milliseconds{20000});
  EXPECT_EQ(station.told.size(), sweeps + 11) << "a flood does not fill the log";
  EXPECT_EQ(station.told.back(), "500 refused");
  station.driver.on_arrival(std::span(&trap, 1), fake.now());
  run_for(milliseconds{100});
  EXPECT_EQ(fake.repressed, 502U);
}

TEST_F(ManagerTest, ManySourcesAreBoundedToo) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  run_for(milliseconds{10000});
  hw::Datagram request;
  set(request.mad, hw::mad_header::kClass, static_cast<std::uint8_t>(hw::MadClass::directed_route));
  set(request.mad, hw::mad_header::kMethod, static_cast<std::uint8_t>(hw::Method::get));
  set(request.mad, hw::mad_header::kAttribute, static_cast<std::uint16_t>(Attribute::sm_info));
  set(request.mad, hw::mad_header::kHopCount, 63);
  for (std::uint32_t t = 0; t < 30000; ++t) {
    hw::set(request.mad, {hw::mad_header::kReturnPath + 1, 0, 32}, t);
    station.driver.on_arrival(std::span(&request, 1), fake.now());
  }
  run_for(milliseconds{30000});
  EXPECT_THAT(station.told, testing::Contains("10000 refused"));
  EXPECT_TRUE(station.manager.status().proven);
  EXPECT_EQ(station.state(), SmState::master) << "senders that nobody hears from are no rivals";
}

TEST_F(ManagerTest, StopsWhenItIsTold) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  station.driver.on_stop();
  ASSERT_TRUE(run([&] { return station.task.done(); }, milliseconds{1000})) << told();
  EXPECT_TRUE(station.task.take());
}

TEST_F(ManagerTest, AHostWithTheGuidsOfAnotherIsLeftOut) {
  for (const hw::Field field : {hw::node_info::kNodeGuid, hw::node_info::kPortGuid})
    set(fake.node_info[fabric.port(host(5)).node.index()], field,
        get(fake.node_info[fabric.port(host(3)).node.index()], field));
  Station& manager = add(0);
  ASSERT_TRUE(bring_up(manager)) << told();
  EXPECT_EQ(manager.manager.status().quarantined, 1U);
  EXPECT_EQ(manager.manager.status().end_ports, fabric.end_ports().size() - 1);
}

/// A manager whose plans give LIDs as chains::plan does.
class LidsTest : public ManagerTest {
 protected:
  Station& start(const fabric::LidRecords& records) {
    const auto planner = [](const fabric::Fabric& live, const Known& known) -> Result<chains::Plan> {
      const auto lids =
          fabric::plan_lids(live, {.records = &known.lids, .records_first = !known.after_standby});
      chains::Plan plan;
      plan.fabric = std::make_shared<const fabric::Fabric>(*fabric::with_lids(live, lids->lids));
      plan.tables =
          std::make_shared<fabric::RoutingTables>(hw::test::simple_tables(*plan.fabric, false, false));
      return plan;
    };
    ManagerSettings settings;
    settings.keep_lids = [this](const fabric::LidRecords& lids) -> Result<void> {
      if (disk_is_full) return fail(ErrorKind::usage, "no space");
      kept.push_back(lids);
      return {};
    };
    stations.clear();
    stations.push_back(std::make_unique<Station>(fake, host(0), settings, planner));
    stations.back()->manager.start_from(records);
    return *stations.back();
  }
  std::uint64_t lid_of(PortId port) const { return get(fake.port_info[port.index()], pi::kLid); }

  std::vector<fabric::LidRecords> kept;
  bool disk_is_full = false;
};

TEST_F(LidsTest, OfAHostThatIsAwayGoToNobodyElse) {
  ASSERT_TRUE(bring_up(start({})));
  ASSERT_EQ(kept.size(), 1U);
  const PortId away = host(2), sw = fabric.port_id(SwitchId(4), PortNum(0));
  const std::uint64_t lid = lid_of(away), lid_of_switch = lid_of(sw);
  ASSERT_NE(lid, 0U);
  // A manager that knows the host and not the switch.
  fabric::LidRecords known;
  for (const auto& [port, range] : kept.back().all())
    if (port != fabric.port(sw).guid) known.add(port, range);
  fake.pull(away, false);
  set(fake.port_info[away.index()], pi::kLid, 0);
  set(fake.port_info[sw.index()], pi::kLid, lid);
  ASSERT_TRUE(bring_up(start(known)));
  EXPECT_EQ(lid_of(sw), lid_of_switch);
  fake.plug(away, true);
  ASSERT_TRUE(run([&] { return lid_of(away) != 0 && stations.back()->manager.status().proven; })) << told();
  EXPECT_EQ(lid_of(away), lid);
  EXPECT_EQ(kept.back(), kept.front());
}

TEST_F(LidsTest, AreWrittenWhenTheyChange) {
  disk_is_full = true;
  Station& manager = start({});
  ASSERT_TRUE(bring_up(manager));
  EXPECT_THAT(manager.told, testing::Contains("LIDs not kept"));
  disk_is_full = false;
  manager.manager.sweep();
  ASSERT_TRUE(run([&] { return !kept.empty(); }));
  for (int i = 0; i < 3; ++i) {
    manager.manager.sweep();
    run_for(std::chrono::minutes{1});
  }
  EXPECT_EQ(kept.size(), 1U);
  ASSERT_TRUE(bring_up(start(kept[0])));
  EXPECT_EQ(kept.size(), 1U);
}

Replanner by_high_ports() {
  return [](const fabric::Fabric& live, const Known&) -> Result<chains::Plan> {
    return test::plan_by_ports(live, true);
  };
}

// A configuration that cannot be planned is not forgotten: the plan of the one before it is not installed
// again in its place, and the next change brings the next attempt.
TEST_F(ManagerTest, AReloadThatFailsIsTriedAgainAtTheNextChange) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station)) << told();
  bool fails = true;
  const auto planner = [&](const fabric::Fabric& live, const Known& known) -> Result<chains::Plan> {
    if (fails) return fail(ErrorKind::unroutable, "no engine routes this");
    return by_high_ports()(live, known);
  };
  station.manager.replan(planner, {}, 1);
  const auto status = [&] { return station.manager.status(); };
  ASSERT_TRUE(run([&] { return status().degraded.has_value(); })) << told();
  EXPECT_EQ(status().tried, 1U);
  EXPECT_EQ(status().configuration, 0U);
  station.manager.sweep();
  run_for(std::chrono::seconds{30});
  EXPECT_TRUE(status().degraded) << "the plan of the configuration before is not the answer";
  fails = false;
  station.manager.sweep();
  ASSERT_TRUE(run([&] { return status().configuration == 1; })) << told();
  EXPECT_TRUE(status().proven && !status().degraded);
}

// Who waits for a reload must not be told why the one before it failed.
TEST_F(ManagerTest, AReasonIsThatOfTheConfigurationThatWasTriedLast) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station)) << told();
  const auto fails_with = [](const char* why) {
    return [why](const fabric::Fabric&, const Known&) -> Result<chains::Plan> {
      return fail(ErrorKind::unroutable, why);
    };
  };
  const auto status = [&] { return station.manager.status(); };
  for (std::uint64_t job = 1; job < 10; ++job) {
    const std::string why = std::to_string(job) + " cannot be routed";
    station.manager.replan(fails_with(why.c_str()), {}, job);
    ASSERT_TRUE(run([&] { return status().degraded && status().tried == job; })) << told();
    EXPECT_EQ(*status().degraded, why);
    run_for(milliseconds{job});
  }
}

TEST_F(ManagerTest, WhatTheOperatorAcceptsIsAcceptedOfOnePlan) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station)) << told();
  const auto with_vls = [](std::uint8_t code) {
    return [code](const fabric::Fabric& live, const Known& known) {
      auto plan = by_high_ports()(live, known);
      plan->options.qos.max_op_vls = code;
      return plan;
    };
  };
  const auto status = [&] { return station.manager.status(); };
  for (std::uint64_t job = 1; job <= 2; ++job) {
    station.manager.replan(with_vls(static_cast<std::uint8_t>(4 - job)), {}, job);
    ASSERT_TRUE(run([&] { return status().degraded && status().tried == job; })) << told();
    EXPECT_NE(status().degraded->find("`--accept link-reset`"), std::string::npos) << *status().degraded;
    station.manager.sweep();
    run_for(std::chrono::seconds{30});
    EXPECT_EQ(status().configuration, job - 1);
    ASSERT_TRUE(station.manager.sweep({.link_reset = true}));
    ASSERT_TRUE(run([&] { return status().configuration == job; })) << told();
    EXPECT_TRUE(status().proven && !status().degraded);
  }
}

TEST_F(ManagerTest, OnlyAMasterIsGivenConsent) {
  Station& master = add(0);
  ASSERT_TRUE(bring_up(master)) << told();
  Station& other = add(1);
  ASSERT_TRUE(run([&] { return other.manager.status().state == SmState::standby; })) << told();
  EXPECT_TRUE(master.manager.sweep({.static_change = true}));
  EXPECT_TRUE(other.manager.sweep({}));
  const auto answer = other.manager.sweep({.static_change = true});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message, "this subnet manager is not master, so it has no plan to install");
}

// A reload in the middle of an installation counts for the next one only.
TEST_F(ManagerTest, APlanThatWasMadeBeforeAReloadIsNotOfIt) {
  Station& station = add(0);
  const auto status = [&] { return station.manager.status(); };
  ASSERT_TRUE(run([&] { return plans == 1; })) << told();
  station.manager.replan(by_high_ports(), {}, 1);
  ASSERT_TRUE(run([&] { return status().generation == 1; })) << told();
  EXPECT_EQ(status().configuration, 0U);
  ASSERT_TRUE(run([&] { return status().configuration == 1; })) << told();
  EXPECT_EQ(status().generation, 2U);
}

TEST_F(ManagerTest, ReadsNoCountersUnlessItIsAskedTo) {
  ASSERT_TRUE(bring_up(add(0)));
  run_for(std::chrono::hours{1});
  EXPECT_TRUE(fake.performance_requests.empty());
}

/// force_heavy_sweep_window.
TEST_F(ManagerTest, SoManyLightSweepsBringAWholeOne) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  ManagerSettings settings;
  settings.whole_after = 3;
  const auto planner = [](const fabric::Fabric& live, const Known&) -> Result<chains::Plan> {
    return test::plan_by_ports(live, false);
  };
  station.manager.replan(planner, settings, 1);
  run_for(std::chrono::seconds{5});
  const std::uint64_t before = station.manager.counters().whole_sweeps;
  run_for(std::chrono::seconds{30});
  EXPECT_EQ(station.manager.counters().whole_sweeps, before);
  run_for(std::chrono::seconds{15});
  EXPECT_EQ(station.manager.counters().whole_sweeps, before + 1);
}

/// topo_config_file, read again.
TEST_F(ManagerTest, CablesThatAreListedNoMoreAreLeftOut) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  std::vector<fabric::CableEntry> entries;
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
    const fabric::Port& near = fabric.port(PortId(p));
    if (near.peer.is_none() || near.peer < PortId(p) || PortId(p) == host(1) || near.peer == host(1))
      continue;
    const fabric::Port& far = fabric.port(near.peer);
    entries.push_back({fabric.node(near.node).guid, near.number, fabric.node(far.node).guid, far.number});
  }
  const auto planner = [](const fabric::Fabric& live, const Known&) -> Result<chains::Plan> {
    return test::plan_by_ports(live, false);
  };
  ManagerSettings settings;
  settings.cables = std::make_shared<const fabric::CablePolicy>(entries, std::set<Guid>());
  station.manager.replan(planner, settings, 1);
  ASSERT_TRUE(run([&] { return station.manager.status().quarantined == 1; }))
      << testing::PrintToString(station.told);
  EXPECT_TRUE(run([&] { return station.manager.status().proven; }));
  // It does not come back by itself, and does so when the list has it again.
  run_for(std::chrono::minutes{5});
  ASSERT_EQ(station.manager.left_out().size(), 1U);
  EXPECT_TRUE(station.manager.left_out()[0].answers);
  station.manager.replan(planner, {}, 2);
  EXPECT_TRUE(run([&] { return station.manager.status().quarantined == 0; }));
  EXPECT_TRUE(run([&] { return unreachable_pairs() == 0; }));
}

/// A sweep of the fabric that takes long, while counters are to be read every second.
TEST_F(ManagerTest, CountersWaitForSweepsOfTheFabric) {
  performance = {.enabled = true, .sweep_time = std::chrono::seconds(1)};
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  run_for(std::chrono::seconds{10});
  fake.delays = [](const Visit&) { return std::vector<milliseconds>{milliseconds{150}}; };
  const auto requests = [&] { return station.manager.performance_manager().counters().requests; };
  const std::size_t before = station.manager.counters().whole_sweeps;
  station.manager.sweep();
  ASSERT_TRUE(run([&] { return station.manager.counters().whole_sweeps > before; }));
  const std::uint64_t begun = requests(), sent = fake.performance_requests.size();
  run_for(std::chrono::seconds{2});
  EXPECT_LE(requests(), begun + 1);
  EXPECT_LE(fake.performance_requests.size(), sent + 1);
  fake.delays = [](const Visit&) { return std::vector<milliseconds>(); };
  run_for(std::chrono::seconds{10});
  EXPECT_GT(requests(), begun + 100) << "and go on then";
}

TEST_F(ManagerTest, SweepsAndPriorityFollowAReload) {
  Station& low = add(0, 3);
  Station& high = add(1, 4);
  ASSERT_TRUE(bring_up(high)) << told();
  ASSERT_TRUE(run([&] { return low.state() == SmState::standby; })) << told();
  const auto heavy_sweeps = [&] { return std::ranges::count(high.told, "every sweep is a heavy one"); };
  ManagerSettings settings{.install = {.manager = {.sm_priority = 4}}};
  settings.sweep_every = milliseconds{1000};
  settings.always_whole = true;
  high.manager.replan(by_high_ports(), settings, 1);
  run_for(std::chrono::seconds{20});
  EXPECT_GE(heavy_sweeps(), 10) << told();
  settings.install.manager.sm_priority = 2;
  high.manager.replan(by_high_ports(), settings, 2);
  ASSERT_TRUE(run([&] { return low.state() == SmState::master; })) << told();
  EXPECT_EQ(high.state(), SmState::standby);
}

/// Traps come a second after a sweep at the earliest; one change of partitions follows the other at once.
TEST_F(ManagerTest, ReloadsDoNotWaitForEachOther) {
  Station& station = add(0);
  ASSERT_TRUE(bring_up(station));
  for (std::uint64_t job = 1; job < 20; ++job) {
    station.manager.replan(by_high_ports(), {}, job);
    ASSERT_TRUE(run([&] { return station.manager.status().configuration == job; }, milliseconds{20})) << job;
  }
}

}  // namespace
}  // namespace rch::sm
