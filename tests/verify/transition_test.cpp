// Changes of tables under traffic, judged by following packets through every state (routing-engines 12.4,
// 12.6; 15: T41, P11).

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>
#include <tbb/global_control.h>

#include "brute_force.h"
#include "change_riddle.h"
#include "traffic.h"
#include "verify/transition/ladder.h"

namespace rch::verify {
namespace {

using test::ChangeRiddle;
using test::Traffic;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Plays batches with the writes of each in a random order; first trouble that is met, if any.
std::string play(const ChangeRiddle& riddle, const std::vector<fabric::Batch>& batches, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Traffic traffic(riddle.fabric(), riddle.held(), riddle.wanted());
  if (const std::string trouble = traffic.trouble(); !trouble.empty()) return "held: " + trouble;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    std::vector<fabric::BlockWrite> writes = batches[b].writes;
    std::ranges::shuffle(writes, random);
    for (const fabric::BlockWrite& write : writes) {
      traffic.write(write);
      if (const std::string trouble = traffic.trouble(); !trouble.empty())
        return "batch " + std::to_string(b) + ": " + trouble;
    }
    if (batches[b].waits) traffic.wait();
  }
  const bool done = std::ranges::equal(traffic.tables().bytes(), riddle.wanted().lfts.bytes());
  return done ? "" : "the tables are not as wanted";
}

fabric::Batch all_at_once(const ChangeRiddle& riddle) {
  return fabric::one_batch(riddle.change().blocks, riddle.wanted().lfts);
}

// P11, and more: also packets that came by entries that are gone meet no circle, and what cannot go at once
// gets there all the same.
RC_GTEST_PROP(Ladder, MeetsNoLoopInAnyOrderOfWrites, (std::uint64_t seed)) {
  const ChangeRiddle riddle(seed);
  const Ladder ladder = plan_ladder(riddle.change());
  if (ladder.only_static) return;
  if (!ladder.at_once) RC_ASSERT(ladder.batches.size() <= 1);
  for (std::uint64_t order = 0; order < 3; ++order)
    RC_ASSERT(play(riddle, ladder.batches, seed + order) == "");
}

/// Packets that every switch sends by both tables.
bool mix_is_dangerous(const ChangeRiddle& riddle) {
  Traffic traffic(riddle.fabric(), riddle.held(), riddle.wanted());
  traffic.mix();
  return !traffic.trouble().empty();
}

// The transition graph is exact: it has a circle if and only if packets that may meet either table do.
RC_GTEST_PROP(Ladder, SeesWhatPacketsThatMeetEitherTableDo, (std::uint64_t seed)) {
  const ChangeRiddle riddle(seed);
  const Ladder ladder = plan_ladder(riddle.change());
  RC_ASSERT(ladder.at_once.has_value() == mix_is_dangerous(riddle));
  Traffic before(riddle.fabric(), riddle.held(), riddle.wanted());
  RC_ASSERT(ladder.only_static.has_value() == (ladder.at_once && !before.trouble().empty()));
}

// What a static change waits for is all that is wrong with it.
RC_GTEST_PROP(Ladder, AddsNothingToUnsoundTables, (std::uint64_t seed)) {
  const ChangeRiddle riddle(seed);
  const Ladder ladder = plan_ladder(riddle.change());
  if (!ladder.only_static) return;
  RC_ASSERT(ladder.batches.size() == 2U);
  RC_ASSERT(ladder.batches[0].waits);
  Traffic traffic(riddle.fabric(), riddle.held(), riddle.wanted());
  for (const fabric::BlockWrite& write : ladder.batches[0].writes) traffic.write(write);
  traffic.wait();
  for (const fabric::BlockWrite& write : ladder.batches[1].writes) {
    RC_ASSERT(traffic.trouble() == "");
    traffic.write(write);
  }
  RC_ASSERT(traffic.trouble() == "");
  RC_ASSERT(std::ranges::equal(traffic.tables().bytes(), riddle.wanted().lfts.bytes()));
}

bool same(const Ladder& a, const Ladder& b) {
  const auto texts = [](const Ladder& l) {
    return std::pair(l.at_once ? l.at_once->message : "", l.only_static ? l.only_static->message : "");
  };
  const auto same_batch = [](const fabric::Batch& x, const fabric::Batch& y) {
    return x.waits == y.waits && x.maps_first == y.maps_first &&
           std::ranges::equal(x.writes, y.writes, [](const auto& p, const auto& q) {
             return p.at.sw == q.at.sw && p.at.block == q.at.block && p.entries == q.entries;
           });
  };
  return texts(a) == texts(b) && a.outwards == b.outwards && a.drained == b.drained &&
         std::ranges::equal(a.batches, b.batches, same_batch);
}

RC_GTEST_PROP(Ladder, DependsNeitherOnThreadsNorOnWhatIsKnown, (std::uint64_t seed)) {
  const ChangeRiddle riddle(seed);
  ChannelGraph proven;
  verify(riddle.fabric(), riddle.wanted(), {.graph = &proven});
  const auto with_threads = [&](std::size_t threads, const ChannelGraph* graph) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return plan_ladder(riddle.change(), graph);
  };
  const Ladder one = with_threads(1, nullptr);
  RC_ASSERT(same(one, with_threads(2, nullptr)));
  RC_ASSERT(same(one, with_threads(2, &proven)));
}

