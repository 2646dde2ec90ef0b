#include "hw/commit_fixture.h"
#include "hw/driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fabric/fabric_builder.h"
#include "fabric/faults.h"
#include "hw/discovery.h"
#include "hw/live_tables.h"
#include "hw/simple_routing.h"

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

TEST_F(Commit, SwitchPortsBecomeArmedWithTheirParameters) {
  const auto report = run();
  ASSERT_TRUE(report);
  EXPECT_EQ(std::ranges::count_if(fake.sets, [&](const Visit& v) { return is_of_switch_port(v); }),
            2 * (6 + 2 * 6))
      << "parameters with ARMED, and ACTIVE";
  EXPECT_EQ(report->armed_with_parameters, 6U + 2U * 6U);
}

TEST_F(Commit, APortWithItsParametersBecomesArmedAlone) {
  ASSERT_TRUE(run());
  const PortId port = fabric.port(host(1)).peer;
  for (const PortId end : {host(1), port}) set(info(end), pi::kState, 2);
  fake.sets.clear();
  const auto report = run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->armed, 2U);
  EXPECT_EQ(report->armed_with_parameters, 0U);
  EXPECT_EQ(report->writes(), fake.sets.size());
  EXPECT_EQ(get(info(port), pi::kState), 4U);
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

// PortInfo (sm-sa 3.2)

TEST_F(Commit, HostPortsGetWhatAHostNeeds) {
  ASSERT_TRUE(run());
  const SmpData& host_info = info(host(3));
  EXPECT_EQ(get(host_info, pi::kGidPrefix), 0xFE80000000000000U);
  EXPECT_EQ(get(host_info, pi::kLid), 9U);
  EXPECT_EQ(get(host_info, pi::kMasterSmLid), 6U);
  EXPECT_EQ(get(host_info, pi::kNeighborMtu), 4U);
  EXPECT_EQ(get(host_info, pi::kOperVls), 4U);
  EXPECT_EQ(get(host_info, pi::kSubnetTimeout), 18U);
  EXPECT_EQ(get(host_info, pi::kLocalPhyErrors), 8U);
  EXPECT_EQ(get(host_info, pi::kOverrunErrors), 8U);
  EXPECT_EQ(get(host_info, pi::kLinkDownDefault), 2U);
}

TEST_F(Commit, SwitchPortsGetHeadOfQueueLifeByWhatHangsOnThem) {
  ASSERT_TRUE(run());
  EXPECT_EQ(get(info(fabric.port_id(SwitchId(0), PortNum(1))), pi::kHoqLife), 0x10U);
  EXPECT_EQ(get(info(fabric.port_id(SwitchId(0), PortNum(3))), pi::kHoqLife), 0x12U);
  EXPECT_EQ(get(info(fabric.port_id(SwitchId(0), PortNum(3))), pi::kVlStall), 7U);
}

TEST_F(Commit, ForcedSpeedsAndWidthsAreWrittenOnceToPortsThatSupportThem) {
  for (SmpData& port : fake.port_info) {
    set(port, pi::kSpeedSupported, 7);
    set(port, pi::kSpeedEnabled, 7);
    set(port, pi::kWidthSupported, 3);
    set(port, pi::kWidthEnabled, 2);
    set(port, pi::kSpeedExtSupported, 7);
    set(port, pi::kSpeedExtEnabled, 3);
  }
  const PortId leaf = fabric.port_id(SwitchId(0), PortNum(1));
  ASSERT_TRUE(run());
  EXPECT_EQ(get(info(host(0)), pi::kSpeedEnabled), 7U) << "all that it supports is enabled";
  EXPECT_EQ(get(info(host(0)), pi::kWidthEnabled), 255U);
  EXPECT_EQ(get(info(host(0)), pi::kSpeedExtEnabled), 31U);
  EXPECT_EQ(get(info(leaf), pi::kWidthEnabled), 2U);
  EXPECT_EQ(run()->writes(), 0U) << "what is supported is no difference";
  const SubnetOptions forced{.link = {.speed = 3, .speed_ext = LinkOptions::kNoSpeedExt, .width = 1}};
  set(info(host(1)), pi::kSpeedSupported, 1);
  EXPECT_GT(run({.subnet = forced})->writes(), 0U);
  for (const PortId port : {host(0), host(1), leaf}) {
    EXPECT_EQ(get(info(port), pi::kSpeedEnabled), 3U);
    EXPECT_EQ(get(info(port), pi::kWidthEnabled), 1U);
    EXPECT_EQ(get(info(port), pi::kSpeedExtEnabled), 30U);
  }
  set(info(host(1)), pi::kSpeedEnabled, 1);
  EXPECT_EQ(run({.subnet = forced})->writes(), 0U) << "a port that does not support it is left alone";
}

