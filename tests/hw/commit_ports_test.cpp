// PortInfo, as a commit writes it (IBA 14.2.5.6).

#include "hw/commit_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fabric/faults.h"

namespace rch::hw {
namespace {

using sim::Visit;
using test::Commit;
namespace pi = port_info;

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

// PortInfo (IBA 14.2.5.6)

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

/// max_neighbor_mtu.
TEST_F(Commit, TheMtuOfLinksIsLimitedIfSo) {
  set(info(host(1)), pi::kMtuCap, 2);
  ASSERT_TRUE(run({.subnet = {.max_neighbor_mtu = 3}}));
  EXPECT_EQ(get(info(host(1)), pi::kNeighborMtu), 2U);
  for (PortId port : {host(2), fabric.port(host(2)).peer}) EXPECT_EQ(get(info(port), pi::kNeighborMtu), 3U);
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

/// suppress_mc_pkey_traps. The places of the bits are those of libibmad and of the kernel: bit 29 of the
/// CapabilityMask, and bits 1-2 of byte 51.
TEST_F(Commit, TrapsAboutMulticastPKeysAreSuppressedWhereThePortCan) {
  info(host(1))[20] = static_cast<std::uint8_t>(info(host(1))[20] | 0x20);
  info(host(1))[51] = 0;
  info(host(2))[51] = 0;
  const auto suppression = [this](PortId port) { return info(port)[51] & 0x60; };
  ASSERT_TRUE(run());
  EXPECT_EQ(suppression(host(1)), 0) << "nobody asked for it";
  const auto written = run({.subnet = {.suppresses_multicast_traps = true}});
  ASSERT_TRUE(written);
  EXPECT_EQ(written->end_ports, 1U);
  EXPECT_EQ(suppression(host(1)), 0x20);
  EXPECT_EQ(suppression(host(2)), 0) << "it cannot";
  EXPECT_EQ(run({.subnet = {.suppresses_multicast_traps = true}})->writes(), 0U);
  EXPECT_EQ(run()->writes(), 0U) << "it stays as it is";
  EXPECT_EQ(suppression(host(1)), 0x20);
  EXPECT_EQ(run({.subnet = {.suppresses_multicast_traps = false}})->end_ports, 1U);
  EXPECT_EQ(suppression(host(1)), 0);
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

TEST_F(Commit, FieldsThatAnAgentForgetsAreNotWrittenAgainAndAgain) {
  fake.bend = [](const Visit& visit, SmpData& answer) {
    if (visit.attribute == Attribute::port_info) set(answer, pi::kSubnetTimeout, 31);
  };
  ASSERT_TRUE(run());
  EXPECT_EQ(run()->writes(), 0U);
  EXPECT_EQ(run({.whole = true})->end_ports, 11U);
}

}  // namespace
}  // namespace rch::hw