// The riddles are worth asking: every rung is climbed, and a ladder is never there for nothing.
TEST(ChangeRiddles, HaveEveryAnswer) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const ChangeRiddle riddle(seed);
    Ladder ladder = plan_ladder(riddle.change());
    ++seen[!ladder.at_once ? "at once" : ladder.only_static ? "static" : "ladder"];
    if (!ladder.at_once || ladder.only_static) continue;
    seen["outwards"] += !ladder.outwards.empty();
    seen["drained"] += !ladder.drained.empty();
    bool met = false, unwaited = false;
    for (fabric::Batch& batch : ladder.batches) batch.waits = false;
    for (std::uint64_t order = 0; order < 10; ++order) {
      met = met || !play(riddle, {all_at_once(riddle)}, order).empty();
      unwaited = unwaited || !play(riddle, ladder.batches, order).empty();
    }
    seen["met at once"] += met;
    seen["met without waiting"] += unwaited;
  }
  EXPECT_GT(seen["at once"], 100);
  EXPECT_GT(seen["static"], 10);
  EXPECT_GT(seen["ladder"], 60);
  EXPECT_GT(seen["outwards"], 2);
  EXPECT_GT(seen["drained"], 10);
  EXPECT_GE(seen["met at once"], seen["ladder"] * 9 / 10);
  EXPECT_GT(seen["met without waiting"], seen["ladder"] / 2);
}

/// Dependencies of both tables together, without mixed paths, have a circle.
bool union_is_dangerous(const ChangeRiddle& riddle) {
  test::BruteForce all = test::brute_force(riddle.fabric(), riddle.held(), {});
  const test::BruteForce more = test::brute_force(riddle.fabric(), riddle.wanted(), {});
  for (const auto& [channel, after] : more.dependents)
    all.dependents[channel].insert(after.begin(), after.end());
  return std::ranges::any_of(all.dependents,
                             [&](const auto& entry) { return all.shortest_circle(entry.first) > 0; });
}

// T41: both tables together have no circle, and yet some mixed path closes one (routing-engines 12.4).
TEST(Ladder, ClimbsWhereTheUnionOfBothTablesIsFree) {
  const ChangeRiddle riddle(13);
  ASSERT_FALSE(union_is_dangerous(riddle));
  const Ladder ladder = plan_ladder(riddle.change());
  ASSERT_TRUE(ladder.at_once);
  EXPECT_EQ(ladder.at_once->kind, FindingKind::credit_loop);
  EXPECT_EQ(ladder.at_once->message,
            "4 channels can wait for each other (4 channels lie on such circles): "
            "`switch 0` (0x0000000000100000) port 5 VL 0 [to LID 6, held] -> "
            "`switch 2` (0x0000000000100010) port 4 VL 0 [to LID 8, held] -> "
            "`switch 3` (0x0000000000100018) port 5 VL 0 [to LID 132, wanted] -> "
            "`switch 7` (0x0000000000100038) port 3 VL 0 [to LID 135, held] -> "
            "`switch 0` (0x0000000000100000) again");
  EXPECT_EQ(ladder.batches.size(), 3U);
  EXPECT_THAT(ladder.outwards, IsEmpty());
  EXPECT_THAT(ladder.drained, IsEmpty());
  for (std::uint64_t order = 0; order < 50; ++order) EXPECT_EQ(play(riddle, ladder.batches, order), "");
  EXPECT_EQ(play(riddle, {all_at_once(riddle)}, 0), "batch 0: credit loop");
}

