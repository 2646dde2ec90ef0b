// Two masters, each of its part of the fabric, that a cable brings together.

#include <random>

#include "sm/stations.h"

namespace rch::sm {
namespace {

using hw::SmState;
using sim::Visit;
using std::chrono::milliseconds;
using std::chrono::seconds;
using test::Station;

struct Ranks {
  std::uint8_t first, second, as_master;
  bool first_stays;
};

/// One run, in which what is not fixed is drawn from a seed.
class Meeting : public test::StationsTest {
 public:
  explicit Meeting(unsigned seed) : draw_(seed) {}
  void TestBody() override {}

  void run_with(const Ranks& ranks) {
    divide();
    as_master = ranks.as_master;
    Station& first = add(0, ranks.first);
    Station& second = add(2, ranks.second);
    ASSERT_TRUE(run([&] { return serves(first) && serves(second); })) << told();
    run_for(milliseconds{draw_() % 12000});
    join();
    Station& stays = ranks.first_stays ? first : second;
    const Station& yields = ranks.first_stays ? second : first;
    std::size_t fewest = 2, most = 0;
    const auto is_settled = [&] {
      fewest = std::min(fewest, masters());
      return serves(stays) && yields.state() == SmState::standby && unreachable_pairs() == 0;
    };
    ASSERT_TRUE(run_drawn(is_settled, seconds{60})) << told();
    const auto count = [&] {
      fewest = std::min(fewest, masters());
      most = std::max(most, masters());
      return false;
    };
    run_drawn(count, seconds{15});
    EXPECT_EQ(fewest, 1U) << "there is a master at each moment\n" << told();
    EXPECT_EQ(most, 1U) << told();
    EXPECT_TRUE(serves(stays)) << told();
  }

 private:
  /// The first leaf and the first spine are one part, all others the other one. They have a cable each.
  void divide() {
    const NodeId leaf = leaf_of(host(0));
    for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
      const fabric::Port& port = fabric.port(PortId(p));
      if (port.peer.is_none() || !fabric.is_switch(port.node) || !is_spine(fabric.port(port.peer).node))
        continue;
      const NodeId spine = fabric.port(port.peer).node;
      if (spine_of_part_.is_none()) spine_of_part_ = spine;
      const bool crosses = (port.node == leaf) != (spine == spine_of_part_);
      if (!crosses) continue;
      fake.pull(PortId(p), false);
      crossing_.push_back(PortId(p));
    }
  }
  NodeId leaf_of(PortId end) const { return fabric.port(fabric.port(end).peer).node; }
  bool is_spine(NodeId node) const {
    return fabric.is_switch(node) && fabric.end_ports_of(SwitchId(node.value)).empty();
  }
  /// Plugs one of the cables between the parts, or more.
  void join() {
    const std::size_t slowest = draw_() % 30;
    fake.delays = [this, slowest](const Visit&) {
      return std::vector<milliseconds>{milliseconds{slowest == 0 ? 0 : draw_() % slowest}};
    };
    for (const PortId cable : crossing_)
      if (cable == crossing_.front() || draw_() % 2 == 0) fake.plug(cable, draw_() % 2 == 0);
  }
  /// Runs the stations in a drawn order until `done`.
  bool run_drawn(const std::function<bool()>& done, milliseconds most) {
    for (const auto end = fake.now() + most; fake.now() < end;) {
      if (done()) return true;
      Station& station = *stations[draw_() % stations.size()];
      station.driver.carry_out();
      const bool arrived = !station.port.nothing_arrived();
      if (arrived && draw_() % 4 != 0) {
        station.driver.receive();
      } else if (std::ranges::all_of(stations, [](const auto& s) { return s->port.nothing_arrived(); })) {
        for (const auto& s : stations) s->driver.carry_out();
        next_event().driver.receive();
      }
    }
    return done();
  }
  Station& next_event() {
    return **std::ranges::min_element(
        stations, {}, [](const auto& s) { return std::min(s->driver.deadline(), s->port.next_arrival()); });
  }
  std::size_t masters() const {
    return static_cast<std::size_t>(
        std::ranges::count(stations, SmState::master, [](const auto& s) { return s->state(); }));
  }

  static bool serves(const Station& station) {
    return station.state() == SmState::master && station.manager.status().proven;
  }

  std::mt19937 draw_;
  std::vector<PortId> crossing_;  ///< cables between the parts
  NodeId spine_of_part_ = NodeId::none();
};

TEST(MeetingMasters, TheHigherRankStaysAndNoMomentIsWithoutAMaster) {
  constexpr Ranks kRanks[] = {{0, 0, 0, true}, {0, 0, 14, true}, {14, 15, 14, false}, {15, 14, 14, true}};
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Meeting(seed).run_with(kRanks[seed % std::size(kRanks)]);
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

}  // namespace
}  // namespace rch::sm