// The place of the bits is that of the architecture: release 1.6, byte 56 of PortInfo.
TEST_F(Commit, SpeedsFromXdrOnAreEnabledWhereThePortSupportsThem) {
  const auto byte = [&](PortId port) -> std::uint8_t& { return info(port)[56]; };
  byte(host(0)) = 0x08;  // ExtSupported2 1, ExtEnabled2 0
  byte(host(1)) = 0x00;
  byte(host(2)) = 0x09;
  ASSERT_TRUE(run());
  EXPECT_EQ(byte(host(0)), 0x0F) << "what it supports";
  EXPECT_EQ(byte(host(1)), 0x00) << "a port that knows no such speeds";
  EXPECT_EQ(byte(host(2)), 0x09) << "what is supported is no difference";
  const SubnetOptions none{.link = {.speed_ext2 = LinkOptions::kNoSpeedExt2}};
  EXPECT_GT(run({.subnet = none})->writes(), 0U);
  EXPECT_EQ(byte(host(0)), 0x0E);
  EXPECT_EQ(byte(host(1)), 0x00);
  EXPECT_EQ(run({.subnet = none})->writes(), 0U);
  const SubnetOptions as_it_is{.link = {.speed_ext2 = 0}};
  EXPECT_EQ(run({.subnet = as_it_is})->writes(), 0U);
  EXPECT_EQ(byte(host(0)), 0x0E);
}

TEST_F(Commit, ThresholdsAndServiceLevelOfTheManagerAreThoseOfTheOptions) {
  ASSERT_TRUE(run({.subnet = {.sm_sl = 3, .local_phy_errors_threshold = 2, .overrun_errors_threshold = 15}}));
  EXPECT_EQ(get(info(host(3)), pi::kLocalPhyErrors), 2U);
  EXPECT_EQ(get(info(host(3)), pi::kOverrunErrors), 15U);
  EXPECT_EQ(get(info(host(3)), pi::kMasterSmSl), 3U);
}

TEST_F(Commit, HostsAreAskedToRegisterAgainUnlessForbidden) {
  const auto asked = [&](bool reregister) {
    fake.sets.clear();
    for (SmpData& port : fake.port_info) set(port, pi::kMasterSmLid, 0);
    EXPECT_TRUE(run({.subnet = {.reregister_clients = reregister}}));
    return std::ranges::count_if(fake.sets, [](const sim::Visit& visit) {
      return visit.attribute == Attribute::port_info && get(visit.data, pi::kClientReregister) != 0;
    });
  };
  EXPECT_EQ(asked(false), 0);
  EXPECT_GT(asked(true), 0);
}

TEST_F(Commit, AllClientsAreAskedByAManagerThatKnowsNoneOfThem) {
  ASSERT_TRUE(run());
  const auto asked = [&](bool all) {
    fake.sets.clear();
    EXPECT_TRUE(run({.subnet = {.asks_all_clients = all}}));
    return std::ranges::count_if(fake.sets, [](const sim::Visit& visit) {
      return visit.attribute == Attribute::port_info && get(visit.data, pi::kClientReregister) != 0;
    });
  };
  EXPECT_EQ(asked(false), 0);
  EXPECT_GT(asked(true), 0);
}

