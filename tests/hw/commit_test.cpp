#include "hw/commit_fixture.h"
#include "hw/driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "hw/discovery.h"
#include "hw/live_tables.h"

namespace rch::hw {
namespace {

using sim::Visit;
using test::Commit;
namespace pi = port_info;

TEST_F(Commit, BringsAFabricUp) {
  const auto report = run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->writes(), fake.sets.size());
  EXPECT_EQ(report->end_ports, 6U + 5U);
  EXPECT_EQ(report->lft_blocks, 5U);
  EXPECT_EQ(report->armed, 2U * (6U + 6U));
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
    if (!fabric.port(PortId(p)).peer.is_none()) {
      EXPECT_EQ(get(fake.port_info[p], pi::kState), 4U);
    }
  }
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const auto row = tables.lfts.row(SwitchId(s));
    EXPECT_TRUE(std::equal(row.begin(), row.end(), fake.lft_blocks[{SwitchId(s), 0}].begin()));
    EXPECT_EQ(get(fake.switch_info[s], switch_info::kLinearTop), 11U);
    EXPECT_EQ(get(fake.switch_info[s], switch_info::kLifeTime), 0x12U);
    EXPECT_EQ(get(fake.switch_info[s], switch_info::kPortStateChange), 0U);
  }
  EXPECT_TRUE(fake.is_sm);
}

TEST_F(Commit, ASecondRunWritesNothing) {
  ASSERT_TRUE(run({}, true));
  fake.sets.clear();
  const auto report = run({}, true);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->writes(), 0U);
  EXPECT_TRUE(fake.sets.empty());
}

TEST_F(Commit, ADryRunCountsAndWritesNothing) {
  const auto planned = run({.dry_run = true});
  ASSERT_TRUE(planned);
  EXPECT_TRUE(fake.sets.empty());
  EXPECT_FALSE(fake.is_sm);
  const auto done = run();
  EXPECT_EQ(planned->writes(), done->writes());
  EXPECT_EQ(planned->lft_blocks, done->lft_blocks);
}

TEST_F(Commit, OnlyTheBlockThatDiffersIsWritten) {
  ASSERT_TRUE(run());
  fake.lft_blocks[{SwitchId(3), 0}][5] ^= 1;
  fake.sets.clear();
  const auto report = run();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->lft_blocks, 1U);
  const auto lft_set = [](const Visit& v) { return v.attribute == Attribute::linear_table; };
  EXPECT_EQ(std::count_if(fake.sets.begin(), fake.sets.end(), lft_set), 1);
}

TEST_F(Commit, StagesFollowEachOther) {
  ASSERT_TRUE(run({}, true));
  const auto stage = [&](const Visit& visit) {
    if (visit.attribute == Attribute::switch_info)
      return get(visit.data, switch_info::kLinearTop) == 0 ? 1 : 4;
    if (visit.attribute == Attribute::sl2vl) return 2;
    if (visit.attribute == Attribute::linear_table) return 3;
    const auto state = static_cast<PortState>(get(visit.data, pi::kState));
    if (state == PortState::active) return 7;
    if (is_of_switch_port(visit)) return 5;
    return state == PortState::armed ? 6 : 0;
  };
  std::vector<int> stages;
  for (const Visit& visit : fake.sets) stages.push_back(stage(visit));
  EXPECT_TRUE(std::is_sorted(stages.begin(), stages.end()));
  EXPECT_EQ(std::set<int>(stages.begin(), stages.end()).size(), 8U);
}

