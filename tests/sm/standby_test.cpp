// Managers that stand by follow their master, and take over with what they know of it.

#include "sm/standby.h"

#include "sm/stations.h"

namespace rch::sm {
namespace {

using hw::Attribute;
using hw::SmState;
using std::chrono::milliseconds;
using std::chrono::seconds;
using test::Reregistrations;
using test::Station;

Replanner by_ports(bool high) {
  return [high](const fabric::Fabric& live, const Known&) -> Result<chains::Plan> {
    return test::plan_by_ports(live, high);
  };
}

class StandbyTest : public test::StationsTest {
 protected:
  /// A master, and a manager at another host that follows it; the master has configuration 7.
  Station& follow(const StandbyOptions& options = {.configuration = 7, .sa_key = 1}) {
    Station& master = add(0, 5);
    EXPECT_TRUE(bring_up(master)) << told();
    standby_options = options;
    Station& other = add(3, 1);
    EXPECT_TRUE(run([&] { return other.manager.following() && master.manager.followers() == 1; })) << told();
    return other;
  }
  Station& master() { return *stations.front(); }
  /// The process is gone at once.
  void kill_master() {
    stations.erase(stations.begin());
    fake.sets.clear();
  }
  bool serves(Station& station, milliseconds most = std::chrono::minutes{5}) {
    return run([&] { return station.state() == SmState::master && station.manager.status().proven; }, most);
  }
  /// It is master, and its chain routes nothing.
  bool has_no_plan(Station& station) {
    return run([&] {
      const Status status = station.manager.status();
      return status.state == SmState::master && status.degraded.has_value();
    });
  }
  void join(Station& at, std::size_t h, std::uint8_t group) {
    const hw::Datagram join = test::join_of(at.manager.installed()->fabric->port(host(h)), group);
    at.driver.on_arrival(std::span(&join, 1), fake.now());
  }
  /// Members of a group, as a manager knows it.
  static std::size_t members(const Station& station, std::uint8_t group) {
    const sa::Gid mgid{0xFF, 0x12, 0xA0, 0x1C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, group};
    const sa::Group* found = station.manager.subnet_administration().groups().find(mgid);
    return found == nullptr ? 0 : found->members.size();
  }
  /// The manager that follows answers no question about itself. An update of the master is installed
  /// anyway, after so many questions with three repetitions each.
  void update_beside_silence(std::size_t questions) {
    const std::uint64_t before = master().manager.status().generation;
    const NodeId node = fabric.port(host(3)).node;
    std::size_t asked = 0;
    fake.lose_request = [&](const sim::Visit& visit) {
      const bool question = visit.node == node && visit.attribute == Attribute::sm_info;
      asked += question;
      return question;
    };
    ManagerSettings settings;
    settings.standby = standby_options;
    master().manager.replan(by_ports(true), settings, 1);
    EXPECT_TRUE(run([&] { return master().manager.status().generation > before; }, seconds{10})) << told();
    EXPECT_LE(asked, 4 * questions);
  }
  std::size_t sets_of(Attribute attribute) const {
    return static_cast<std::size_t>(std::ranges::count(fake.sets, attribute, &sim::Visit::attribute));
  }
  static std::size_t times(const Station& station, const std::string& what) {
    return static_cast<std::size_t>(std::ranges::count(station.told, what));
  }
};

TEST_F(StandbyTest, TakesOverWithinTwoSecondsWithoutAWriteOfTablesAndAsksNoHost) {
  Reregistrations asked(fake);
  Station& other = follow();
  join(master(), 1, 7);
  ASSERT_TRUE(run_for(seconds{3}));
  const auto tables = master().manager.installed()->tables;
  asked.take();
  kill_master();
  ASSERT_TRUE(serves(other, seconds{2})) << told();
  EXPECT_EQ(times(other, "took over"), 1U) << told();
  EXPECT_EQ(sets_of(Attribute::linear_table), 0U);
  EXPECT_EQ(sets_of(Attribute::multicast_table), 0U);
  EXPECT_EQ(asked.take(), 0U);
  EXPECT_EQ(other.report.asked_hosts, 0U);
  EXPECT_EQ(members(other, 7), 1U);
  ASSERT_NE(keeps, nullptr);
  EXPECT_EQ(keeps->steps.size(), tables->steps.size());
  EXPECT_EQ(unreachable_pairs(), 0U);
}

// What the master installed is proven, and what this manager would install instead has no plan.
TEST_F(StandbyTest, AnswersByThePlanOfTheMasterIfTheChainHasNone) {
  heals = true;
  Station& other = follow();
  refused = true;
  kill_master();
  ASSERT_TRUE(has_no_plan(other)) << told();
  EXPECT_EQ(other.manager.status().generation, 1U) << told();
  EXPECT_TRUE(other.manager.status().proven);
  EXPECT_EQ(sets_of(Attribute::linear_table), 0U);
  EXPECT_EQ(unreachable_pairs(), 0U);
}

// Nobody answers hosts then, and the status says so.
TEST_F(StandbyTest, SaysThatHostsGetNoAnswersIfThereIsNoPlan) {
  Station& other = follow();
  refused = true;
  kill_master();
  ASSERT_TRUE(has_no_plan(other)) << told();
  EXPECT_THAT(*other.manager.status().degraded, testing::HasSubstr("no answers of subnet administration"));
}

/// The master was killed when it had sent so many blocks of an update.
class KilledInAnUpdate : public StandbyTest, public testing::WithParamInterface<std::size_t> {};

// The switches forward by a mix of two plans then.
TEST_P(KilledInAnUpdate, NoHostIsAsked) {
  Reregistrations asked(fake);
  Station& other = follow();
  join(master(), 1, 7);
  ASSERT_TRUE(run_for(seconds{3}));
  std::size_t sent = 0;
  fake.lose_request = [&](const sim::Visit& visit) {
    const bool is_block = visit.attribute == Attribute::linear_table && visit.method == hw::Method::set;
    return is_block && ++sent > GetParam();
  };
  ManagerSettings settings;
  settings.standby = standby_options;
  master().manager.replan(by_ports(true), settings, 1);
  ASSERT_TRUE(run([&] { return sent > GetParam(); }));
  asked.take();
  kill_master();
  fake.lose_request = [](const sim::Visit&) { return false; };
  ASSERT_TRUE(serves(other)) << told();
  EXPECT_EQ(times(other, "took over"), 1U) << told();
  EXPECT_EQ(asked.take(), 0U);
  EXPECT_EQ(members(other, 7), 1U);
  EXPECT_EQ(unreachable_pairs(), 0U);
}

INSTANTIATE_TEST_SUITE_P(AfterBlocks, KilledInAnUpdate, testing::Range(std::size_t{0}, std::size_t{4}));

TEST_F(StandbyTest, TablesThatAreNotThoseOfTheMasterAreNotTakenForThem) {
  Reregistrations asked(fake);
  Station& other = follow();
  kill_master();
  asked.take();
  fake.lft_blocks.begin()->second[1] ^= 1;
  ASSERT_TRUE(serves(other)) << told();
  EXPECT_EQ(times(other, "took over"), 0U) << told();
  EXPECT_GT(asked.take(), 0U);
  EXPECT_EQ(unreachable_pairs(), 0U);
}

// The master goes on without one who does not ask for a while. That one may have missed something.
TEST_F(StandbyTest, WhoWasSilentForAWhileAsksTheHosts) {
  Reregistrations asked(fake);
  Station& other = follow();
  ManagerSettings without_key;
  without_key.standby = {.configuration = 7, .sa_key = 0};
  other.manager.replan(by_ports(false), without_key, 1);
  ASSERT_TRUE(run([&] { return !other.manager.following() && master().manager.followers() == 0; }));
  run_for(seconds{5});
  EXPECT_EQ(other.state(), SmState::standby) << "the master says that it is there";
  join(master(), 1, 7);
  run_for(seconds{3});
  asked.take();
  kill_master();
  ASSERT_TRUE(serves(other)) << told();
  EXPECT_EQ(times(other, "took over, in part"), 1U) << told();
  EXPECT_GT(asked.take(), 0U);
  EXPECT_EQ(sets_of(Attribute::linear_table), 0U);
}

// The manager behind the cable does not answer any more; no round of the update waits for it. The update
// waits for followers to have its target (1 s), and between its rounds for a packet lifetime (1.07 s).
TEST_F(StandbyTest, TheCableOfItsHostIsAChangeLikeAnyOther) {
  follow();
  run_for(seconds{2});
  const std::uint64_t before = master().manager.status().generation;
  fake.pull(host(3));
  EXPECT_TRUE(run([&] { return master().manager.status().generation > before; }, milliseconds{2400}))
      << told();
}

// It is there, and silent: the first round asks it in vain, and the others do not ask.
TEST_F(StandbyTest, OneThatIsSilentDelaysAnUpdateOnce) {
  follow();
  run_for(seconds{2});
  update_beside_silence(2);
}

TEST_F(StandbyTest, OneThatIsSilentDelaysAnUpdateNoMoreWhereRequestsWereLost) {
  follow();
  std::size_t attempts = 0;
  fake.lose_request = [&](const sim::Visit& visit) {
    return visit.node == NodeId(0) && visit.attribute == Attribute::switch_info && ++attempts <= 3;
  };
  master().manager.sweep();
  ASSERT_TRUE(run([&] { return attempts > 3; })) << told();
  ASSERT_TRUE(run_for(seconds{1}));
  update_beside_silence(3);
}

// As OpenSM is. A poll has the time until the next one: four that are missed take 1.2 s, and the look that
// follows asks once more who is there.
TEST_F(StandbyTest, AMasterThatIsNotFollowedIsMissedAfterSoManyPolls) {
  poll_every = milliseconds{200};
  Station& first = add(0, 5);
  ASSERT_TRUE(bring_up(first)) << told();
  standby_options = {.configuration = 7, .sa_key = 0x5EC2E7};
  Station& other = add(3, 1);
  ASSERT_TRUE(run_for(seconds{3}));
  ASSERT_FALSE(other.manager.following());
  ASSERT_EQ(other.state(), SmState::standby) << told();
  kill_master();
  fake.lose_request = [&](const sim::Visit& visit) {
    return visit.node == fabric.port(host(0)).node && visit.attribute == Attribute::sm_info;
  };
  EXPECT_TRUE(serves(other, seconds{8})) << told();
}

// Another one is master in the place of the silent one, and is not followed: it answers polls.
TEST_F(StandbyTest, PollsThatWereMissedAreForgottenWhenAnotherMasterAnswers) {
  poll_every = milliseconds{200};
  standby_options = {.configuration = 7, .sa_key = 0x5EC2E7};
  Station& standby = add(3, 1);
  standby_options.sa_key = 1;
  Station& first = add(0, 5);
  ASSERT_TRUE(run([&] { return first.manager.status().proven; })) << told();
  run_for(seconds{2});
  first.stopped = true;
  ASSERT_TRUE(run([&] { return times(standby, "3 missed") == 1; })) << told();
  Station& second = add(1, 3);
  ASSERT_TRUE(run([&] { return second.manager.status().proven; })) << told();
  run_for(seconds{10});
  EXPECT_GE(times(standby, "4 missed"), 1U) << told();
  EXPECT_EQ(standby.state(), SmState::standby) << told();
  EXPECT_FALSE(standby.manager.status().degraded) << *standby.manager.status().degraded;
}

// The master lives on behind a cable that was pulled, and dies before it is plugged in again.
TEST_F(StandbyTest, WhoWasCutOffForAWhileAsksTheHosts) {
  Reregistrations asked(fake);
  Station& other = follow();
  fake.pull(host(3), false);
  run_for(seconds{3});
  asked.take();
  kill_master();
  fake.plug(host(3), false);
  ASSERT_TRUE(serves(other)) << told();
  EXPECT_EQ(times(other, "took over, in part"), 1U) << told();
  EXPECT_GT(asked.take(), 0U);
}

TEST_F(StandbyTest, AnSaKeyThatAnyHostKnowsIsToldOnce) {
  follow();
  ASSERT_TRUE(run_for(seconds{60}));
  EXPECT_EQ(times(master(), "known sa_key"), 1U) << told();
}

TEST_F(StandbyTest, ASecretSaKeyIsNotToldOf) {
  standby_options.sa_key = 0x5EC2E7;  // of the master
  follow();
  ASSERT_TRUE(run_for(seconds{60}));
  EXPECT_EQ(times(master(), "known sa_key"), 0U) << told();
}

TEST_F(StandbyTest, AManagerThatIsNotAllowedIsToldUntilItIsGone) {
  allowed = {fabric.port(host(0)).guid, fabric.port(host(1)).guid};
  Station& first = add(0, 5);
  ASSERT_TRUE(bring_up(first)) << told();
  add(3, 1);
  const std::string said = fmt::format("{} is not allowed", fabric.port(host(3)).guid);
  ASSERT_TRUE(run([&] { return times(first, said) == 1; })) << told();
  first.manager.sweep();
  ASSERT_TRUE(run_for(seconds{20}));
  EXPECT_EQ(times(first, said), 1U) << told();
}

TEST_F(StandbyTest, AnotherConfigurationIsNotTakenOverFrom) {
  Station& other = follow({.configuration = 8, .sa_key = 1});
  kill_master();
  run_for(std::chrono::minutes{5});
  EXPECT_EQ(other.state(), SmState::standby) << told();
  EXPECT_TRUE(other.manager.status().degraded);
  EXPECT_EQ(times(other, "other configuration"), 1U) << told();
  EXPECT_TRUE(fake.sets.empty());

  // Until it has the one of the master.
  ManagerSettings same;
  same.standby = {.configuration = 7, .sa_key = 1};
  other.manager.replan(by_ports(false), same, 1);
  ASSERT_TRUE(serves(other)) << told();
  EXPECT_FALSE(other.manager.status().degraded);
}

constexpr const char* kOtherConfiguration =
    "the master has another configuration: this standby does not take over from it until both have the same";

// While the master is there: when it is gone, it is too late.
TEST_F(StandbyTest, AnotherConfigurationIsToldByBoth) {
  Station& other = follow();
  EXPECT_FALSE(other.manager.status().degraded);
  EXPECT_EQ(master().manager.followers_without(7), 0U);
  EXPECT_EQ(master().manager.followers_without(8), 1U) << "a change that the master is about to make";

  ManagerSettings changed;
  changed.standby = {.configuration = 8, .sa_key = 1};
  master().manager.replan(by_ports(true), changed, 1);
  ASSERT_TRUE(run([&] { return other.manager.status().degraded.has_value(); }, seconds{2})) << told();
  EXPECT_EQ(other.manager.status().degraded, std::string(kOtherConfiguration));
  EXPECT_EQ(master().manager.followers_without_ours(), 1U);
  EXPECT_EQ(master().manager.followers(), 1U);

  other.manager.replan(by_ports(true), changed, 1);
  ASSERT_TRUE(run([&] { return master().manager.followers_without_ours() == 0; }, seconds{2})) << told();
  EXPECT_FALSE(other.manager.status().degraded);
}

TEST_F(StandbyTest, OneThatAcceptsAnyConfigurationIsNotLeftBehind) {
  follow({.configuration = 8, .sa_key = 1, .accepts_other = true});
  run_for(seconds{1});
  EXPECT_EQ(master().manager.followers_without_ours(), 0U);
}

/// Plans with findings of these kinds.
Replanner with_findings(const std::vector<verify::FindingKind>& kinds, bool accepted) {
  return [=](const fabric::Fabric& live, const Known&) -> Result<chains::Plan> {
    chains::Plan plan = test::plan_by_ports(live, true);
    for (const verify::FindingKind kind : kinds) {
      verify::Finding& finding = plan.verdict.findings.emplace_back();
      finding.kind = kind;
      finding.message = "a place";
      finding.accepted = accepted;
    }
    return plan;
  };
}

TEST_F(StandbyTest, TablesWithAnAcceptedFindingAreNotProven) {
  Station& first = add(0);
  ASSERT_TRUE(bring_up(first)) << told();
  first.manager.replan(with_findings({verify::FindingKind::credit_loop}, true), {}, 1);
  ASSERT_TRUE(run([&] { return first.manager.status().generation == 2; })) << told();
  EXPECT_FALSE(first.manager.status().proven);
  EXPECT_EQ(first.manager.status().accepted, std::vector<std::string>{"credit-loop"});
  EXPECT_FALSE(first.manager.status().degraded);
  first.manager.replan(by_ports(false), {}, 2);
  ASSERT_TRUE(bring_up(first)) << told();
  EXPECT_TRUE(first.manager.status().accepted.empty());
}

TEST_F(StandbyTest, WhatForbidsACommitIsNamed) {
  Station& first = add(0);
  ASSERT_TRUE(bring_up(first)) << told();
  first.manager.replan(
      with_findings({verify::FindingKind::credit_loop, verify::FindingKind::unreachable}, false), {}, 1);
  ASSERT_TRUE(run([&] { return first.manager.status().degraded.has_value(); })) << told();
  EXPECT_EQ(first.manager.status().degraded,
            std::string("the verdict forbids the commit: credit-loop: a place; and 1 finding more"));
}

TEST_F(StandbyTest, AnotherConfigurationIsTakenOverFromWhereThatIsAccepted) {
  Station& other = follow({.configuration = 8, .sa_key = 1, .accepts_other = true});
  kill_master();
  ASSERT_TRUE(serves(other, seconds{2})) << told();
  EXPECT_EQ(times(other, "other configuration, accepted"), 1U) << told();
}

// A master that comes back with the one that stands by in its place.
TEST_F(StandbyTest, WhoRefusedToTakeOverFollowsTheNextMaster) {
  Station& other = follow({.configuration = 8, .sa_key = 1});
  kill_master();
  run_for(std::chrono::minutes{1});
  Station& third = add(2, 5);
  ASSERT_TRUE(serves(third)) << told();
  ASSERT_TRUE(run([&] { return other.manager.following().has_value(); })) << told();
  EXPECT_FALSE(other.manager.status().degraded);
  stations.pop_back();
  ASSERT_TRUE(serves(other, seconds{2})) << told();
}

TEST_F(StandbyTest, WhoRefusedToTakeOverFollowsTheSameMasterAgain) {
  Station& other = follow({.configuration = 8, .sa_key = 1});
  fake.pull(host(0));
  ASSERT_TRUE(run([&] { return times(other, "follows no more") == 1; })) << told();
  EXPECT_FALSE(other.manager.following());
  EXPECT_TRUE(other.manager.status().degraded);
  fake.plug(host(0));
  ASSERT_TRUE(run([&] { return other.manager.following().has_value(); })) << told();
  EXPECT_EQ(other.manager.status().degraded, std::string(kOtherConfiguration));
  EXPECT_EQ(times(other, "follows no more"), 1U) << told();
}

TEST_F(StandbyTest, AHandoverOfAnotherConfigurationIsRefused) {
  add(0, 1);
  ASSERT_TRUE(bring_up(master()));
  standby_options.configuration = 8;
  Station& other = add(3, 5);
  run_for(std::chrono::minutes{2});
  EXPECT_EQ(master().state(), SmState::master) << told();
  EXPECT_EQ(other.state(), SmState::standby) << told();
}

TEST_F(StandbyTest, AHandoverAsksNoHost) {
  Reregistrations asked(fake);
  Station& other = follow();
  join(master(), 1, 7);
  run_for(seconds{3});
  asked.take();
  ManagerSettings higher;
  higher.install.manager.sm_priority = 9;
  higher.standby = standby_options;
  other.manager.replan(by_ports(false), higher, 1);
  ASSERT_TRUE(serves(other)) << told();
  EXPECT_EQ(times(other, "took over"), 1U) << told();
  EXPECT_EQ(asked.take(), 0U);
  EXPECT_EQ(members(other, 7), 1U);
}

// A cable of the master that was pulled and plugged without a trap.
TEST_F(StandbyTest, WhoWasMasterBesideAnotherTellsItWhenItGivesWay) {
  Station& other = follow();
  ManagerSettings settings;
  settings.standby = standby_options;
  other.manager.replan(by_ports(true), settings, 1);
  fake.pull(host(0), false);
  ASSERT_TRUE(serves(other)) << told();
  const auto tables = fake.lft_blocks;
  fake.plug(host(0), false);
  other.manager.sweep();
  ASSERT_TRUE(run([&] { return other.state() == SmState::standby; })) << told();
  run_for(seconds{12});
  EXPECT_EQ(master().state(), SmState::master) << told();
  EXPECT_TRUE(master().manager.status().proven) << told();
  EXPECT_EQ(times(master(), "another subnet manager was master, too"), 1U) << told();
  EXPECT_NE(fake.lft_blocks, tables) << "the other one's stand";
  EXPECT_FALSE(other.manager.status().degraded);
  EXPECT_EQ(unreachable_pairs(), 0U);
}

// What was followed is of the past once a plan was installed: it must not come back after another master
// that nobody followed.
TEST_F(StandbyTest, WhatWasFollowedOnceDoesNotComeBack) {
  Reregistrations asked(fake);
  Station& other = follow();
  kill_master();
  ASSERT_TRUE(serves(other)) << told();
  join(other, 1, 9);
  run_for(seconds{3});
  ManagerSettings follows_nobody;
  follows_nobody.standby = {.configuration = 7, .sa_key = 0};
  other.manager.replan(by_ports(false), follows_nobody, 1);
  run_for(seconds{3});
  Station& higher = add(2, 15);
  ASSERT_TRUE(serves(higher)) << told();
  ASSERT_TRUE(run([&] { return other.state() == SmState::standby; }));
  run_for(seconds{3});
  asked.take();
  stations.pop_back();
  ASSERT_TRUE(serves(other)) << told();
  EXPECT_EQ(times(other, "took over"), 1U) << told();
  EXPECT_EQ(times(other, "took over, in part"), 0U) << told();
  EXPECT_GT(asked.take(), 0U) << "hosts registered with the one between";
}

// So does what the operator left out, but for the host of the standby itself.
TEST_F(StandbyTest, WhatTheOperatorLeftOutStaysOut) {
  Station& other = follow();
  const auto part_of = [&](PortId port) { return Part{fabric.node(fabric.port(port).node).guid}; };
  ASSERT_TRUE(master().manager.isolate(part_of(host(1)), HealthAction::isolate)) << told();
  ASSERT_TRUE(master().manager.isolate(part_of(host(3)), HealthAction::report)) << told();
  run_for(seconds{5});
  ASSERT_EQ(master().manager.left_out().size(), 1U) << told();
  kill_master();
  ASSERT_TRUE(serves(other)) << told();
  EXPECT_EQ(other.manager.left_out().size(), 1U) << told();
  EXPECT_EQ(other.report.lft_blocks, 0U) << "the plan without it stays";
  EXPECT_EQ(other.manager.health().unhealthy().size(), 1U) << told();
  ASSERT_TRUE(other.manager.release(part_of(host(1)))) << told();
  run_for(seconds{5});
  EXPECT_TRUE(other.manager.left_out().empty()) << told();
}

}  // namespace
}  // namespace rch::sm
