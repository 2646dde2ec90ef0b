// Credit loops on rings, where they can be counted by hand.

#include <gmock/gmock.h>

#include "fabric/fabric_builder.h"
#include "hand_tables.h"
#include "verify/verify.h"

namespace rch::verify {
namespace {

using test::empty_tables;
using test::host_lid;
using test::route_ring;
using testing::IsEmpty;

constexpr std::uint32_t kRing = 5;

/// SL 1 for paths that cross the cable between the last switch and the first by the shorter way.
fabric::SlRule dateline_rule() {
  fabric::SlRule rule;
  fabric::SlRule::Dimension ring{0, kRing, {}, {}};
  for (std::uint16_t s = 0; s < kRing; ++s) ring.coordinate.push_back(s);
  for (std::uint32_t from = 0; from < kRing; ++from)
    for (std::uint32_t to = 0; to < kRing; ++to) {
      const std::uint32_t direct = from > to ? from - to : to - from;
      ring.crosses.push_back(kRing - direct < direct);
    }
  rule.dimensions.push_back(ring);
  return rule;
}

fabric::Sl2VlTables maps(const fabric::Sl2VlMap& map) { return {std::vector<std::uint8_t>(kRing, 3), map}; }

class Ring : public testing::Test {
 protected:
  /// Every pair by the shorter way.
  void route_shorter_way() {
    for (std::uint32_t to = 0; to < kRing; ++to) route_ring(tables, fabric, to, kRing / 2);
  }

