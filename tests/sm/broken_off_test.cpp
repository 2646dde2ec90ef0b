// Updates that were broken off by the end of a process: their packets may still be in the switches.

#include "sm/stations.h"

namespace rch::sm {
namespace {

using hw::Attribute;
using std::chrono::milliseconds;

/// 4.096 us x 2^18, as `packet_life_time` says by default, in whole milliseconds and one more.
constexpr milliseconds kLifeTime{1074};

class BrokenOffTest : public test::StationsTest {
 protected:
  void SetUp() override {
    test::Station& first = add(0);
    ASSERT_TRUE(bring_up(first)) << told();
    plan_ = *first.manager.installed();
    fake.after_set = [this](const sim::Visit& visit) {
      if (visit.attribute == Attribute::linear_table && !first_write_) first_write_ = fake.now();
    };
  }
  /// Leaves the tables as the first round of an update that drains `lid` does.
  void drain(Lid lid) {
    for (auto& [at, block] : fake.lft_blocks)
      if (at.second == lid.value / fabric::ForwardingTables::kBlock)
        block[lid.value % fabric::ForwardingTables::kBlock] = kNoPath;
  }
  /// The process is killed, and another one begins at once with the plan that the first one kept. Returns how
  /// long after that it wrote the first block of a forwarding table.
  std::optional<milliseconds> restart(bool high = false) {
    stations.clear();
    const hw::TimePoint killed = fake.now();
    first_write_.reset();
    test::Station& next = add(0, 0, high);
    next.manager.start_from(plan_);
    EXPECT_TRUE(bring_up(next)) << told();
    EXPECT_EQ(unreachable_pairs(), 0U);
    if (!first_write_) return std::nullopt;
    return std::chrono::duration_cast<milliseconds>(*first_write_ - killed);
  }
  /// While an update is written.
  struct Told {
    std::uint64_t lids = 0, pairs = 0;
    milliseconds waits{};
  };
  /// What the manager tells until it is installed, at most.
  Told told_until_installed(test::Station& station) {
    Told most;
    run([&] {
      const Status status = station.manager.status();
      most.pairs = std::max(most.pairs, status.pairs_without_path);
      if (status.update) {
        most.lids = std::max(most.lids, status.update->drained_lids);
        most.waits = std::max(most.waits, status.update->waits);
      }
      return status.proven && status.state == hw::SmState::master && !status.update;
    });
    return most;
  }
  Lid lid_of_a_host() const { return plan_.fabric->port(host(3)).lid; }

  chains::Plan plan_;
  std::optional<hw::TimePoint> first_write_;
};

TEST_F(BrokenOffTest, ARestartAfterADrainWaitsUntilPacketsAreGone) {
  drain(lid_of_a_host());
  const auto waited = restart();
  ASSERT_TRUE(waited);
  EXPECT_GE(*waited, kLifeTime);
  EXPECT_LT(*waited, 2 * kLifeTime) << "it waits once";
}

// Five other hosts have no path to the drained one until the packets of the first update are gone.
TEST_F(BrokenOffTest, WhileItWaitsTheStatusCountsWhatHasNoPath) {
  drain(lid_of_a_host());
  stations.clear();
  test::Station& next = add(0);
  next.manager.start_from(plan_);
  const Told told = told_until_installed(next);
  EXPECT_EQ(told.lids, 1U);
  EXPECT_EQ(told.pairs, 5U);
  EXPECT_GT(told.waits, milliseconds{1000});
  const Status status = next.manager.status();
  EXPECT_EQ(status.pairs_without_path, 0U) << "they have one again";
  EXPECT_NEAR(next.manager.counters().pair_seconds, 5 * 1.074, 0.5);
}

TEST_F(BrokenOffTest, NothingHasNoPathWhereNothingWasBrokenOff) {
  stations.clear();
  test::Station& next = add(0, 0, true);
  next.manager.start_from(plan_);
  const Told told = told_until_installed(next);
  EXPECT_EQ(told.lids, 0U);
  EXPECT_EQ(told.pairs, 0U);
  EXPECT_EQ(told.waits.count(), 0);
}

TEST_F(BrokenOffTest, ARestartWithAnotherPlanWaitsIfTheTablesAreNotThoseOfTheLast) {
  drain(lid_of_a_host());
  const auto waited = restart(true);
  ASSERT_TRUE(waited);
  EXPECT_GE(*waited, kLifeTime);
}

// The tables are those of the plan that was kept: no update had begun.
TEST_F(BrokenOffTest, ARestartWithAnotherPlanDoesNotWaitIfTheTablesAreThoseOfTheLast) {
  const auto waited = restart(true);
  ASSERT_TRUE(waited);
  EXPECT_LT(*waited, kLifeTime);
}

TEST_F(BrokenOffTest, ARestartWithoutAChangeWritesNothing) { EXPECT_FALSE(restart()); }

// Nobody knows what was installed before.
TEST_F(BrokenOffTest, AStartWithoutAPlanWaits) {
  stations.clear();
  const hw::TimePoint began = fake.now();
  first_write_.reset();
  ASSERT_TRUE(bring_up(add(0, 0, true))) << told();
  ASSERT_TRUE(first_write_);
  EXPECT_GE(*first_write_ - began, kLifeTime);
}

/// The first start finds switches that forward nothing.
TEST_F(BrokenOffTest, TheFirstStartDoesNotWait) {
  sim::SimulatedFabric empty{fabric, host(0)};
  sim::SimulatedPort port(empty, host(0));
  hw::Driver driver(port, {});
  const hw::TimePoint began = empty.now();
  const auto report = driver.wait(apply(
      driver,
      [](const fabric::Fabric& live) -> Result<chains::Plan> { return test::plan_by_ports(live, false); },
      {}));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_LT(empty.now() - began, kLifeTime);
}

// A node that falls silent ends an update between its writes. The next attempt begins where that was.
TEST_F(BrokenOffTest, AnUpdateThatFailedIsFollowedByAWait) {
  hw::TimePoint failed{};
  bool is_silent = true;
  fake.lose_request = [&](const sim::Visit& visit) {
    const bool lost = is_silent && visit.method == hw::Method::set && visit.node == NodeId(0) &&
                      visit.attribute == Attribute::linear_table;
    if (lost) failed = fake.now();
    return lost;
  };
  drain(lid_of_a_host());
  test::Station& station = *stations.front();
  const auto by_high_ports = [](const fabric::Fabric& live, const Known&) -> Result<chains::Plan> {
    return test::plan_by_ports(live, true);
  };
  station.manager.replan(by_high_ports, {}, 1);
  ASSERT_TRUE(run([&] { return station.manager.status().degraded.has_value(); })) << told();
  is_silent = false;
  first_write_.reset();
  const hw::TimePoint noted = fake.now();
  station.manager.sweep();
  ASSERT_TRUE(run([&] { return station.manager.status().proven && first_write_; })) << told();
  EXPECT_GE(*first_write_ - noted, kLifeTime);
  EXPECT_GT(noted, failed);
}

}  // namespace
}  // namespace rch::sm
