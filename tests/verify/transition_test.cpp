// Changes of tables under traffic, judged by following packets through every state (docs/decisions/0009).

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>
#include <tbb/global_control.h>

#include "brute_force.h"
#include "change_riddle.h"
#include "traffic.h"
#include "verify/transition/update_plan.h"

namespace rch::verify {
namespace {

using test::ChangeRiddle;
using test::Traffic;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Packets = Traffic::Packets;

using ToSwitches = Traffic::ToSwitches;

Traffic traffic_of(const ChangeRiddle& riddle, ToSwitches to_switches) {
  return {riddle.fabric(), riddle.installed(), riddle.target(), riddle.previous(), to_switches};
}

/// Packets that the plan was judged for.
ToSwitches judged(const ChangeRiddle& riddle, const UpdatePlan& plan) {
  if (!riddle.switch_lids_sound()) return ToSwitches::none;
  return plan.judged && plan.switch_packets == SwitchPackets::to_former_hosts ? ToSwitches::former_hosts
                                                                              : ToSwitches::all;
}

/// Plays rounds with the writes of each in a random order; first trouble that is met, if any.
std::string play(const ChangeRiddle& riddle, const std::vector<fabric::WriteRound>& rounds,
                 std::uint64_t seed, ToSwitches to_switches = ToSwitches::all) {
  std::mt19937_64 random(seed);
  Traffic traffic = traffic_of(riddle, to_switches);
  if (const std::string trouble = traffic.trouble(); !trouble.empty()) return "installed: " + trouble;
  bool maps_written = false;
  for (std::size_t b = 0; b < rounds.size(); ++b) {
    // From the first map or target entry on, hosts may ask for path records again.
    if (!rounds[b].drains && !maps_written) traffic.meet(Packets::during);
    if (rounds[b].maps_first) {
      if (const std::string trouble = traffic.trouble(); !trouble.empty()) return "maps: " + trouble;
      traffic.meet(Packets::after);
      maps_written = true;
    }
    std::vector<fabric::BlockWrite> writes = rounds[b].writes;
    std::ranges::shuffle(writes, random);
    for (const fabric::BlockWrite& write : writes) {
      traffic.write(write);
      if (const std::string trouble = traffic.trouble(); !trouble.empty())
        return "round " + std::to_string(b) + ": " + trouble;
    }
    if (rounds[b].waits) traffic.wait();
  }
  const bool done = (traffic.tables() == riddle.target().lfts);
  return done ? "" : "the tables are not as target";
}

fabric::WriteRound all_at_once(const ChangeRiddle& riddle) {
  return fabric::one_round(riddle.change().blocks, riddle.target().lfts);
}

/// Half of the riddles.
test::Owners owners_of(std::uint64_t seed) { return seed % 2 == 0 ? test::Owners::all : test::Owners::hosts; }

// Also packets that came by entries that are gone meet no cycle, and what cannot go at once
// gets there anyway.
void meets_no_loop(const ChangeRiddle& riddle, const ChannelDependencyGraph* proven, std::uint64_t seed) {
  const UpdatePlan plan = plan_update(riddle.change(), proven);
  if (plan.only_static) return;
  if (!plan.at_once) RC_ASSERT(plan.rounds.size() <= 1);
  for (std::uint64_t order = 0; order < 3; ++order)
    RC_ASSERT(play(riddle, plan.rounds, seed + order, judged(riddle, plan)) == "");
}

RC_GTEST_PROP(UpdatePlan, MeetsNoLoopInAnyOrderOfWrites, (std::uint64_t seed)) {
  const ChangeRiddle riddle(seed, owners_of(seed));
  meets_no_loop(riddle, nullptr, seed);
  ChannelDependencyGraph proven;
  if (verify(riddle.fabric(), riddle.target(), {.graph = &proven}).findings.empty())
    meets_no_loop(riddle, &proven, seed);
}

/// Packets that every switch sends by both tables.
bool transient_state_is_unsafe(const ChangeRiddle& riddle, ToSwitches to_switches) {
  Traffic traffic = traffic_of(riddle, to_switches);
  traffic.meet(Packets::during);
  traffic.be_transient();
  return !traffic.trouble().empty();
}

/// Hosts that keep the service levels of the previous tables make the target tables unsafe.
bool hosts_are_at_risk(const ChangeRiddle& riddle, ToSwitches to_switches) {
  Traffic after = traffic_of(riddle, to_switches);
  after.meet(Packets::after);
  after.finish();
  return riddle.previous() && !after.trouble().empty();
}

/// No order of writes is safe.
bool is_static(const ChangeRiddle& riddle, ToSwitches to_switches) {
  return transient_state_is_unsafe(riddle, to_switches) &&
         (hosts_are_at_risk(riddle, to_switches) || !traffic_of(riddle, to_switches).trouble().empty());
}

// The transition graph is exact: it has a cycle if and only if packets that may meet either table do.
RC_GTEST_PROP(UpdatePlan, SeesWhatPacketsThatMeetEitherTableDo, (std::uint64_t seed)) {
  const ChangeRiddle riddle(seed, owners_of(seed));
  const UpdatePlan plan = plan_update(riddle.change());
  const ToSwitches to_switches = judged(riddle, plan);
  RC_ASSERT(plan.at_once.has_value() == transient_state_is_unsafe(riddle, to_switches));
  RC_ASSERT(plan.hosts_at_risk == (plan.at_once && hosts_are_at_risk(riddle, to_switches)));
  RC_ASSERT(plan.only_static.has_value() == is_static(riddle, to_switches));
  const bool asked_for_all = riddle.switch_lids_sound() && !loses_packets(riddle.change());
  RC_ASSERT(plan.to_switches.has_value() == (asked_for_all && is_static(riddle, ToSwitches::all)));
}

// What a static change waits for is all that is wrong with it.
RC_GTEST_PROP(UpdatePlan, AddsNothingToUnsoundTables, (std::uint64_t seed)) {
  const ChangeRiddle riddle(seed, owners_of(seed));
  const UpdatePlan plan = plan_update(riddle.change());
  if (!plan.only_static || plan.hosts_at_risk) return;
  RC_ASSERT(plan.rounds.size() == 2U);
  RC_ASSERT(plan.rounds[0].waits);
  Traffic traffic = traffic_of(riddle, judged(riddle, plan));
  for (const fabric::BlockWrite& write : plan.rounds[0].writes) traffic.write(write);
  traffic.wait();
  traffic.meet(Packets::during);
  RC_ASSERT(traffic.trouble() == "");
  if (plan.rounds[1].maps_first) traffic.meet(Packets::after);
  for (const fabric::BlockWrite& write : plan.rounds[1].writes) {
    RC_ASSERT(traffic.trouble() == "");
    traffic.write(write);
  }
  RC_ASSERT(traffic.trouble() == "");
  RC_ASSERT((traffic.tables() == riddle.target().lfts));
}

bool same(const UpdatePlan& a, const UpdatePlan& b) {
  const auto texts = [](const UpdatePlan& l) {
    return std::pair(l.at_once ? l.at_once->message : "", l.only_static ? l.only_static->message : "");
  };
  const auto same_batch = [](const fabric::WriteRound& x, const fabric::WriteRound& y) {
    return x.waits == y.waits && x.maps_first == y.maps_first && x.drains == y.drains &&
           std::ranges::equal(x.writes, y.writes, [](const auto& p, const auto& q) {
             return p.at.sw == q.at.sw && p.at.block == q.at.block && p.entries == q.entries;
           });
  };
  return texts(a) == texts(b) && a.outwards == b.outwards && a.drained == b.drained &&
         std::ranges::equal(a.rounds, b.rounds, same_batch);
}

// Rounds of hosts go at once beside the target tables. What a later round must wait for has dependencies that
// they share with the target.
TEST(UpdatePlan, RemembersWhatMovesShareWithTheTarget) {
  const std::uint64_t seed = 142209734116;
  const ChangeRiddle riddle(seed, owners_of(seed));
  ChannelDependencyGraph proven;
  ASSERT_TRUE(verify(riddle.fabric(), riddle.target(), {.graph = &proven}).findings.empty());
  const UpdatePlan plan = plan_update(riddle.change(), &proven);
  ASSERT_FALSE(plan.outwards.empty());
  for (std::uint64_t order = 0; order < 30; ++order)
    EXPECT_EQ(play(riddle, plan.rounds, order, judged(riddle, plan)), "") << order;
}

RC_GTEST_PROP(UpdatePlan, DependsNeitherOnThreadsNorOnWhatIsKnown, (std::uint64_t seed)) {
  const ChangeRiddle riddle(seed, owners_of(seed));
  ChannelDependencyGraph proven;
  verify(riddle.fabric(), riddle.target(), {.graph = &proven});
  const auto with_threads = [&](std::size_t threads, const ChannelDependencyGraph* graph) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return plan_update(riddle.change(), graph);
  };
  const UpdatePlan one = with_threads(1, nullptr);
  RC_ASSERT(same(one, with_threads(2, nullptr)));
  RC_ASSERT(same(one, with_threads(2, &proven)));
}

// The riddles are worth asking: every step of a plan is used, and a plan has rounds only where it must.
TEST(ChangeRiddles, HaveEveryAnswer) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const ChangeRiddle riddle(seed);
    UpdatePlan plan = plan_update(riddle.change());
    ++seen[!plan.at_once ? "at once" : plan.only_static ? "static" : "plan"];
    if (!plan.at_once || plan.only_static) continue;
    seen["outwards"] += !plan.outwards.empty();
    seen["drained"] += !plan.drained.empty();
    bool met = false, unwaited = false;
    for (fabric::WriteRound& round : plan.rounds) round.waits = false;
    for (std::uint64_t order = 0; order < 10; ++order) {
      met = met || !play(riddle, {all_at_once(riddle)}, order).empty();
      unwaited = unwaited || !play(riddle, plan.rounds, order).empty();
    }
    seen["met at once"] += met;
    seen["met without waiting"] += unwaited;
  }
  EXPECT_GT(seen["at once"], 100);
  EXPECT_GT(seen["static"], 10);
  EXPECT_GT(seen["plan"], 60);
  EXPECT_GT(seen["outwards"], 2);
  EXPECT_GT(seen["drained"], 10);
  EXPECT_GE(seen["met at once"], seen["plan"] * 9 / 10);
  EXPECT_GT(seen["met without waiting"], seen["plan"] / 2);
}