  fabric::Fabric fabric = test::ring(kRing);
  fabric::RoutingTables tables = empty_tables(fabric);
};

TEST_F(Ring, ShorterWaysDeadlockOnOneVl) {
  route_shorter_way();
  const Verdict verdict = verify(fabric, tables);
  ASSERT_EQ(verdict.findings.size(), 1U);
  const Finding& finding = verdict.findings.front();
  EXPECT_EQ(finding.kind, FindingKind::credit_loop);
  EXPECT_EQ(finding.count, 10U) << "five channels each way round";
  EXPECT_EQ(verdict.channels, 10U);
  EXPECT_EQ(verdict.dependencies, 10U);
  EXPECT_EQ(
      finding.message,
      "credit loop of 5 channels, which can deadlock (10 channels lie on such cycles): "
      "`switch 0` (0x0000000000100000) port 2 VL 0 [`host 0` (0x0000000000900000) port 1 to LID 8, SL 0] -> "
      "`switch 1` (0x0000000000100008) port 3 VL 0 [`host 1` (0x0000000000900004) port 1 to LID 9, SL 0] -> "
      "`switch 2` (0x0000000000100010) port 3 VL 0 [`host 2` (0x0000000000900008) port 1 to LID 10, SL 0] -> "
      "`switch 3` (0x0000000000100018) port 3 VL 0 [`host 3` (0x000000000090000c) port 1 to LID 6, SL 0] -> "
      "`switch 4` (0x0000000000100020) port 3 VL 0 [`host 4` (0x0000000000900010) port 1 to LID 7, SL 0] -> "
      "`switch 0` (0x0000000000100000) again");
  ASSERT_EQ(finding.witness.size(), 5U);
  const Hop& second = finding.witness[1];
  EXPECT_EQ(second.sw, SwitchId(1));
  EXPECT_EQ(second.in, PortNum(2));
  EXPECT_EQ(second.out, PortNum(3));
  EXPECT_EQ(second.source, fabric.end_ports()[1].port);
  EXPECT_EQ(second.destination, Lid(9));
}

TEST_F(Ring, PathsOverTheDatelineOnTheirOwnVlAreFree) {
  route_shorter_way();
  tables.steps.front().sl = dateline_rule();
  tables.sl2vl = maps(fabric::kIdentitySl2Vl);
  const Verdict verdict = verify(fabric, tables);
  EXPECT_THAT(verdict.findings, IsEmpty());
  EXPECT_EQ(verdict.channels, 4U + 4U + 3U + 3U) << "VL 0 but over the dateline, VL 1 near it, each way";
}

TEST_F(Ring, PathsOverTheDatelineOnASharedVlAreNot) {
  route_shorter_way();
  tables.steps.front().sl = dateline_rule();
  fabric::Sl2VlMap shared{};
  shared.fill(3);
  tables.sl2vl = maps(shared);
  const Verdict verdict = verify(fabric, tables);
  ASSERT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(verdict.findings.front().kind, FindingKind::credit_loop);
  for (const Hop& hop : verdict.findings.front().witness) EXPECT_EQ(hop.vl, 3);
  EXPECT_EQ(verdict.findings.front().witness[3].sl, 1) << "from switch 3 over the dateline to switch 0";
}

TEST_F(Ring, OneVlCannotHoldBothSls) {
  route_shorter_way();
  tables.steps.front().sl = dateline_rule();
  const Verdict verdict = verify(fabric, tables, {.max_op_vls = 1});
  ASSERT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(verdict.findings.front().kind, FindingKind::dropped_by_vl);
  EXPECT_EQ(verdict.findings.front().count, 6U) << "SL 1 has no VL; SL 0 alone closes no cycle";
}

// Entries that no source uses close the cycle on paper only.
TEST_F(Ring, OnlyWhatSourcesUseCounts) {
  for (std::uint32_t to = 0; to < kRing; ++to) route_ring(tables, fabric, to, kRing - 1);
  ASSERT_EQ(verify(fabric, tables).findings.size(), 1U);
  // Hosts on switches 0 and 1 only: the way from 0 to 1 and the long way from 1 to 0.
  fabric::FabricBuilder builder(fabric);
  for (std::uint32_t s = 2; s < kRing; ++s) builder.remove(*builder.find(Guid(0x900000 + 4 * s)));
  fabric = *std::move(builder).build();
  const Verdict verdict = verify(fabric, tables);
  EXPECT_THAT(verdict.findings, IsEmpty());
  EXPECT_EQ(verdict.channels, 5U);
  EXPECT_EQ(verdict.dependencies, 3U);
}

// Two steps that are free of loops each, and not together.
TEST_F(Ring, UnionOfTwoStepsNamesBoth) {
  for (const std::uint32_t to : {0U, 1U}) route_ring(tables, fabric, to, 4);
  const auto credit_loops = [&] {
    std::vector<Finding> found = verify(fabric, tables).findings;
    std::erase_if(found, [](const Finding& f) { return f.kind != FindingKind::credit_loop; });
    return found;
  };
  EXPECT_THAT(credit_loops(), IsEmpty());

  const Lid later[] = {host_lid(fabric, 2), host_lid(fabric, 3), host_lid(fabric, 4)};
  test::add_step(tables, fabric, 7, later);
  const fabric::ForwardingTables first = tables.lfts.clone();
  tables.lfts = fabric::ForwardingTables(kRing, fabric.max_lid());
  route_ring(tables, fabric, 2, 4);
  route_ring(tables, fabric, 3, 1);
  route_ring(tables, fabric, 4, 1);
  EXPECT_THAT(credit_loops(), IsEmpty());

  for (std::uint32_t s = 0; s < kRing; ++s)
    for (const std::uint32_t to : {0U, 1U})
      test::set_entry(tables, s, host_lid(fabric, to), first.at(SwitchId(s), host_lid(fabric, to)));
  const std::vector<Finding> both = credit_loops();
  ASSERT_EQ(both.size(), 1U);
  EXPECT_EQ(both.front().message,
            "credit loop of 5 channels, which can deadlock (5 channels lie on such cycles): "
            "`switch 0` (0x0000000000100000) port 2 (step 7) VL 0 [`host 0` (0x0000000000900000) port 1 to "
            "LID 8, SL 0] -> "
            "`switch 1` (0x0000000000100008) port 3 (step 1) VL 0 [`host 1` (0x0000000000900004) port 1 to "
            "LID 6, SL 0] -> "
            "`switch 2` (0x0000000000100010) port 3 (step 1) VL 0 [`host 1` (0x0000000000900004) port 1 to "
            "LID 6, SL 0] -> "
            "`switch 3` (0x0000000000100018) port 3 (step 1) VL 0 [`host 1` (0x0000000000900004) port 1 to "
            "LID 6, SL 0] -> "
            "`switch 4` (0x0000000000100020) port 3 (step 1) VL 0 [`host 2` (0x0000000000900008) port 1 to "
            "LID 7, SL 0] -> "
            "`switch 0` (0x0000000000100000) again");
}

// The middle of a long cycle is counted, not shown; the witness holds all of it.
TEST(LongRing, MiddleIsLeftOut) {
  const fabric::Fabric fabric = test::ring(20);
  fabric::RoutingTables tables = empty_tables(fabric);
  for (std::uint32_t to = 0; to < 20; ++to) route_ring(tables, fabric, to, 19);
  const Verdict verdict = verify(fabric, tables);
  ASSERT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(verdict.findings.front().witness.size(), 20U);
  EXPECT_THAT(verdict.findings.front().message, testing::HasSubstr("SL 0] -> (8 more) -> `switch 14`"));
}

}  // namespace
}  // namespace rch::verify