TEST_F(Commit, HostThatWasOutOfReachIsAskedThoughItsPortStayedUp) {
  ASSERT_TRUE(run());
  std::vector<PortId> asked;
  fake.on_client_reregister = [&](PortId port) { asked.push_back(port); };
  const NodeId leaf = fabric.port(fabric.port(host(5)).peer).node;
  const auto known = fabric::remove_parts(fabric, {.switches = {fabric.node(leaf).description}});
  ASSERT_TRUE(known);
  EXPECT_TRUE(run({.subnet = {.known_clients = &known->fabric}}));
  EXPECT_THAT(asked, testing::UnorderedElementsAre(fabric.port_id(leaf, PortNum(0)), host(4), host(5)));
}

TEST_F(Commit, FieldsNobodyOwnsStayAsTheyWere) {
  const std::vector<SmpData> before = fake.port_info;
  ASSERT_TRUE(run());
  for (std::size_t p = 0; p < before.size(); ++p) {
    for (std::size_t byte : {24U, 25U, 44U, 45U, 46U, 47U, 48U, 49U, 50U}) {
      EXPECT_EQ(fake.port_info[p][byte], before[p][byte]) << "port " << p << " byte " << byte;
    }
  }
}

TEST_F(Commit, MtuAndVlsAreTheBestBothEndsCanDo) {
  set(info(host(1)), pi::kMtuCap, 2);
  set(info(host(1)), pi::kVlCap, 1);
  ASSERT_TRUE(run({.subnet = {.max_op_vls = 3}}));
  for (PortId port : {host(1), fabric.port(host(1)).peer}) {
    EXPECT_EQ(get(info(port), pi::kNeighborMtu), 2U);
    EXPECT_EQ(get(info(port), pi::kOperVls), 1U);
  }
  EXPECT_EQ(get(info(host(2)), pi::kOperVls), 3U);
}

TEST_F(Commit, ALinkThatIsUpGoesDownWhenItsVlsMustChange) {
  ASSERT_TRUE(run());
  fake.sets.clear();
  const auto report = run({.subnet = {.max_op_vls = 2}});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->resets, 12U);
  EXPECT_EQ(report->armed, 24U);
  EXPECT_EQ(get(info(host(2)), pi::kOperVls), 2U);
  EXPECT_EQ(get(info(host(2)), pi::kState), 4U);
}

/// A link that is reset is trained again, which takes a while. Its far end is out of reach until then.
class LinksThatAreTrained : public Commit {
 protected:
  void reset_takes(Milliseconds training) {
    fake.after_set = [this, training](const Visit& visit) {
      if (visit.attribute != Attribute::port_info || get(visit.data, pi::kState) != 1) return;
      const PortId port =
          fabric.port_id(visit.node, PortNum(static_cast<std::uint8_t>(visit.modifier & 0xFFU)));
      for (const PortId end : {port, fabric.port(port).peer})
        set(info(end), pi::kState, 1), down.push_back(end);
      up_at = fake.now() + training;
    };
    fake.lose_request = [&](const Visit&) {
      if (fake.now() < up_at) return false;
      for (const PortId end : std::exchange(down, {})) set(info(end), pi::kState, 2);
      return false;
    };
  }

  std::vector<PortId> down;
  TimePoint up_at{};
};

TEST_F(LinksThatAreTrained, AreWaitedFor) {
  ASSERT_TRUE(run());
  reset_takes(Milliseconds{3000});
  const auto report = run({.subnet = {.max_op_vls = 2}});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->resets, 12U);
  for (const fabric::EndPort& end_port : fabric.end_ports()) {
    EXPECT_EQ(get(info(end_port.port), pi::kOperVls), 2U);
    EXPECT_EQ(get(info(end_port.port), pi::kState), 4U);
  }
}

TEST_F(LinksThatAreTrained, ButNotForEver) {
  ASSERT_TRUE(run());
  reset_takes(std::chrono::minutes{10});
  const auto report = run({.subnet = {.max_op_vls = 2}});
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, testing::HasSubstr("its link does not come up after it was reset"));
}