// Packets to LIDs of switches ask for rounds that packets to hosts do not, and each reason to leave them out
// is met.
TEST(ChangeRiddles, HavePacketsToSwitchesThatMatter) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const ChangeRiddle riddle(seed, test::Owners::all);
    Change change = riddle.change();
    const UpdatePlan plan = plan_update(change);
    const auto is_of_switch = [&](Lid lid) {
      const auto owner = riddle.fabric().lid_owner(lid);
      return owner && riddle.fabric().is_switch(riddle.fabric().port(*owner).node);
    };
    const bool drains_hosts = !std::ranges::all_of(plan.drained, is_of_switch);
    if (plan.to_switches) {
      EXPECT_TRUE(plan.only_static || plan.to_switches->kind == FindingKind::credit_loop) << seed;
      ++seen["closed before"];
    } else if (plan.switch_packets == SwitchPackets::to_former_hosts) {
      ++seen[loses_packets(change) ? "hosts lose packets" : "hosts are spared"];
    }
    if (plan.switch_packets == SwitchPackets::none) ++seen["closed by the target"];
    if (plan.switch_packets != SwitchPackets::all || plan.only_static) continue;
    seen["switches are drained"] += !plan.drained.empty() && !drains_hosts;
    change.switch_packets = SwitchPackets::to_former_hosts;
    if (plan.at_once && !plan_update(change).at_once) {
      EXPECT_EQ(plan.at_once->kind, FindingKind::credit_loop);
      seen["more rounds"] += plan.rounds.size() > 1;
    }
  }
  for (const char* answer : {"closed before", "closed by the target", "hosts lose packets", "more rounds",
                             "hosts are spared", "switches are drained"})
    EXPECT_GT(seen[answer], 3) << answer;
}

