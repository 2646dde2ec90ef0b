// A master that stands still, or whose host is dead, while its port shows a subnet manager.

#include <map>

#include "sm/stations.h"

namespace rch::sm {
namespace {

using hw::SmState;
using sim::Visit;
using std::chrono::milliseconds;
using std::chrono::seconds;
using test::Station;

class HungMaster : public test::StationsTest {
 protected:
  HungMaster() {
    poll_every = milliseconds{200};
    as_master = 14;
    fake.on_visit = [this](std::size_t client, const Visit& visit) {
      if (hw::is_guarded(visit.method, visit.attribute)) ++written[fake.origin_of(client)];
    };
  }
  bool serves(const Station& station) const {
    return station.state() == SmState::master && station.manager.status().proven;
  }
  std::map<PortId, std::size_t> written;  ///< Sets, apart from those of SMInfo, by the port of the manager
};

// It never had the mastership, and `rch run` has no flag to take it.
TEST_F(HungMaster, AStandbyTellsWhyItStandsByFromTheStart) {
  Station& master = add(0, 5);
  ASSERT_TRUE(bring_up(master));
  Station& standby = add(3, 1);
  ASSERT_TRUE(run([&] { return standby.state() == SmState::standby; })) << told();
  ASSERT_FALSE(standby.reasons.empty());
  EXPECT_THAT(standby.reasons.front(), testing::StartsWith("the fabric has a master subnet manager: 0x"));
  EXPECT_THAT(standby.reasons.front(), testing::Not(testing::HasSubstr("--takeover")));
  const auto takeover = standby.manager.takeover();
  ASSERT_TRUE(takeover);
  EXPECT_EQ(takeover->polls, 4U);
  EXPECT_EQ(takeover->missed, 0U);
  EXPECT_EQ(takeover->every, poll_every);
  EXPECT_FALSE(master.manager.takeover());
}

TEST_F(HungMaster, IsReplacedWhenItMissedAllPolls) {
  Station& master = add(0, 5);
  ASSERT_TRUE(bring_up(master));
  Station& standby = add(3, 1);
  ASSERT_TRUE(run([&] { return standby.manager.following().has_value(); })) << told();
  master.stopped = true;
  const hw::TimePoint stopped_at = fake.now();
  ASSERT_TRUE(run([&] { return standby.manager.status().degraded.has_value(); })) << told();
  EXPECT_THAT(*standby.manager.status().degraded,
              testing::HasSubstr("does not answer as master: 1 of 4 polls missed"));
  ASSERT_TRUE(run([&] { return serves(standby); })) << told();
  EXPECT_LT(fake.now() - stopped_at, seconds{5}) << told();
  EXPECT_FALSE(standby.manager.status().degraded);
  EXPECT_EQ(unreachable_pairs(), 0U);

  written.clear();
  master.stopped = false;
  ASSERT_TRUE(run([&] { return master.state() == SmState::standby; }, seconds{5})) << told();
  EXPECT_FALSE(master.manager.status().proven);
  EXPECT_EQ(master.manager.followers(), 0U);
  run_for(std::chrono::minutes{2});
  EXPECT_TRUE(master.manager.following());
  EXPECT_THAT(master.told, testing::Not(testing::Contains(testing::HasSubstr("missed")))) << told();
  EXPECT_EQ(written[host(0)], 0U) << told();
  EXPECT_EQ(master.state(), SmState::standby) << told();
  EXPECT_TRUE(serves(standby)) << told();
}

TEST_F(HungMaster, ThatAnswersInTimeStaysMaster) {
  Station& master = add(0, 5);
  ASSERT_TRUE(bring_up(master));
  Station& standby = add(3, 1);
  ASSERT_TRUE(run([&] { return standby.manager.following().has_value(); })) << told();
  for (int times = 0; times < 10; ++times) {
    master.stopped = true;
    run_for(milliseconds{650});
    master.stopped = false;
    run_for(seconds{3});
  }
  EXPECT_TRUE(serves(master)) << told();
  EXPECT_EQ(standby.state(), SmState::standby) << told();
  EXPECT_FALSE(standby.manager.status().degraded) << told();
  EXPECT_TRUE(standby.manager.following()) << told();
}

TEST_F(HungMaster, IsReplacedByOneThatComesUpBesideIt) {
  Station& master = add(0, 5);
  ASSERT_TRUE(bring_up(master));
  run_for(seconds{20});
  master.stopped = true;
  Station& fresh = add(3, 1);
  ASSERT_TRUE(run([&] { return serves(fresh); }, seconds{30})) << told();
  master.stopped = false;
  ASSERT_TRUE(run([&] { return master.state() == SmState::standby; }, seconds{5})) << told();
  EXPECT_TRUE(serves(fresh)) << told();
}

TEST_F(HungMaster, MayBeADeadHostBehindItsLink) {
  Station& master = add(0, 5);
  ASSERT_TRUE(bring_up(master));
  Station& standby = add(3, 1);
  ASSERT_TRUE(run([&] { return standby.manager.following().has_value(); })) << told();
  master.stopped = true;
  const NodeId dead = fabric.port(host(0)).node;
  fake.lose_request = [dead](const Visit& visit) { return visit.node == dead; };
  ASSERT_TRUE(run([&] { return serves(standby); }, seconds{60})) << told();
  EXPECT_EQ(unreachable_pairs([&](PortId port) { return port != host(0); }), 0U);
  EXPECT_EQ(standby.manager.left_out().size(), 1U);
}

/// A master that stands still after so many of its writes, and wakes up when another one is master.
class Sleeper : public HungMaster {
 public:
  void TestBody() override {}

  /// False: the master did not write so often.
  bool stood_still_after(std::size_t writes) {
    const PortId own = host(0);
    std::size_t sets = 0;
    bool stood_still = false;
    Station& standby = add(3, 1);
    Station& master = add(0, 5);
    fake.on_visit = [&](std::size_t client, const Visit& visit) {
      if (fake.origin_of(client) == own && hw::is_guarded(visit.method, visit.attribute)) ++sets;
    };
    fake.after_set = [&](const Visit&) {
      if (stood_still || sets != writes) return;
      stood_still = master.stopped = true;
      EXPECT_TRUE(run([&] { return serves(standby); }, seconds{60})) << told();
      master.stopped = false;
      sets = 0;
    };
    EXPECT_TRUE(run([&] { return serves(stood_still ? standby : master); }, seconds{60})) << told();
    if (!stood_still) return false;
    EXPECT_TRUE(run([&] { return master.state() == SmState::standby; }, seconds{30})) << told();
    run_for(seconds{30});
    EXPECT_EQ(sets, 0U) << told();
    EXPECT_TRUE(serves(standby)) << told();
    EXPECT_EQ(unreachable_pairs(), 0U);
    return true;
  }
};

// It must not write what it had in hand, wherever it stood still.
TEST(MasterThatStoodStill, WritesNothingWhenItWakesUpBetweenAnyTwoWrites) {
  std::size_t places = 0;
  while (Sleeper().stood_still_after(places + 1)) {
    ++places;
    ASSERT_FALSE(testing::Test::HasFailure()) << "after " << places << " writes";
  }
  EXPECT_GT(places, 40U);
}

}  // namespace
}  // namespace rch::sm