TEST(Ladder, RepairsEntriesThatLeadNowhereFirst) {
  int repaired = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const ChangeRiddle riddle(seed);
    const Ladder ladder = plan_ladder(riddle.change());
    if (!ladder.at_once || ladder.only_static) continue;
    const auto losses = [&](const fabric::ForwardingTables& tables) {
      int count = 0;
      for (const fabric::EndPort& host : riddle.fabric().end_ports())
        for (std::uint32_t s = 0; s < riddle.fabric().switch_count(); ++s)
          count += tables.at(SwitchId(s), host.lid) > riddle.fabric().node(SwitchId(s)).num_ports;
      return count;
    };
    const int before = losses(riddle.held().lfts);
    if (before == 0) continue;
    fabric::ForwardingTables tables = riddle.held().lfts.clone();
    for (const fabric::BlockWrite& write : ladder.batches[0].writes)
      std::ranges::copy(write.entries, tables.row(write.at.sw).begin() + write.at.block * 64);
    repaired += losses(tables) == 0 && !ladder.batches[0].waits;
  }
  EXPECT_GT(repaired, 10);
}

/// A ring of three; only the way to the host of switch 0 changes.
class Turn : public testing::Test {
 protected:
  Turn() {
    for (std::uint32_t to = 0; to < 3; ++to) {
      test::route_ring(held, fabric, to, to == 0 ? 0 : 1);
      test::route_ring(wanted, fabric, to, to == 0 ? 2 : 1);
    }
    for (std::uint32_t s = 0; s < 3; ++s) blocks.push_back({SwitchId(s), 0});
  }
  Change change() const { return {fabric, held, wanted, blocks}; }

  const fabric::Fabric fabric = test::ring(3);
  fabric::RoutingTables held = test::empty_tables(fabric), wanted = test::empty_tables(fabric);
  std::vector<fabric::LftBlock> blocks;
};

TEST_F(Turn, IsWrittenFromTheDestinationOutwards) {
  const Ladder ladder = plan_ladder(change());
  ASSERT_TRUE(ladder.at_once);
  EXPECT_EQ(ladder.at_once->kind, FindingKind::loop);
  EXPECT_EQ(
      ladder.at_once->message,
      "packets can be sent in circles: `switch 1` (0x0000000000100008) port 3 [to LID 4, wanted] -> "
      "`switch 2` (0x0000000000100010) port 2 [to LID 4, held] -> `switch 1` (0x0000000000100008) again");
  EXPECT_EQ(ladder.destinations, 1U);
  EXPECT_THAT(ladder.outwards, ElementsAre(test::host_lid(fabric, 0)));
  std::vector<std::uint32_t> order;
  for (const fabric::Batch& batch : ladder.batches)
    for (const fabric::BlockWrite& write : batch.writes) order.push_back(write.at.sw.value);
  EXPECT_EQ(ladder.batches.size(), 3U);
  EXPECT_THAT(order, ElementsAre(2U, 1U, 0U)) << "switch 0 holds what is wanted, and was to be written";
}

TEST_F(Turn, OfAFabricThatHoldsNothingNeedsNoProof) {
  held = test::empty_tables(fabric);
  const Ladder ladder = plan_ladder(change());
  EXPECT_FALSE(ladder.at_once);
  EXPECT_FALSE(ladder.judged);
  ASSERT_EQ(ladder.batches.size(), 1U);
  EXPECT_EQ(ladder.batches[0].writes.size(), 3U);
}

TEST_F(Turn, WithTablesThatLoopAlreadyIsStatic) {
  test::set_entry(held, 1, Lid(4), test::forward(1));
  const Ladder ladder = plan_ladder(change());
  ASSERT_TRUE(ladder.only_static);
  EXPECT_THAT(ladder.only_static->message, HasSubstr("packets can be sent in circles"));
  EXPECT_THAT(ladder.drained, ElementsAre(Lid(4)));
  ASSERT_EQ(ladder.batches.size(), 2U);
  EXPECT_TRUE(ladder.batches[0].waits);
  ASSERT_EQ(ladder.batches[0].writes.size(), 1U) << "switch 1 holds what is wanted";
  EXPECT_EQ(ladder.batches[0].writes[0].at.sw, SwitchId(2));
  EXPECT_EQ(ladder.batches[0].writes[0].entries[4], kNoPath);
}

TEST_F(Turn, Sl2VlMapsGoBeforeTheBlocks) {
  held.lfts = wanted.lfts.clone();
  blocks.clear();
  const std::vector<std::uint8_t> ports(3, 3);
  held.sl2vl = fabric::Sl2VlTables(ports, fabric::kIdentitySl2Vl);
  fabric::Sl2VlMap other = fabric::kIdentitySl2Vl;
  other[0] = 1;
  wanted.sl2vl = fabric::Sl2VlTables(ports, other);
  const Ladder ladder = plan_ladder(change());
  EXPECT_FALSE(ladder.at_once);
  ASSERT_EQ(ladder.batches.size(), 1U);
  EXPECT_TRUE(ladder.batches[0].maps_first);
  EXPECT_THAT(ladder.batches[0].writes, IsEmpty());
}

}  // namespace
}  // namespace rch::verify