/// Dependencies of both tables together, without transient paths, have a cycle.
bool union_is_dangerous(const ChangeRiddle& riddle) {
  test::BruteForce all = test::brute_force(riddle.fabric(), riddle.installed(), {});
  const test::BruteForce more = test::brute_force(riddle.fabric(), riddle.target(), {});
  for (const auto& [channel, after] : more.dependents)
    all.dependents[channel].insert(after.begin(), after.end());
  return std::ranges::any_of(all.dependents,
                             [&](const auto& entry) { return all.shortest_cycle(entry.first) > 0; });
}

// Both tables together have no cycle, and yet some transient path closes one (docs/decisions/0009).
TEST(UpdatePlan, HasRoundsWhereTheUnionOfBothTablesIsFree) {
  const ChangeRiddle riddle(13);
  ASSERT_FALSE(union_is_dangerous(riddle));
  const UpdatePlan plan = plan_update(riddle.change());
  ASSERT_TRUE(plan.at_once);
  EXPECT_EQ(plan.at_once->kind, FindingKind::credit_loop);
  EXPECT_EQ(plan.at_once->message,
            "a credit loop of 4 channels can form (4 channels lie on such cycles): "
            "`switch 0` (0x0000000000100000) port 5 VL 0 [to LID 6, installed] -> "
            "`switch 2` (0x0000000000100010) port 4 VL 0 [to LID 8, installed] -> "
            "`switch 3` (0x0000000000100018) port 5 VL 0 [to LID 132, target] -> "
            "`switch 7` (0x0000000000100038) port 3 VL 0 [to LID 135, installed] -> "
            "`switch 0` (0x0000000000100000) again");
  EXPECT_EQ(plan.rounds.size(), 3U);
  EXPECT_THAT(plan.outwards, IsEmpty());
  EXPECT_THAT(plan.drained, IsEmpty());
  for (std::uint64_t order = 0; order < 50; ++order) EXPECT_EQ(play(riddle, plan.rounds, order), "");
  EXPECT_EQ(play(riddle, {all_at_once(riddle)}, 0), "round 0: credit loop");
}

