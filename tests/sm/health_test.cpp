// Parts that fail again and again, in managers that stay.

#include "sm/health.h"

#include <map>
#include <set>

#include "sm/stations.h"

namespace rch::sm {
namespace {

using hw::set;
using std::chrono::minutes;
using std::chrono::seconds;
using test::Station;
namespace pi = hw::port_info;

class HealthTest : public test::StationsTest {
 protected:
  HealthTest() {
    while (!fabric.end_ports_of(SwitchId(spine.value)).empty()) ++spine.value;
    fake.lose_request = [this](const sim::Visit& visit) {
      ++asked[visit.node];
      return silent.contains(visit.node);
    };
  }
  Station& start() {
    Station& station = add(0);
    EXPECT_TRUE(bring_up(station)) << told();
    run_for(seconds{3});
    return station;
  }
  const Manager& manager() const { return stations.front()->manager; }
  std::size_t out() const { return manager().left_out().size(); }
  bool tells(std::string_view what) const {
    return std::ranges::find(stations.front()->told, what) != stations.front()->told.end();
  }
  /// The link goes down and comes up again, and the manager sees both.
  void bounce(PortId port) {
    fake.pull(port);
    run_for(seconds{5});
    fake.plug(port);
    run_for(seconds{5});
  }
  hw::SmpData error_trap(PortId port) {
    hw::SmpData notice{};
    const std::uint64_t lid = get(fake.port_info[port.index()], pi::kLid);
    set(notice, hw::Field{0, 0, 1}, 1);
    set(notice, hw::Field{4, 0, 16}, 129);
    set(notice, hw::Field{6, 0, 16}, lid);
    set(notice, hw::Field{12, 0, 16}, lid);
    set(notice, hw::Field{14, 0, 8}, fabric.port(port).number.value);
    return notice;
  }
  void send_error_traps(PortId port, int count) {
    for (int i = 0; i < count; ++i) fake.send_notice(port, error_trap(port));
    run_for(seconds{1});
  }
  Part part_of(PortId port) const {
    return {fabric.node(fabric.port(port).node).guid, fabric.port(port).number};
  }
  /// Those that a host has.
  std::size_t other_hosts() const {
    std::size_t hosts = 0;
    for (const auto& end : fabric.end_ports()) hosts += !fabric.is_switch(fabric.port(end.port).node);
    return hosts - 1;
  }
  NodeId spine{0};
  std::map<NodeId, std::size_t> asked;
  std::set<NodeId> silent;
};

TEST_F(HealthTest, ALinkThatBouncesIsLeftOutForAPeriod) {
  health.quarantine.bounces = 3;
  health.quarantine.period = 300;
  start();
  bounce(cable());
  bounce(cable());
  EXPECT_EQ(out(), 0U) << told();
  bounce(cable());
  ASSERT_EQ(out(), 1U) << told();
  EXPECT_TRUE(tells("unhealthy: bouncing")) << told();
  EXPECT_EQ(manager().left_out().front().reason,
            "is unhealthy (bouncing): its link went down 3 times within 300 s");
  EXPECT_EQ(manager().status().quarantined, 1U);
  EXPECT_EQ(unreachable_pairs(), 0U);
  const std::uint64_t sweeps = manager().counters().whole_sweeps;
  run_for(seconds{250});
  EXPECT_EQ(out(), 1U);
  EXPECT_EQ(manager().counters().whole_sweeps, sweeps) << "what is unhealthy is no reason to look";
  run_for(seconds{60});
  EXPECT_EQ(out(), 0U) << told();
  EXPECT_TRUE(tells("healthy: bouncing"));
  EXPECT_EQ(unreachable_pairs(), 0U);
}

TEST_F(HealthTest, LinksMayBounceSlowly) {
  health.quarantine.bounces = 3;
  health.quarantine.period = 60;
  start();
  for (int i = 0; i < 6; ++i) {
    bounce(cable());
    run_for(seconds{50});
  }
  EXPECT_EQ(out(), 0U) << told();
}

TEST_F(HealthTest, FlappingCountsSweeps) {
  health.options.hm_sw_flapping_action = HealthAction::isolate;
  health.options.hm_num_flapping_sweeps = 2;
  health.options.hm_num_flapping_sweeps_window = 4;
  start();
  bounce(cable());
  EXPECT_EQ(out(), 0U);
  bounce(cable());
  EXPECT_EQ(out(), 1U) << told();
  EXPECT_TRUE(tells("unhealthy: flapping"));
  EXPECT_EQ(unreachable_pairs(), 0U);
}

TEST_F(HealthTest, WithoutChecksOnlyBouncesCount) {
  health.options.hm_unhealthy_ports_checks = false;
  health.options.hm_sw_flapping_action = HealthAction::isolate;
  health.options.hm_num_flapping_sweeps = 1;
  start();
  bounce(cable());
  EXPECT_EQ(out(), 0U) << told();
  EXPECT_FALSE(tells("unhealthy: flapping"));
}

TEST_F(HealthTest, APortWithErrorsIsLeftOutUntilItIsQuiet) {
  start();
  const PortId noisy = host(2);
  send_error_traps(noisy, 9);
  EXPECT_EQ(out(), 0U) << told();
  send_error_traps(noisy, 1);
  run_for(seconds{2});
  ASSERT_EQ(out(), 1U) << told();
  EXPECT_TRUE(tells("unhealthy: error-traps"));
  EXPECT_EQ(unreachable_pairs(), other_hosts()) << "no entry leads there";
  for (int i = 0; i < 20; ++i) {
    send_error_traps(noisy, 1);
    run_for(seconds{10});
  }
  EXPECT_EQ(out(), 1U) << "traps go on";
  run_for(seconds{70});
  EXPECT_EQ(out(), 0U) << told();
  EXPECT_EQ(unreachable_pairs(), 0U);
}

TEST_F(HealthTest, NoisyIsReportedAndStaysIn) {
  health.options.hm_num_traps = 4;
  start();
  send_error_traps(host(2), 4);
  run_for(seconds{3});
  EXPECT_TRUE(tells("unhealthy: noisy")) << told();
  EXPECT_EQ(out(), 0U);
  EXPECT_EQ(manager().health().unhealthy().size(), 1U);
  EXPECT_EQ(unreachable_pairs(), 0U);
}

// A trap about another port than that of its sender is none of a host's business.
TEST_F(HealthTest, ForeignTrapsDoNotCount) {
  start();
  hw::SmpData notice = error_trap(host(2));
  for (int i = 0; i < 20; ++i) fake.send_notice(host(3), notice);
  run_for(seconds{3});
  EXPECT_EQ(out(), 0U) << told();
}

TEST_F(HealthTest, TheWayOfTheManagerStays) {
  start();
  send_error_traps(host(0), 12);
  run_for(seconds{3});
  EXPECT_EQ(out(), 0U) << told();
  EXPECT_TRUE(tells("unhealthy: error-traps, spared"));
  EXPECT_EQ(unreachable_pairs(), 0U);
}

TEST_F(HealthTest, WhatTheOperatorLeavesOutStaysOut) {
  start();
  const Part part{fabric.node(spine).guid};
  Manager& own = stations.front()->manager;
  ASSERT_TRUE(own.isolate(part, HealthAction::isolate));
  run_for(minutes{120});
  EXPECT_EQ(out(), 1U) << told();
  EXPECT_EQ(manager().status().quarantined, 1U);
  EXPECT_EQ(unreachable_pairs(), 0U);
  ASSERT_TRUE(own.release(part));
  run_for(seconds{3});
  EXPECT_EQ(out(), 0U);
  EXPECT_EQ(own.release(part).error().message,
            fmt::format("nothing of {} is unhealthy: `rch quarantine list` names what is", part.node));
  EXPECT_EQ(unreachable_pairs(), 0U);
}

/// hm_ca_manual_action, hm_sw_manual_action.
TEST_F(HealthTest, TheConfigurationSaysWhatBecomesOfWhatTheOperatorNames) {
  health.options.hm_ca_manual_action = HealthAction::ignore;
  health.options.hm_sw_manual_action = HealthAction::report;
  start();
  Manager& own = stations.front()->manager;
  const Part of_switch{fabric.node(spine).guid};
  ASSERT_TRUE(own.isolate(of_switch, {}));
  EXPECT_EQ(own.health().unhealthy().at(of_switch).action, HealthAction::report);
  EXPECT_EQ(own.isolate(part_of(host(3)), {}).error().message,
            "the configuration says `ignore` of what is left out by hand (`hm_ca_manual_action`, "
            "`hm_sw_manual_action`): `--action` says otherwise");
  ASSERT_TRUE(own.isolate(part_of(host(3)), HealthAction::isolate));
  run_for(seconds{3});
  EXPECT_EQ(out(), 1U) << told();
}

TEST_F(HealthTest, WhatIsNamedByItsPortIsReleasedByIt) {
  start();
  Manager& own = stations.front()->manager;
  const Part by_port{fabric.port(host(2)).guid};
  ASSERT_NE(by_port.node, fabric.node(fabric.port(host(2)).node).guid);
  for (const HealthAction action : {HealthAction::isolate, HealthAction::no_discover}) {
    ASSERT_TRUE(own.isolate(by_port, action));
    run_for(seconds{3});
    EXPECT_EQ(out(), 1U) << told();
    const auto released = own.release(by_port);
    ASSERT_TRUE(released) << released.error().message;
    run_for(seconds{3});
    EXPECT_EQ(out(), 0U) << told();
  }
}

TEST_F(HealthTest, WhatTheOperatorLeavesOutStaysOutAfterARestart) {
  std::string journal;
  Station& first = add(0);
  first.driver.keep_with(keep_in(journal));
  ASSERT_TRUE(bring_up(first)) << told();
  const Part part{fabric.node(spine).guid}, own = part_of(host(0)), taken_back = part_of(host(3));
  ASSERT_TRUE(first.manager.isolate(part, HealthAction::isolate));
  ASSERT_TRUE(first.manager.isolate(part_of(host(2)), HealthAction::no_discover));
  ASSERT_TRUE(first.manager.isolate(taken_back, HealthAction::isolate));
  ASSERT_TRUE(first.manager.release(taken_back));
  run_for(seconds{3});
  const chains::Plan plan = *first.manager.installed();
  stations.clear();
  Station& next = add(0);
  next.manager.start_from(plan);
  next.manager.start_from(sa::read_journal(journal));
  const std::size_t asked_of_host = asked[fabric.port(host(2)).node];
  ASSERT_TRUE(bring_up(next)) << told();
  EXPECT_EQ(next.report.lft_blocks, 0U) << "the plan without them stays";
  EXPECT_EQ(out(), 2U) << told();
  EXPECT_TRUE(next.manager.health().unhealthy().contains(part));
  EXPECT_FALSE(next.manager.health().unhealthy().contains(own));
  run_for(minutes{5});
  EXPECT_LE(asked[fabric.port(host(2)).node], asked_of_host + 8) << "nothing is asked behind its cable";
  ASSERT_TRUE(next.manager.release(part));
  run_for(seconds{3});
  EXPECT_EQ(out(), 1U) << told();
}

TEST_F(HealthTest, WhatOthersNeedStaysIn) {
  start();
  const NodeId leaf = fabric.port(fabric.port(host(3)).peer).node;
  ASSERT_TRUE(stations.front()->manager.isolate({fabric.node(leaf).guid}, HealthAction::isolate));
  run_for(seconds{3});
  EXPECT_EQ(out(), 0U) << told();
  EXPECT_TRUE(tells("unhealthy: manual, spared"));
  EXPECT_EQ(unreachable_pairs(), 0U);
}

// A leaf has a lower GUID than its hosts. Whichever is looked at first, all of them are left out.
TEST_F(HealthTest, ALeafIsLeftOutTogetherWithItsHosts) {
  start();
  Manager& own = stations.front()->manager;
  const NodeId leaf = fabric.port(fabric.port(host(3)).peer).node;
  ASSERT_TRUE(own.isolate({fabric.node(leaf).guid}, HealthAction::isolate));
  std::size_t hosts = 0;
  for (const fabric::EndPort& end : fabric.end_ports()) {
    const NodeId node = fabric.port(end.port).node;
    if (fabric.port(fabric.port(end.port).peer).node != leaf) continue;
    ASSERT_TRUE(own.isolate({fabric.node(node).guid}, HealthAction::isolate));
    ++hosts;
  }
  run_for(seconds{3});
  EXPECT_EQ(out(), 1 + hosts) << told();
}

TEST_F(HealthTest, ThereAreErrorsForTheOperator) {
  start();
  Manager& own = stations.front()->manager;
  EXPECT_EQ(own.isolate({Guid(0x77)}, HealthAction::isolate).error().message,
            "no node or port has the GUID 0x0000000000000077");
  EXPECT_EQ(own.isolate({fabric.node(spine).guid, PortNum(99)}, HealthAction::isolate).error().kind,
            ErrorKind::usage);
  EXPECT_EQ(own.isolate(part_of(fabric.port(host(0)).peer), HealthAction::isolate).error().message,
            "the subnet manager runs behind that port: it cannot be left out");
  EXPECT_EQ(own.isolate(part_of(host(0)), HealthAction::isolate).error().kind, ErrorKind::usage);
}

TEST_F(HealthTest, APortGuidNamesAPort) {
  start();
  ASSERT_TRUE(stations.front()->manager.isolate({fabric.port(host(3)).guid}, HealthAction::isolate));
  run_for(seconds{3});
  EXPECT_EQ(out(), 1U) << told();
  EXPECT_EQ(unreachable_pairs(), other_hosts()) << "no entry leads there";
}

TEST_F(HealthTest, WhatDoesNotAnswerIsAskedNoMore) {
  health.options.hm_ca_unresponsive_action = HealthAction::no_discover;
  health.options.hm_num_no_resp_sweeps = 3;
  health.options.hm_num_no_resp_sweeps_window = 5;
  start();
  const NodeId mute = fabric.port(host(3)).node;
  silent = {mute};
  fake.pull(cable());  // something to look for
  for (int i = 0; i < 4; ++i) {
    stations.front()->manager.sweep();
    run_for(seconds{20});
  }
  ASSERT_EQ(out(), 1U) << told();
  ASSERT_TRUE(tells("unhealthy: unresponsive")) << told();
  asked.clear();
  stations.front()->manager.sweep();
  run_for(seconds{20});
  EXPECT_EQ(asked[mute], 0U);
  EXPECT_TRUE(manager().status().proven);
  silent.clear();
  run_for(minutes{20});
  EXPECT_EQ(out(), 0U) << "the period is over: " << told();
  EXPECT_EQ(unreachable_pairs(), 0U);
}

TEST_F(HealthTest, WhatAnswersNonsenseIsTold) {
  start();
  const NodeId liar = fabric.port(host(3)).node;
  fake.bend = [liar](const sim::Visit& visit, hw::SmpData& answer) {
    if (visit.node == liar && visit.attribute == test::Attribute::port_info) set(answer, pi::kState, 7);
  };
  stations.front()->manager.sweep();
  run_for(seconds{20});
  EXPECT_TRUE(tells("unhealthy: illegal")) << told();
}

TEST_F(HealthTest, ANodeThatComesAndGoesIsLeftOut) {
  health.options.hm_ca_reboot_action = HealthAction::isolate;
  health.options.hm_num_reboots = 2;
  start();
  bounce(host(3));
  EXPECT_EQ(out(), 0U) << told();
  bounce(host(3));
  EXPECT_EQ(out(), 1U) << told();
  EXPECT_TRUE(tells("unhealthy: reboot"));
  EXPECT_EQ(unreachable_pairs(), 2 * other_hosts()) << "its link is not brought up";
}

// The simulation found switches that were left out again and again, as no plan was installed meanwhile.
TEST_F(HealthTest, ANodeThatCameIsCountedOnceUntilItIsInstalled) {
  health.options.hm_ca_reboot_action = HealthAction::isolate;
  health.options.hm_num_reboots = 2;
  Station& station = start();
  fake.pull(host(3));
  run_for(seconds{5});
  refused = true;
  fake.plug(host(3));
  for (int sweeps = 0; sweeps < 4; ++sweeps) {
    station.manager.sweep();
    run_for(seconds{5});
  }
  refused = false;
  station.manager.sweep();
  run_for(seconds{5});
  EXPECT_EQ(out(), 0U) << told();
  EXPECT_FALSE(tells("unhealthy: reboot")) << told();
}

TEST_F(HealthTest, ASweepWithManyErrorsIsMadeAgain) {
  health.quarantine.error_threshold = 1;
  Station& station = add(0);
  silent = {fabric.port(host(2)).node, fabric.port(host(3)).node};
  // A look asks what is silent twice, in four attempts each.
  const auto lose = fake.lose_request;
  fake.lose_request = [this, lose](const sim::Visit& visit) {
    const bool lost = lose(visit);
    if (asked[fabric.port(host(2)).node] >= 8 && asked[fabric.port(host(3)).node] >= 8) silent.clear();
    return lost;
  };
  ASSERT_TRUE(bring_up(station)) << told();
  EXPECT_EQ(out(), 0U) << told();
}

TEST_F(HealthTest, ALongSweepAsksNothingOnceMore) {
  health.quarantine.timeout_limit = 0;
  Station& station = add(0);
  const NodeId mute = fabric.port(host(3)).node;
  silent = {mute};
  ASSERT_TRUE(bring_up(station)) << told();
  EXPECT_EQ(out(), 1U);
  EXPECT_EQ(asked[mute], 5U) << "four in the first look, not eight, and one when PortStateChange is cleared";
}

TEST_F(HealthTest, SilenceCountsWhileNothingElseChanges) {
  health.options.hm_num_no_resp_sweeps = 3;
  health.options.hm_num_no_resp_sweeps_window = 5;
  start();
  silent = {fabric.port(host(3)).node};
  stations.front()->manager.sweep();
  run_for(seconds{60});
  ASSERT_EQ(out(), 1U) << told();
  EXPECT_FALSE(tells("unhealthy: unresponsive")) << told();
  const std::uint64_t looks = manager().counters().whole_sweeps;
  run_for(minutes{3});
  EXPECT_TRUE(tells("unhealthy: unresponsive")) << told();
  EXPECT_EQ(manager().counters().whole_sweeps, looks) << "that it is told of is no reason to look";
}

// A host that is dead, with its link up, must not keep its switch from being routed around.
TEST_F(HealthTest, WhatWasSilentIsNotWaitedFor) {
  start();
  const PortId leaf = fabric.port(host(3)).peer;
  silent = {fabric.port(host(3)).node};
  stations.front()->manager.sweep();
  run_for(seconds{20});
  ASSERT_EQ(out(), 1U) << told();
  PortId uplink = fabric.port_id(fabric.port(leaf).node, PortNum(1));
  while (!fabric.is_switch(fabric.port(fabric.port(uplink).peer).node)) ++uplink.value;
  const std::uint64_t before = manager().status().generation, looks = manager().counters().whole_sweeps;
  fake.pull(uplink);
  EXPECT_TRUE(run([&] { return manager().status().generation > before; }, seconds{2})) << told();
  EXPECT_EQ(out(), 1U);
  silent.clear();
  run_for(seconds{15});
  EXPECT_EQ(out(), 0U) << "the next light sweep asks it: " << told();
  EXPECT_EQ(unreachable_pairs(), 0U);
  EXPECT_EQ(manager().counters().whole_sweeps, looks);
}

// A loss does not wait for the one before it, and a port that sends traps without end does.
TEST_F(HealthTest, TrapsWaitForTheHoldDownAfterSomeOfThem) {
  health.quarantine.trap_hold_down = 100;
  start();
  run_for(seconds{125});
  const auto installed_plans = [&] { return manager().status().generation; };
  int followed = 0;
  std::uint64_t last = installed_plans();
  const auto is_followed = [&] { return run([&] { return installed_plans() > last; }, seconds{10}); };
  for (; followed < 20; ++followed, last = installed_plans()) {
    followed % 2 == 0 ? fake.pull(cable()) : fake.plug(cable());
    if (!is_followed()) break;
  }
  EXPECT_GE(followed, 8) << told();
  EXPECT_LE(followed, 9) << "a light sweep may have been on its way";
  EXPECT_TRUE(run([&] { return installed_plans() > last; }, seconds{100})) << told();
}

}  // namespace
}  // namespace rch::sm
