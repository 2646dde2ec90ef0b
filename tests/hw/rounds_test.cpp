// Tables that are written in rounds (docs/decisions/0009).

#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "fabric/fabric_builder.h"
#include "hw/commit_fixture.h"
#include "hw/discovery.h"
#include "hw/driver.h"
#include "hw/simple_routing.h"

namespace rch::hw {
namespace {

using sim::Visit;
using test::Commit;

/// A fabric that works, and an update in two rounds: LID 7 is taken away, then everything is the target
/// again.
class TwoRounds : public Commit {
 protected:
  void SetUp() override {
    ASSERT_TRUE(run({}, true));
    fake.lose_request = [&](const Visit& visit) {
      if (visit.attribute == Attribute::linear_table || visit.attribute == Attribute::sl2vl)
        seen.push_back({visit, fake.now()});
      return false;
    };
  }

  Result<CommitReport> change(bool maps_between) {
    Driver driver(fake, {.retries = 2});
    driver.stop_when(stop);
    const auto live = driver.wait(discover(driver));
    const auto lids = test::simple_lids(live->fabric, 0);
    tables = test::simple_tables(*fabric::with_lids(live->fabric, lids), true);
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) fake.lft_blocks[{SwitchId(s), 0}][11] ^= 1;
    if (maps_between) fake.sl2vl.begin()->second[0] ^= 0x10;
    const auto prepared = driver.wait(prepare(driver, *live, lids, tables, {}));
    if (!prepared) return tl::unexpected(prepared.error());
    EXPECT_EQ(prepared->delta.lft_blocks.size(), 5U);
    EXPECT_EQ(prepared->installed.lfts.at(SwitchId(0), Lid(11)), tables.lfts.at(SwitchId(0), Lid(11)) ^ 1);
    EXPECT_EQ(prepared->installed.sl2vl.empty(), !maps_between);
    std::vector<fabric::WriteRound> rounds(2, fabric::one_round(prepared->delta.lft_blocks, tables.lfts));
    for (fabric::BlockWrite& write : rounds[0].writes) write.entries[7] = kNoPath;
    rounds[0].waits = true;
    rounds[0].drains = drains;
    rounds[1].maps_first = maps_between;
    seen.clear();
    return driver.wait(commit(driver, *live, tables, *prepared, rounds, {}, nullptr));
  }

  static bool is_first(const Visit& visit) {
    return visit.attribute == Attribute::linear_table && visit.data[7] == kNoPath;
  }
  struct Seen {
    Visit visit;
    Clock::time_point at;
  };
  /// Sets of tables in their order: 1 and 2 for blocks of the rounds, m for an SL2VL map.
  std::string order() const {
    std::string text;
    for (const Seen& s : seen)
      if (s.visit.method == Method::set)
        text += s.visit.attribute == Attribute::sl2vl ? 'm' : is_first(s.visit) ? '1' : '2';
    return text;
  }

  /// The operator wants to stop once a block of the first round is set.
  void stop_in_the_first_round() {
    fake.lose_answer = [&](const Visit& visit) {
      if (visit.method == Method::set && is_first(visit)) stop = true;
      return false;
    };
  }

  std::vector<Seen> seen;  ///< of tables
  std::atomic<bool> stop = false;
  bool drains = false;  ///< LID 7 is drained by the first round
};

TEST_F(TwoRounds, GoOneAfterTheOtherWithALifeTimeBetween) {
  const auto report = change(false);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->lft_blocks, 10U);
  EXPECT_EQ(order(), "1111122222");
  Clock::time_point last_of_first{}, first_of_second = Clock::time_point::max();
  for (const Seen& s : seen) {
    if (s.visit.method == Method::set && is_first(s.visit)) last_of_first = std::max(last_of_first, s.at);
    if (s.visit.method == Method::set && !is_first(s.visit))
      first_of_second = std::min(first_of_second, s.at);
  }
  EXPECT_GE(first_of_second - last_of_first, std::chrono::microseconds(1073742)) << "4.096 us x 2^18";
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    EXPECT_EQ(fake.lft_blocks.at({SwitchId(s), 0})[7], tables.lfts.at(SwitchId(s), Lid(7)));
}

TEST_F(TwoRounds, MapsGoWhereTheirRoundSays) {
  const auto report = change(true);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(order(), "11111m22222");
}

// A switch that has not acknowledged may hold the old block: nothing of the next round may be on its way.
TEST_F(TwoRounds, LostAnswersDelayTheNextRound) {
  std::set<NodeId> lost;
  fake.lose_answer = [&](const Visit& visit) {
    return visit.method == Method::set && is_first(visit) && lost.insert(visit.node).second;
  };
  const auto report = change(false);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->smps.resent, 5U);
  EXPECT_EQ(order(), "111111111122222");
}

TEST_F(TwoRounds, ARoundThatIsNotAcknowledgedIsTheLast) {
  fake.lose_answer = [&](const Visit& visit) {
    return visit.method == Method::set && is_first(visit) && visit.node == NodeId(3);
  };
  const auto report = change(false);
  ASSERT_FALSE(report);
  EXPECT_EQ(
      report.error().message,
      "`switch 3` port 0 (0x0000000000100018, route 0,1,3) does not answer when block 0 of its forwarding "
      "table is set");
  EXPECT_EQ(order().find('2'), std::string::npos) << order();
}

TEST_F(TwoRounds, ThatAreInButReadOtherwiseAreNotFollowed) {
  fake.bend = [](const Visit& visit, SmpData& answer) {
    if (visit.method == Method::get && visit.attribute == Attribute::linear_table &&
        visit.node == NodeId(2) && answer[7] == kNoPath)
      answer[9] ^= 1;
  };
  ASSERT_FALSE(change(false));
  EXPECT_EQ(order(), "11111");
}

TEST_F(TwoRounds, EndAfterTheRoundInWhichTheOperatorStopsThem) {
  stop_in_the_first_round();
  const auto report = change(false);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().cause, "stopped");
  EXPECT_EQ(report.error().message,
            "stopped between two rounds: every pair that had a path has one; run again to go on");
  EXPECT_EQ(order(), "11111");
  stop = false;
  ASSERT_TRUE(run({}, true));
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    EXPECT_EQ(fake.lft_blocks.at({SwitchId(s), 0})[7], tables.lfts.at(SwitchId(s), Lid(7)));
}

TEST_F(TwoRounds, GoOnToTheEndOfADrain) {
  drains = true;
  stop_in_the_first_round();
  const auto report = change(false);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(order(), "1111122222");
}

TEST_F(TwoRounds, DoNotBeginWhenTheOperatorStopsBefore) {
  fake.lose_request = [&](const Visit& visit) {
    stop = stop || visit.attribute == Attribute::linear_table;
    return false;
  };
  fake.sets.clear();
  EXPECT_FALSE(change(false));
  EXPECT_TRUE(fake.sets.empty());
}

TEST(PacketLifeTime, IsThatOfItsCode) {
  EXPECT_EQ(packet_life_time({.packet_life_time = 0x12}), Milliseconds(1074));
  EXPECT_EQ(packet_life_time({.packet_life_time = 0x1F}), Milliseconds(2148)) << "for ever is not waited";
}

}  // namespace
}  // namespace rch::hw