TEST_F(Commit, TheExtendedSpeedsBitIsSetForPortsThatKnowIt) {
  set(info(fabric.port_id(SwitchId(1), PortNum(0))), pi::kCapExtendedSpeeds, 0);
  ASSERT_TRUE(run());
  for (const Visit& visit : fake.sets) {
    if (visit.attribute != Attribute::port_info) continue;
    EXPECT_EQ((visit.modifier & kExtendedSpeeds) != 0, visit.node != NodeId(1));
  }
}

TEST_F(Commit, ClientsAreToldToRegisterAgainOnce) {
  set(info(host(2)), pi::kCapClientReregistration, 0);
  ASSERT_TRUE(run());
  const auto told = [&] {
    std::multiset<NodeId> nodes;
    for (const Visit& visit : fake.sets) {
      if (visit.attribute == Attribute::port_info && get(visit.data, pi::kClientReregister))
        nodes.insert(visit.node);
    }
    return nodes;
  };
  EXPECT_EQ(told().size(), 11U - 1U);
  EXPECT_EQ(told().count(fabric.port(host(2)).node), 0U);
  fake.sets.clear();
  ASSERT_TRUE(run({.whole = true}));
  EXPECT_TRUE(told().empty());
}

TEST_F(Commit, TimersThatChangeAloneAreWritten) {
  ASSERT_TRUE(run());
  ASSERT_EQ(run()->writes(), 0U);
  const auto timeout = run({.subnet = {.subnet_timeout = 17}});
  ASSERT_TRUE(timeout);
  EXPECT_EQ(timeout->end_ports, fabric.end_ports().size() + fabric.switch_count());
  EXPECT_EQ(get(info(host(2)), pi::kSubnetTimeout), 17U);
  EXPECT_EQ(run({.subnet = {.subnet_timeout = 17}})->writes(), 0U);

  const auto stall = run({.subnet = {.subnet_timeout = 17, .leaf_vl_stall_count = 5}});
  ASSERT_TRUE(stall);
  EXPECT_EQ(stall->switch_ports, fabric.end_ports().size());
  EXPECT_EQ(
      run({.subnet = {.subnet_timeout = 17, .vl_stall_count = 3, .leaf_vl_stall_count = 5}})->switch_ports,
      fabric.graph().link_ends());
}

TEST_F(Commit, LinksThatAreResetAreNoChangeOfTheFabric) {
  ASSERT_TRUE(run());
  // Switches tell of ports that went down, whoever asked for it.
  fake.bend = [&](const Visit& visit, SmpData&) {
    if (visit.method != Method::set || visit.attribute != Attribute::port_info) return;
    if (get(visit.data, pi::kState) != 1) return;
    const PortId port =
        fabric.port_id(visit.node, PortNum(static_cast<std::uint8_t>(visit.modifier & 0xFFU)));
    for (const PortId end : {port, fabric.port(port).peer})
      if (fabric.is_switch(fabric.port(end).node))
        set(fake.switch_info[fabric.port(end).node.index()], switch_info::kPortStateChange, 1);
  };
  const auto report = run({.subnet = {.max_op_vls = 2}});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_GT(report->resets, 0U);
  EXPECT_EQ(get(info(host(2)), pi::kState), 4U);
}

TEST_F(Commit, ADryRunBesideAMasterTellsOfIt) {
  set_master(host(2), 7);
  const auto report = run({.dry_run = true});
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->remarks.size(), 1U);
  EXPECT_EQ(report->remarks[0].find("the fabric has a master subnet manager: "), 0U);
  EXPECT_TRUE(fake.sets.empty());
}

TEST_F(Commit, FieldsThatAnAgentForgetsAreNotWrittenAgainAndAgain) {
  fake.bend = [](const Visit& visit, SmpData& answer) {
    if (visit.attribute == Attribute::port_info) set(answer, pi::kSubnetTimeout, 31);
  };
  ASSERT_TRUE(run());
  EXPECT_EQ(run()->writes(), 0U);
  EXPECT_EQ(run({.whole = true})->end_ports, 11U);
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
