#include "fabric/lids.h"

#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "base/text.h"
#include "fabric/fabric_builder.h"
#include "fabric/generator.h"
#include "support.h"

namespace rch::fabric::test {
namespace {

using Ranges = std::map<std::uint64_t, std::pair<unsigned, unsigned>>;  ///< by port GUID: first and last LID

Ranges ranges_of(const Fabric& fabric, const LidPlan& plan) {
  Ranges ranges;
  for (const LidAssignment& a : plan.lids)
    ranges[fabric.port(a.port).guid.value] = {a.lid.value, a.lid.value + (1U << a.lmc) - 1};
  return ranges;
}

/// `0xGUID 0xLOW 0xHIGH`, lines of OpenSM's data base.
Ranges guid2lid(const std::string& text) {
  Ranges ranges;
  std::istringstream in(text);
  std::uint64_t guid = 0;
  unsigned low = 0, high = 0;
  while (in >> std::hex >> guid >> low >> high) ranges[guid] = {low, high};
  return ranges;
}

TEST(Lids, EqualOpenSmInEveryGoldenCase) {
  std::size_t compared = 0;
  for (const auto& folder : golden_cases()) {
    const std::string fabric = folder.parent_path().filename(), run = folder.filename();
    const Fabric net = golden_net(fabric);
    LidOptions options;
    options.lmc = run.ends_with(".lmc1") ? 1 : 0;
    const auto plan = plan_lids(net, options);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_TRUE(plan->changes.empty());
    EXPECT_EQ(ranges_of(net, *plan), guid2lid(golden_text("cases/" + fabric + "/" + run + "/guid2lid")))
        << fabric << "/" << run;
    ++compared;
  }
  EXPECT_EQ(compared, 53u);
}

TEST(Lids, GivenOnceTheyStay) {
  const Fabric net = golden_net("clos-6x4-par2");
  const auto first = plan_lids(net, {});
  ASSERT_TRUE(first);
  const auto labelled = with_lids(net, first->lids);
  ASSERT_TRUE(labelled);
  const auto second = plan_lids(*labelled, {});
  ASSERT_TRUE(second);
  EXPECT_EQ(ranges_of(*labelled, *second), ranges_of(net, *first));
  EXPECT_TRUE(second->changes.empty());
}

Fabric labelled_pair(std::uint16_t a, std::uint16_t b, PortState a_state = PortState::active) {
  const Reading r = read_text(
      "Switch 2 \"s\"\n[1] \"a\"[1]\n[2] \"b\"[1]\n\nCa 1 \"a\"\n[1] \"s\"[1]\n\nCa 1 \"b\"\n[1] \"s\"[2]\n");
  FabricBuilder builder(*r.fabric);
  for (const auto& [guid, lid, state] :
       {std::tuple(0x100000, a, a_state), std::tuple(0x100002, b, PortState::active)}) {
    PortSpec& port = builder.node(*builder.find(Guid(static_cast<std::uint64_t>(guid)))).ports[1];
    port.lid = Lid(lid);
    port.state = state;
  }
  auto fabric = std::move(builder).build();
  return std::move(fabric.value());
}

TEST(Lids, ValidOnesStayAndTheRestIsFilledIn) {
  const Fabric f = labelled_pair(1, 0x4000);
  const auto plan = plan_lids(f, {});
  ASSERT_TRUE(plan);
  EXPECT_EQ(ranges_of(f, *plan),
            (Ranges{{0x100001, {1, 1}}, {0x100003, {0x4000, 0x4000}}, {0x200000, {2, 2}}}));
}

TEST(Lids, MisalignedOverlappingAndTooHighOnesChange) {
  const Fabric f = labelled_pair(3, 0xB000);
  const auto aligned = plan_lids(f, {.lmc = 1, .top = Lid(0x1000)});
  ASSERT_TRUE(aligned);
  // The switch, where the fabric is seen, comes first and takes LID 1.
  EXPECT_EQ(ranges_of(f, *aligned), (Ranges{{0x100001, {2, 3}}, {0x100003, {4, 5}}, {0x200000, {1, 1}}}));
  EXPECT_EQ(aligned->changes, (std::vector<std::string>{
                                  "port 0x0000000000100001 of `a` cannot keep LID 3: it is no multiple of 2",
                                  "port 0x0000000000100003 of `b` cannot keep LID 45056: 4096 is the highest "
                                  "LID that all switches can hold"}));
}

TEST(Lids, OfTwoThatOverlapTheActivePortKeepsIts) {
  const Fabric f = labelled_pair(8, 10, PortState::init);
  const auto plan = plan_lids(f, {.lmc = 2});
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->changes.size(), 1u);
  EXPECT_EQ(plan->changes[0], "port 0x0000000000100003 of `b` cannot keep LID 10: it is no multiple of 4");
  const Fabric g = labelled_pair(8, 9, PortState::init);
  const auto kept = plan_lids(g, {.lmc = 0});
  EXPECT_TRUE(kept->changes.empty());
}

/// master_sm_lid.
TEST(Lids, ThePortOfTheManagerHasTheLidThatIsAskedFor) {
  const Fabric f = labelled_pair(7, 9);  // the switch, where the fabric is seen, has none
  LidRecords records;
  records.add(Guid(0x100001), {Lid(7), Lid(7)});
  const auto plan = plan_lids(f, {.records = &records, .of_origin = Lid(7)});
  ASSERT_TRUE(plan);
  EXPECT_EQ(ranges_of(f, *plan), (Ranges{{0x100001, {1, 1}}, {0x100003, {9, 9}}, {0x200000, {7, 7}}}));
  EXPECT_EQ(plan->changes, std::vector<std::string>{"port 0x0000000000100001 of `a` cannot keep LID 7: LID 7 "
                                                    "belongs to port 0x0000000000200000"});
  const auto beyond = plan_lids(f, {.top = Lid(0x1000), .of_origin = Lid(0x1001)});
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().message,
            "the port of the subnet manager cannot have LID 4097: 4096 is the highest LID that all switches "
            "can hold");
}

