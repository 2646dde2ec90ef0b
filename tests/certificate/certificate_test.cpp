// Certificates of random tables, beside the proof, which shares no code with them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>

#include "certificate/certificate.h"
#include "riddle.h"
#include "support/small_fabrics.h"

namespace rch::certificate {
namespace {

using test::Riddle;
using testing::HasSubstr;
using verify::FindingKind;

Tables tables_of(const Riddle& riddle) {
  return {.fabric = riddle.fabric(), .tables = riddle.tables(), .max_op_vls = riddle.options().max_op_vls};
}

const verify::Finding* finding(const verify::Verdict& verdict, FindingKind kind) {
  const auto at = std::ranges::find(verdict.findings, kind, &verify::Finding::kind);
  return at == verdict.findings.end() ? nullptr : &*at;
}

std::uint64_t lost_pairs(const verify::Verdict& verdict) {
  std::uint64_t lost = verdict.unneeded_pairs;
  for (const FindingKind kind :
       {FindingKind::unreachable, FindingKind::dropped_by_vl, FindingKind::disconnected})
    if (const verify::Finding* found = finding(verdict, kind)) lost += found->count;
  return lost;
}

RC_GTEST_PROP(Certificate, IsMadeWhereTheProofFindsNoCycle, (std::uint64_t first)) {
  for (std::uint64_t seed = first; seed < first + 20; ++seed) {
    const Riddle riddle(seed);
    const verify::Verdict verdict = verify::verify(riddle.fabric(), riddle.tables(), riddle.options());
    const auto made = make(tables_of(riddle));
    if (finding(verdict, FindingKind::credit_loop) != nullptr) RC_ASSERT(!made);
    const bool sound = finding(verdict, FindingKind::credit_loop) == nullptr &&
                       finding(verdict, FindingKind::loop) == nullptr;
    if (!sound) continue;
    RC_ASSERT(made.has_value());
    RC_ASSERT(made->lost_pairs == lost_pairs(verdict));
    if (made->packets == Packets::path_sls) RC_ASSERT(made->to_switches == verdict.switch_lids.sound());
    if (made->to_switches) RC_ASSERT(verdict.switch_lids.sound());
    RC_ASSERT(check(tables_of(riddle), *made).has_value());
    const auto read = from_text(riddle.fabric(), to_text(riddle.fabric(), *made));
    RC_ASSERT(read.has_value());
    RC_ASSERT(read->order == made->order);
    RC_ASSERT(check(tables_of(riddle), *read).has_value());
  }
}

// What holds for any service level holds where all packets have one of them, whichever that is.
RC_GTEST_PROP(Certificate, ForAnyServiceLevelIsForEachOne, (std::uint64_t first)) {
  for (std::uint64_t seed = first; seed < first + 10; ++seed) {
    const Riddle riddle(seed);
    Tables tables = tables_of(riddle);
    tables.knows_lanes = false;
    if (!make(tables)) continue;
    fabric::RoutingTables same_sl;
    same_sl.lfts = riddle.tables().lfts.clone();
    same_sl.sl2vl = riddle.tables().sl2vl;
    same_sl.steps = {riddle.tables().steps.front()};
    for (const std::uint8_t sl : {std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{5}}) {
      same_sl.steps.front().sl = {};
      same_sl.steps.front().sl.base = sl;
      const verify::Verdict verdict = verify::verify(riddle.fabric(), same_sl, riddle.options());
      RC_ASSERT(finding(verdict, FindingKind::credit_loop) == nullptr);
    }
  }
}

// Whatever order is given, and whatever the tables are: what passes is proven by the proof, too.
RC_GTEST_PROP(Certificate, OfOtherTablesPassesOnlyIfTheseAreSound, (std::uint64_t seed)) {
  const Riddle riddle(seed);
  auto certificate = make(tables_of(riddle));
  if (!certificate) return;
  std::mt19937_64 random(seed);
  for (int round = 0; round < 20; ++round) {
    fabric::RoutingTables changed;
    changed.lfts = riddle.tables().lfts.clone();
    changed.sl2vl = riddle.tables().sl2vl;
    changed.steps = riddle.tables().steps;
    const auto sw = SwitchId(static_cast<std::uint32_t>(random() % riddle.fabric().switch_count()));
    const std::size_t lid = 1 + random() % changed.lfts.max_lid().index();
    changed.lfts.row(sw)[lid] =
        static_cast<std::uint8_t>(random() % (riddle.fabric().node(sw).num_ports + 2U));
    Certificate given = *certificate;
    if (!given.order.empty() && random() % 2 == 0)
      std::swap(given.order[random() % given.order.size()], given.order[random() % given.order.size()]);
    const Tables tables{
        .fabric = riddle.fabric(), .tables = changed, .max_op_vls = riddle.options().max_op_vls};
    const verify::Verdict verdict = verify::verify(riddle.fabric(), changed, riddle.options());
    // Packets in a forwarding loop whose lane ends there are lost, and wait for nobody.
    const verify::Finding* loop = finding(verdict, FindingKind::loop);
    const bool loops_pairs = loop != nullptr && loop->message.find("pairs are caught") != std::string::npos;
    const std::uint64_t all_lost = lost_pairs(verdict) + (loops_pairs ? loop->count : 0);
    for (const std::uint64_t lost : {given.lost_pairs, all_lost}) {
      given.lost_pairs = lost;
      if (!check(tables, given)) continue;
      RC_ASSERT(finding(verdict, FindingKind::credit_loop) == nullptr);
      RC_ASSERT(lost == all_lost);
    }
  }
}

/// Two leaves with two hosts each below two spines; each leaf sends up by its first spine.
struct Tree {
  fabric::Fabric fabric = test::build(test::clos(2, 2, 2));
  fabric::RoutingTables tables = test::empty_tables(fabric);