TEST_F(Commit, Sl2VlGoesToEveryCabledPairAndToHosts) {
  const auto report = run({}, true);
  ASSERT_TRUE(report);
  // Leaves: 4 cabled ports, spines 3; each table (in or port 0) x out; and 6 hosts.
  EXPECT_EQ(report->sl2vl_tables, 3U * 5U * 4U + 2U * 4U * 3U + 6U);
  for (const auto& [place, data] : fake.sl2vl) {
    const auto& [node, port, modifier] = place;
    const fabric::Sl2VlMap& map =
        fabric.is_switch(node)
            ? tables.sl2vl.at(SwitchId(node.value), PortNum(static_cast<std::uint8_t>(modifier >> 8U)),
                              PortNum(static_cast<std::uint8_t>(modifier & 0xFFU)))
            : tables.sl2vl.end_port();
    for (std::size_t sl = 0; sl < map.size(); ++sl) {
      EXPECT_EQ(map[sl], sl % 2 == 0 ? data[sl / 2] >> 4U : data[sl / 2] & 0xFU);
    }
  }
}

TEST_F(Commit, LiveTablesAreWhatWasCommitted) {
  ASSERT_TRUE(run({}, true));
  Driver driver(fake, {});
  const auto live = driver.wait(discover(driver));
  const auto installed = driver.wait(read_live_tables(driver, *live));
  ASSERT_TRUE(installed) << installed.error().message;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (std::uint16_t lid = 0; lid <= 11; ++lid) {
      EXPECT_EQ(installed->lfts.at(SwitchId(s), Lid(lid)), tables.lfts.at(SwitchId(s), Lid(lid)));
    }
  }
  for (const Sl2VlPlace& place : sl2vl_places(fabric)) {
    EXPECT_EQ(installed->sl2vl.at(place.sw, place.in, place.out),
              tables.sl2vl.at(place.sw, place.in, place.out));
  }
  for (const fabric::EndPort& end : fabric.end_ports())
    EXPECT_EQ(installed->sl2vl.end_port(end.port), tables.sl2vl.end_port(end.port));
  ASSERT_EQ(installed->steps.size(), 1U);
}

TEST_F(Commit, ADryRunBesideAMasterTellsOfIt) {
  set_master(host(2), 7);
  const auto report = run({.dry_run = true});
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->remarks.size(), 1U);
  EXPECT_EQ(report->remarks[0].find("the fabric has a master subnet manager: "), 0U);
  EXPECT_TRUE(fake.sets.empty());
}

// What goes wrong

TEST_F(Commit, AnAnswerThatIsNotWhatWasSentFails) {
  fake.bend = [](const Visit& visit, SmpData& answer) {
    if (visit.method == Method::set && visit.attribute == Attribute::linear_table &&
        visit.node == NodeId(3)) {
      answer[17] = 0x77;
    }
  };
  EXPECT_EQ(failure(),
            "`switch 3` port 0 (0x0000000000100018, route 0,1,3) shows 0xff77ffffffffffff in byte 16 of "
            "block 0 of its "
            "forwarding table after 0xffffffffffffffff was written [read-back-differs]");
}

TEST_F(Commit, TablesAreReadBack) {
  bool written = false;
  fake.bend = [&](const Visit& visit, SmpData& answer) {
    if (visit.attribute != Attribute::linear_table || visit.node != NodeId(1)) return;
    if (visit.method == Method::set)
      written = true;
    else if (written)
      answer[0] = 1;
  };
  EXPECT_NE(failure().find("byte 0 of block 0 of its forwarding table"), std::string::npos);
}

TEST_F(Commit, ATableThatCannotBeReadIsNamed) {
  ASSERT_TRUE(run());
  fake.sets.clear();
  fake.lose_request = [](const Visit& visit) {
    return visit.attribute == Attribute::linear_table && visit.node == NodeId(3);
  };
  EXPECT_EQ(
      failure(),
      "`switch 3` port 0 (0x0000000000100018, route 0,1,3) does not answer when block 0 of its forwarding "
      "table is read [no-answer]");
  EXPECT_TRUE(fake.sets.empty());
}

TEST_F(Commit, NothingIsSentAfterTheStepThatFailed) {
  fake.bend = [](const Visit& visit, SmpData& answer) {
    if (visit.method == Method::set && visit.attribute == Attribute::port_info) set(answer, pi::kLid, 1234);
  };
  EXPECT_NE(failure().find("shows 0x4d2 in LID of its PortInfo"), std::string::npos);
  for (const Visit& visit : fake.sets) EXPECT_EQ(visit.attribute, Attribute::port_info);
}