TEST(Lids, ReassignForgetsWhatPortsHold) {
  const Fabric f = labelled_pair(7, 9);
  const auto plan = plan_lids(f, {.reassign = true});
  ASSERT_TRUE(plan);
  EXPECT_EQ(ranges_of(f, *plan), (Ranges{{0x100001, {2, 2}}, {0x100003, {3, 3}}, {0x200000, {1, 1}}}));
  EXPECT_TRUE(plan->changes.empty());
}

TEST(Lids, PlannedOnesAreGivenAgainWhereTheyAreFree) {
  const Fabric planned = labelled_pair(9, 10);
  const Fabric bare = labelled_pair(kUnassignedLid.value, kUnassignedLid.value);
  const auto plan = plan_lids(bare, {.planned = &planned});
  ASSERT_TRUE(plan);
  EXPECT_EQ(ranges_of(bare, *plan), ranges_of(planned, *plan_lids(planned, {})));
  EXPECT_TRUE(plan->changes.empty());
  const Fabric taken = labelled_pair(10, kUnassignedLid.value);  // the other port's LID
  const Ranges given = ranges_of(taken, *plan_lids(taken, {.planned = &planned}));
  EXPECT_EQ(given.at(0x100001), std::pair(10U, 10U));
  EXPECT_NE(given.at(0x100003), std::pair(10U, 10U));
}

LidRecords recorded(std::initializer_list<std::tuple<std::uint64_t, std::uint16_t, std::uint16_t>> list) {
  LidRecords records;
  for (const auto& [guid, first, last] : list) EXPECT_TRUE(records.add(Guid(guid), {Lid(first), Lid(last)}));
  return records;
}

constexpr std::uint64_t kA = 0x100001, kB = 0x100003, kSwitch = 0x200000, kAway = 0x300001;

TEST(Lids, RecordedOnesWinOverThoseThatPortsHold) {
  const Fabric f = labelled_pair(5, 6);
  const LidRecords records = recorded({{kA, 6, 6}, {kSwitch, 5, 5}});
  const auto plan = plan_lids(f, {.records = &records});
  ASSERT_TRUE(plan);
  EXPECT_EQ(ranges_of(f, *plan), (Ranges{{kA, {6, 6}}, {kB, {1, 1}}, {kSwitch, {5, 5}}}));
  EXPECT_EQ(plan->changes,
            (std::vector<std::string>{
                "port 0x0000000000100001 of `a` goes from LID 5 to LID 6, which is recorded for it",
                "port 0x0000000000100003 of `b` cannot keep LID 6: LID 6 belongs to port "
                "0x0000000000100001"}));
}

TEST(Lids, AfterAnotherManagerThoseThatPortsHoldWin) {
  const Fabric f = labelled_pair(5, kUnassignedLid.value);
  const LidRecords records = recorded({{kA, 6, 6}, {kB, 7, 7}, {kSwitch, 5, 5}, {kAway, 1, 1}});
  const auto plan = plan_lids(f, {.records = &records, .records_first = false});
  ASSERT_TRUE(plan);
  EXPECT_EQ(ranges_of(f, *plan), (Ranges{{kA, {5, 5}}, {kB, {7, 7}}, {kSwitch, {2, 2}}}));
  EXPECT_TRUE(plan->changes.empty());
}

TEST(Lids, ThoseOfPortsThatAreAwayGoToNobody) {
  const LidRecords records = recorded({{kAway, 1, 4}});
  const Fabric bare = labelled_pair(kUnassignedLid.value, kUnassignedLid.value);
  EXPECT_EQ(ranges_of(bare, *plan_lids(bare, {.records = &records})),
            (Ranges{{kA, {6, 6}}, {kB, {7, 7}}, {kSwitch, {5, 5}}}));
  const Fabric squatter = labelled_pair(2, kUnassignedLid.value);
  const auto plan = plan_lids(squatter, {.records = &records});
  EXPECT_EQ(ranges_of(squatter, *plan), (Ranges{{kA, {6, 6}}, {kB, {7, 7}}, {kSwitch, {5, 5}}}));
  EXPECT_EQ(plan->changes,
            (std::vector<std::string>{"port 0x0000000000100001 of `a` cannot keep LID 2: LID 2 "
                                      "is recorded for port 0x0000000000300001"}));
  // Until there are no others.
  EXPECT_EQ(ranges_of(bare, *plan_lids(bare, {.top = Lid(5), .records = &records})),
            (Ranges{{kA, {1, 1}}, {kB, {2, 2}}, {kSwitch, {5, 5}}}));
  EXPECT_FALSE(plan_lids(bare, {.top = Lid(2), .records = &records}));
}