TEST(UpdatePlan, RepairsEntriesThatLeadNowhereFirst) {
  int repaired = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const ChangeRiddle riddle(seed);
    const UpdatePlan plan = plan_update(riddle.change());
    if (!plan.at_once || plan.only_static) continue;
    const auto losses = [&](const fabric::ForwardingTables& tables) {
      int count = 0;
      for (const fabric::EndPort& host : riddle.fabric().end_ports())
        for (std::uint32_t s = 0; s < riddle.fabric().switch_count(); ++s)
          count += tables.at(SwitchId(s), host.lid) > riddle.fabric().node(SwitchId(s)).num_ports;
      return count;
    };
    const int before = losses(riddle.installed().lfts);
    if (before == 0) continue;
    fabric::ForwardingTables tables = riddle.installed().lfts.clone();
    for (const fabric::BlockWrite& write : plan.rounds[0].writes)
      std::ranges::copy(write.entries, tables.row(write.at.sw).begin() + write.at.block * 64);
    repaired += losses(tables) == 0 && !plan.rounds[0].waits;
  }
  EXPECT_GT(repaired, 10);
}

/// A ring of three; only the way to the host of switch 0 changes.
class Turn : public testing::Test {
 protected:
  Turn() {
    for (std::uint32_t to = 0; to < 3; ++to) {
      test::route_ring(installed, fabric, to, to == 0 ? 0 : 1);
      test::route_ring(target, fabric, to, to == 0 ? 2 : 1);
    }
    for (std::uint32_t s = 0; s < 3; ++s) blocks.push_back({SwitchId(s), 0});
  }
  Change change() const { return {fabric, installed, target, blocks}; }

  const fabric::Fabric fabric = test::ring(3);
  fabric::RoutingTables installed = test::empty_tables(fabric), target = test::empty_tables(fabric);
  std::vector<fabric::LftBlock> blocks;
};

TEST_F(Turn, IsWrittenFromTheDestinationOutwards) {
  const UpdatePlan plan = plan_update(change());
  ASSERT_TRUE(plan.at_once);
  EXPECT_EQ(plan.at_once->kind, FindingKind::loop);
  EXPECT_EQ(plan.at_once->message,
            "packets can be caught in a forwarding loop: `switch 1` (0x0000000000100008) port 3 [to LID 4, "
            "target] -> "
            "`switch 2` (0x0000000000100010) port 2 [to LID 4, installed] -> `switch 1` (0x0000000000100008) "
            "again");
  EXPECT_EQ(plan.destinations, 1U);
  EXPECT_THAT(plan.outwards, ElementsAre(test::host_lid(fabric, 0)));
  std::vector<std::uint32_t> order;
  for (const fabric::WriteRound& round : plan.rounds)
    for (const fabric::BlockWrite& write : round.writes) order.push_back(write.at.sw.value);
  EXPECT_EQ(plan.rounds.size(), 3U);
  EXPECT_THAT(order, ElementsAre(2U, 1U, 0U)) << "switch 0 holds what is target, and was to be written";
}