  Tree() { test::route_shortest(tables, fabric); }
  Tables given() const { return {.fabric = fabric, .tables = tables}; }
};

TEST(Certificate, OfATreeIsForAnyServiceLevelAndForSwitches) {
  const Tree tree;
  const auto made = make(tree.given());
  ASSERT_TRUE(made);
  EXPECT_EQ(made->packets, Packets::any_sl);
  EXPECT_TRUE(made->to_switches);
  EXPECT_EQ(made->lost_pairs, 0U);
}

/// A ring that every packet goes round in one direction. Packets of service level 0 end at the first switch
/// behind that of the host, whose map gives them a lane that does not exist; others go on.
struct DroppingRing {
  fabric::Fabric fabric = test::ring(4);
  fabric::RoutingTables tables = test::empty_tables(fabric);

  DroppingRing() {
    std::vector<std::uint8_t> ports;
    for (std::uint32_t s = 0; s < 4; ++s) {
      test::route_ring(tables, fabric, s, 3);
      ports.push_back(fabric.node(SwitchId(s)).num_ports);
    }
    fabric::Sl2VlMap drops_0 = fabric::kIdentitySl2Vl;
    drops_0[0] = 15;
    tables.sl2vl = fabric::Sl2VlTables(ports, fabric::kIdentitySl2Vl);
    const auto id = tables.sl2vl.intern(drops_0);
    for (std::uint32_t s = 0; s < 4; ++s)
      tables.sl2vl.set(SwitchId(s), PortNum(test::backward(s)), PortNum(test::forward(s)), id);
  }
  Tables given(bool knows_lanes) const {
    return {.fabric = fabric, .tables = tables, .knows_lanes = knows_lanes};
  }
};

// A packet that is dropped says nothing of where packets of another service level go.
TEST(Certificate, ForAnyServiceLevelIsForThoseThatAreNotDropped) {
  const DroppingRing ring;
  const auto unknown = make(ring.given(false));
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("are not known"));
  const auto made = make(ring.given(true));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->packets, Packets::path_sls);
  EXPECT_GT(made->lost_pairs, 0U);
  Certificate widened = *made;
  widened.packets = Packets::any_sl;
  EXPECT_FALSE(check(ring.given(true), widened));
}

TEST(Certificate, SaysWhatIsWrong) {
  const Tree tree;
  const auto made = make(tree.given());
  ASSERT_TRUE(made);
  const auto failure = [&](auto&& change) {
    Certificate changed = *made;
    change(changed);
    const auto checked = check(tree.given(), changed);
    return checked ? std::string() : checked.error().message;
  };
  EXPECT_THAT(failure([](Certificate& c) { c.fabric = "another"; }), HasSubstr("another fabric"));
  EXPECT_THAT(failure([](Certificate& c) { std::ranges::reverse(c.order); }),
              HasSubstr("does not stand behind it"));
  EXPECT_THAT(failure([](Certificate& c) { c.order.pop_back(); }), HasSubstr("does not stand behind it"));
  EXPECT_THAT(failure([](Certificate& c) { c.lost_pairs = 1; }), HasSubstr("0 pairs have no path"));
  EXPECT_THAT(failure([](Certificate& c) { c.lost_members = 1; }), HasSubstr("0 members"));
  EXPECT_EQ(failure([](Certificate&) {}), "");
}

TEST(Certificate, OfDamagedTextIsRefusedWithItsLine) {
  const Tree tree;
  const std::string text = to_text(tree.fabric, make(tree.given()).value());
  const auto failure = [&](const std::string& damaged) {
    const auto read = from_text(tree.fabric, damaged);
    return read ? std::string() : read.error().message;
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    return changed;
  };
  EXPECT_EQ(failure(text), "");
  EXPECT_THAT(failure(with("certificate 1", "certificate 2")), HasSubstr("line 1"));
  EXPECT_THAT(failure(with("any-sl", "all")), HasSubstr("line 3"));
  EXPECT_THAT(failure(with("to-switches yes", "to-switches maybe")), HasSubstr("line 4"));
  EXPECT_THAT(failure(with("lost-pairs 0", "lost-pairs -1")), HasSubstr("line 5"));
  EXPECT_THAT(failure(with(" 0\n0x", " 15\n0x")), HasSubstr("line"));
  EXPECT_THAT(failure(with("fabric ", "fabric 0")), HasSubstr("another fabric"));
  EXPECT_THAT(failure(with("\npackets", " twice\npackets")), HasSubstr("line 2"));
  EXPECT_THAT(failure(with(" 0\n0x", " 1\n0x")), HasSubstr("virtual lane 0"));
  EXPECT_THAT(failure(text + text.substr(text.rfind("0x"))), HasSubstr("twice"));
  EXPECT_THAT(failure(text.substr(0, text.size() - 1)), HasSubstr("cut off"));
  EXPECT_THAT(failure(text.substr(0, text.rfind("0x"))), HasSubstr("cut off"));
}

// A program that everybody can read has to stay short.
TEST(Certificate, TheCheckerIsShort) {
  std::size_t lines = 0;
  for (const char* file : {"/walk.h", "/check.cpp"}) {
    std::ifstream in(std::string(RCH_TEST_DATA) + "/../../certificate" + file);
    ASSERT_TRUE(in);
    for (std::string line; std::getline(in, line);) ++lines;
  }
  EXPECT_LT(lines, 300U);
}

}  // namespace
}  // namespace rch::certificate