TEST(Lids, ThoseThatFoundTablesForwardAndNobodyShowsAreGivenLast) {
  const Fabric bare = labelled_pair(kUnassignedLid.value, 9);
  ForwardingTables found(2, Lid(9));
  found.row(SwitchId(0))[1] = found.row(SwitchId(1))[3] = found.row(SwitchId(0))[9] = 1;
  EXPECT_EQ(ranges_of(bare, *plan_lids(bare, {.found = &found})),
            (Ranges{{kA, {4, 4}}, {kB, {9, 9}}, {kSwitch, {2, 2}}}));
  EXPECT_EQ(ranges_of(bare, *plan_lids(bare, {.top = Lid(3), .found = &found})),
            (Ranges{{kA, {1, 1}}, {kB, {3, 3}}, {kSwitch, {2, 2}}}));
}

// OpenSM's own record of a port beside one by hand that has fewer digits: no live LID moves.
TEST(Lids, NoPortMovesForARecordThatContradictsTheOneOfItsLid) {
  SourceSet sources;
  Diagnostics diagnostics;
  const LidRecords records = read_guid2lid(
      sources, sources.add("guid2lid", "0x100001 0x0010 0x0010\n\n0x0000000000100001 0x0007 0x0007\n\n"),
      diagnostics);
  for (const bool first : {true, false}) {
    const Fabric f = labelled_pair(7, 9);
    const auto plan = plan_lids(f, {.records = &records, .records_first = first});
    EXPECT_EQ(ranges_of(f, *plan)[kA], std::pair(7U, 7U));
    const Fabric moved = labelled_pair(16, 9);
    const auto kept = plan_lids(moved, {.records = &records, .records_first = first});
    EXPECT_EQ(ranges_of(moved, *kept)[kA], std::pair(16U, 16U));
    EXPECT_EQ(kept->changes,
              std::vector<std::string>{"port 0x0000000000100001 holds LID 16: of the LIDs 7 and 16 in "
                                       "guid2lid it keeps this one"});
  }
}

TEST(Lids, RecordsOfAnotherLmcKeepTheirFirstLidWhereTheyCan) {
  const Fabric bare = labelled_pair(kUnassignedLid.value, kUnassignedLid.value);
  const LidRecords single = recorded({{kA, 2, 2}, {kB, 3, 3}, {kSwitch, 9, 9}});
  EXPECT_EQ(ranges_of(bare, *plan_lids(bare, {.lmc = 1, .records = &single})),
            (Ranges{{kA, {2, 3}}, {kB, {4, 5}}, {kSwitch, {9, 9}}}));
  const LidRecords wide = recorded({{kA, 4, 7}, {kB, 8, 11}, {kSwitch, 1, 1}});
  EXPECT_EQ(ranges_of(bare, *plan_lids(bare, {.records = &wide})),
            (Ranges{{kA, {4, 4}}, {kB, {8, 8}}, {kSwitch, {1, 1}}}));
  // The range of another port is not taken for the greater one.
  const LidRecords close = recorded({{kA, 2, 2}, {kAway, 3, 3}});
  EXPECT_EQ(ranges_of(bare, *plan_lids(bare, {.lmc = 1, .records = &close}))[kA], std::pair(4U, 5U));
}

TEST(Lids, ReassignForgetsRecords) {
  const Fabric f = labelled_pair(7, 9);
  const LidRecords records = recorded({{kA, 30, 30}, {kAway, 2, 2}});
  EXPECT_EQ(ranges_of(f, *plan_lids(f, {.reassign = true, .records = &records})),
            ranges_of(f, *plan_lids(f, {.reassign = true})));
}

TEST(Lids, EnhancedPort0CountsOnlyWhenAsked) {
  const Fabric f = golden_net("speeds");
  const std::uint64_t sw = 0x0002c90200400000;
  EXPECT_EQ(ranges_of(f, *plan_lids(f, {.lmc = 2}))[sw], std::pair(8U, 8U));
  EXPECT_EQ(ranges_of(f, *plan_lids(f, {.lmc = 2, .lmc_esp0 = true}))[sw], std::pair(8U, 11U));
}

TEST(Lids, ExhaustionIsAnError) {
  const Fabric f = golden_net("multi");
  const auto plan = plan_lids(f, {.top = Lid(11)});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().kind, ErrorKind::invalid);
  EXPECT_EQ(plan.error().message,
            "the LID space is exhausted: port 0x0002c90200400018 of `msw3` needs 1 of the 11 LIDs");
  EXPECT_FALSE(plan_lids(f, {.lmc = 8}));
}

}  // namespace
}  // namespace rch::fabric::test