/// Nothing changes but the way to LID 1, which switch 0 has now.
class TurnToASwitch : public Turn {
 protected:
  TurnToASwitch() {
    installed.lfts = target.lfts.clone();
    test::set_entry(target, 0, Lid(1), 0);
    test::set_entry(target, 1, Lid(1), test::backward(1));
    test::set_entry(target, 2, Lid(1), test::forward(2));
  }
  void expect_loop() const {
    const UpdatePlan plan = plan_update(change());
    ASSERT_TRUE(plan.at_once);
    EXPECT_EQ(plan.at_once->kind, FindingKind::loop);
    EXPECT_FALSE(plan.only_static);
    EXPECT_GT(plan.rounds.size(), 1U);
  }
};

TEST_F(TurnToASwitch, ThatHadAHostsLidIsJudged) {
  test::set_entry(installed, 0, Lid(1), test::forward(0));
  test::set_entry(installed, 1, Lid(1), 1);
  test::set_entry(installed, 2, Lid(1), test::backward(2));
  expect_loop();
}

TEST_F(TurnToASwitch, ByAnotherWayIsJudged) {
  test::set_entry(installed, 0, Lid(1), 0);
  test::set_entry(installed, 1, Lid(1), test::forward(1));
  test::set_entry(installed, 2, Lid(1), test::forward(2));
  test::set_entry(target, 2, Lid(1), test::backward(2));
  expect_loop();
}

TEST_F(TurnToASwitch, ToWhichPacketsLoopAlreadyGoesAtOnce) {
  test::set_entry(installed, 0, Lid(1), 0);
  test::set_entry(installed, 1, Lid(1), test::forward(1));
  test::set_entry(installed, 2, Lid(1), test::backward(2));
  const UpdatePlan plan = plan_update(change());
  EXPECT_FALSE(plan.at_once);
  EXPECT_EQ(plan.rounds.size(), 1U);
}

TEST_F(Turn, OfAFabricThatHoldsNothingNeedsNoProof) {
  installed = test::empty_tables(fabric);
  const UpdatePlan plan = plan_update(change());
  EXPECT_FALSE(plan.at_once);
  EXPECT_FALSE(plan.judged);
  ASSERT_EQ(plan.rounds.size(), 1U);
  EXPECT_EQ(plan.rounds[0].writes.size(), 3U);
}

TEST_F(Turn, WithTablesThatLoopAlreadyIsStatic) {
  test::set_entry(installed, 1, Lid(4), test::forward(1));
  const UpdatePlan plan = plan_update(change());
  ASSERT_TRUE(plan.only_static);
  EXPECT_THAT(plan.only_static->message, HasSubstr("packets can be caught in a forwarding loop"));
  EXPECT_THAT(plan.drained, ElementsAre(Lid(4)));
  ASSERT_EQ(plan.rounds.size(), 2U);
  EXPECT_TRUE(plan.rounds[0].waits);
  ASSERT_EQ(plan.rounds[0].writes.size(), 1U) << "switch 1 holds what is target";
  EXPECT_EQ(plan.rounds[0].writes[0].at.sw, SwitchId(2));
  EXPECT_EQ(plan.rounds[0].writes[0].entries[4], kNoPath);
}

TEST_F(Turn, Sl2VlMapsGoBeforeTheBlocks) {
  installed.lfts = target.lfts.clone();
  blocks.clear();
  const std::vector<std::uint8_t> ports(3, 3);
  installed.sl2vl = fabric::Sl2VlTables(ports, fabric::kIdentitySl2Vl);
  fabric::Sl2VlMap other = fabric::kIdentitySl2Vl;
  other[0] = 1;
  target.sl2vl = fabric::Sl2VlTables(ports, other);
  const UpdatePlan plan = plan_update(change());
  EXPECT_FALSE(plan.at_once);
  ASSERT_EQ(plan.rounds.size(), 1U);
  EXPECT_TRUE(plan.rounds[0].maps_first);
  EXPECT_THAT(plan.rounds[0].writes, IsEmpty());
}

}  // namespace
}  // namespace rch::verify