TEST_F(Commit, ASwitchThatFallsSilentIsNamed) {
  fake.lose_request = [](const Visit& visit) {
    return visit.node == NodeId(2) && visit.method == Method::set &&
           visit.attribute == Attribute::switch_info;
  };
  EXPECT_EQ(failure(),
            "`switch 2` port 0 (0x0000000000100010, route 0,1,3,3) does not answer when its SwitchInfo is "
            "set [no-answer]");
}

TEST_F(Commit, ASwitchThatRefusesAWriteIsNamed) {
  fake.refuse = [](const Visit& visit) {
    return visit.node == NodeId(2) && visit.method == Method::set &&
           visit.attribute == Attribute::linear_table;
  };
  EXPECT_EQ(failure(),
            "`switch 2` port 0 (0x0000000000100010, route 0,1,3,3) answers with status 0x1c when block 0 of "
            "its forwarding table is set [refused-write]");
}

TEST_F(Commit, LostAnswersToStateChangesAreLookedUp) {
  std::set<std::pair<NodeId, std::uint32_t>> lost;
  fake.lose_answer = [&](const Visit& visit) {
    const bool state = visit.method == Method::set && visit.attribute == Attribute::port_info &&
                       get(visit.data, pi::kState) >= 3;
    return state && lost.insert({visit.node, visit.modifier}).second;
  };
  const auto report = run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->smps.resent, 24U);
  EXPECT_EQ(get(info(host(0)), pi::kState), 4U);
}

TEST_F(Commit, ASwitchTooSmallForTheTablesIsNamedBeforeAnyWrite) {
  set(fake.switch_info[1], switch_info::kLinearCap, 8);
  EXPECT_EQ(
      failure(),
      "`switch 1` port 0 (0x0000000000100008, route 0,1,3,2) holds forwarding tables of 8 LIDs; LID 11 is "
      "needed [cannot-hold]");
  EXPECT_TRUE(fake.sets.empty());
}

TEST_F(Commit, APortWithoutSl2VlTablesIsNamedBeforeAnyWrite) {
  set(info(host(4)), pi::kCapSlMapping, 0);
  EXPECT_NE(failure({}, true).find("has no SL2VL tables, which the routing needs [cannot-hold]"),
            std::string::npos);
  EXPECT_TRUE(fake.sets.empty());
  EXPECT_TRUE(run());
}

TEST_F(Commit, APortWithoutSl2VlTablesDoesWithoutMapsOfOptions) {
  set(info(host(4)), pi::kCapSlMapping, 0);
  dress = [](fabric::RoutingTables& made) { made.sl2vl_of_options = true; };
  const auto report = run({}, true);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->sl2vl_tables, 3U * 5U * 4U + 2U * 4U * 3U + 5U);
  EXPECT_EQ(run({}, true)->writes(), 0U);
}

TEST_F(Commit, AFabricThatChangesMeanwhileIsReported) {
  fake.bend = [&](const Visit& visit, SmpData&) {
    if (visit.attribute == Attribute::linear_table)
      set(fake.switch_info[4], switch_info::kPortStateChange, 1);
  };
  const std::string message = failure();
  EXPECT_NE(message.find("`switch 4` port 0"), std::string::npos);
  EXPECT_NE(message.find(": one of its ports changed its state during the commit"), std::string::npos)
      << message;
  EXPECT_TRUE(message.ends_with("[fabric-changed]")) << message;
}

TEST_F(Commit, TheTableTopIsLoweredOnceTheTablesAreIn) {
  for (SmpData& switch_info : fake.switch_info) set(switch_info, switch_info::kLinearTop, 100);
  ASSERT_TRUE(run());
  std::vector<std::uint64_t> tops;
  for (const Visit& visit : fake.sets) {
    if (visit.attribute == Attribute::switch_info) tops.push_back(get(visit.data, switch_info::kLinearTop));
  }
  EXPECT_EQ(tops, (std::vector<std::uint64_t>{100, 100, 100, 100, 100, 11, 11, 11, 11, 11}));
}

// Other subnet managers

TEST_F(Commit, AMasterIsLeftAlone) {
  ASSERT_TRUE(run());
  fake.show_sm(0, false);
  fake.is_sm = false;
  fake.sets.clear();
  set_master(host(2), 7);
  set(info(host(0)), pi::kMasterSmLid, 8);
  EXPECT_EQ(failure(),
            "the fabric has a master subnet manager: 0x0000000000900009 of `host 2` (LID 8, priority 7); "
            "nothing was "
            "written (stop it, or take the fabric from it with `--takeover`) [another-master]");
  EXPECT_TRUE(fake.sets.empty());
  EXPECT_FALSE(fake.is_sm);
}

TEST_F(Commit, AStandbyIsNoObstacle) {
  set_master(host(2), 7);
  set(fake.sm_info[host(2)], sm_info::kState, 2);
  EXPECT_TRUE(run());
}

TEST_F(Commit, ASilentSmIsAMasterWhenOurPortKnowsItAsSuch) {
  set(info(host(2)), pi::kCapIsSm, 1);
  set(info(host(2)), pi::kLid, 8);
  EXPECT_TRUE(run({.dry_run = true}));
  set(info(host(0)), pi::kMasterSmLid, 8);
  EXPECT_NE(failure().find("(LID 8, does not answer)"), std::string::npos);
}

TEST_F(Commit, AMasterMayBeBehindAPortThatDoesNotAnswer) {
  const NodeId silent = fabric.port(host(2)).node;
  fake.lose_request = [&](const Visit& visit) { return visit.node == silent; };
  ASSERT_TRUE(run()) << "our port knows no master";
  set(info(host(0)), port_info::kMasterSmLid, 99);
  const std::string message = failure();
  EXPECT_EQ(
      message.find("our port knows a subnet manager at LID 99, which may be behind `switch 1` port 1 ("), 0U)
      << message;
  EXPECT_TRUE(message.ends_with("[hidden-master]")) << message;
  EXPECT_TRUE(run({.manager = {.takeover = true}}));
}

TEST_F(Commit, TakeoverWaitsForTheHandover) {
  set_master(host(2), 7);
  int polls = 0;
  fake.bend = [&](const Visit& visit, SmpData& answer) {
    if (visit.attribute != Attribute::sm_info) return;
    EXPECT_TRUE(polls >= 3 || fake.sets.empty());
    if (fake.is_sm && ++polls >= 3) set(answer, sm_info::kState, 2);
  };
  const auto report = run({.manager = {.takeover = true}});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_GE(polls, 3);
  ASSERT_EQ(report->remarks.size(), 1U);
  EXPECT_TRUE(report->remarks[0].ends_with(" handed over")) << report->remarks[0];
}

TEST_F(Commit, TakeoverNamesAMasterThatHandedOverAtOnce) {
  set_master(host(2), 7);
  set(info(host(2)), pi::kLid, 8);
  set(info(host(2)), pi::kState, 4);
  set(info(host(0)), pi::kMasterSmLid, 8);
  fake.bend = [&](const Visit& visit, SmpData& answer) {
    if (visit.attribute == Attribute::sm_info) set(answer, sm_info::kState, fake.is_sm ? 2 : 3);
  };
  const auto report = run({.manager = {.takeover = true}});
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->remarks.size(), 1U);
  EXPECT_TRUE(report->remarks[0].ends_with(" handed over")) << report->remarks[0];
}

TEST_F(Commit, TakeoverGoesOnWithoutAHandoverAndSaysSo) {
  set_master(host(2), 7);
  const auto report = run({.manager = {.takeover = true}});
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->remarks[0].ends_with("did not hand over and was overwritten")) << report->remarks[0];
  EXPECT_EQ(get(info(host(1)), pi::kState), 4U);
}

}  // namespace
}  // namespace rch::hw
