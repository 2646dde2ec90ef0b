// Multicast forwarding tables (IBA 14.2.5.12).

#include "hw/multicast_tables.h"
#include "hw/driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/commit_fixture.h"
#include "hw/discovery.h"
#include "support/small_fabrics.h"

namespace rch::hw {
namespace {

using fabric::MulticastGroup;
using sim::Visit;
using test::Commit;
using testing::HasSubstr;
using testing::SizeIs;

/// Leaves 0 to 2 with hosts at ports 1 and 2 and spines 3 and 4 at ports 3 and 4; hosts of all leaves in one
/// group.
class Multicast : public Commit {
 protected:
  Multicast() {
    dress = [this](fabric::RoutingTables& made) { made.groups = groups; };
  }

  PortId port(std::uint32_t sw, std::uint8_t number) const {
    return fabric.port_id(SwitchId(sw), PortNum(number));
  }
  /// All hosts of the leaves, by one spine.
  MulticastGroup group(std::uint16_t mlid, std::vector<std::uint32_t> leaves, std::uint32_t spine) const {
    MulticastGroup made{Lid(mlid), 0, {}, {}};
    for (std::uint32_t leaf : leaves) {
      for (std::uint8_t p = 1; p <= 2; ++p) made.ports.push_back(port(leaf, p));
      made.ports.push_back(port(leaf, static_cast<std::uint8_t>(spine)));
      made.ports.push_back(port(spine, static_cast<std::uint8_t>(leaf + 1)));
    }
    std::ranges::sort(made.ports);
    return made;
  }
  unsigned mask(std::uint32_t sw, std::uint16_t mlid, std::uint32_t position = 0) {
    const std::uint32_t at = mlid - 0xC000U;
    const SmpData& data = fake.multicast[{SwitchId(sw), position << 28U | at / 32}];
    return static_cast<unsigned>(data[2 * (at % 32)] << 8U | data[2 * (at % 32) + 1]);
  }
  static bool is_multicast(const Visit& visit) { return visit.attribute == Attribute::multicast_table; }
  std::size_t sets() const {
    return static_cast<std::size_t>(std::ranges::count_if(fake.sets, is_multicast));
  }

  std::vector<MulticastGroup> groups;
};

TEST_F(Multicast, SwitchesHoldTheEntriesAndASecondRunWritesNothing) {
  groups = {group(0xC000, {0, 1, 2}, 3), group(0xC021, {0, 2}, 4)};
  const auto report = run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->multicast_blocks, 4U + 3U);
  EXPECT_EQ(mask(0, 0xC000), 0b01110U);
  EXPECT_EQ(mask(3, 0xC000), 0b01110U);
  EXPECT_EQ(mask(0, 0xC021), 0b10110U);
  EXPECT_EQ(mask(4, 0xC021), 0b01010U);
  EXPECT_EQ(mask(1, 0xC021), 0U);
  fake.sets.clear();
  EXPECT_EQ(run()->writes(), 0U);
  EXPECT_EQ(sets(), 0U);
}

TEST_F(Multicast, GroupsAreFoundAgainInTheTables) {
  const MulticastGroup first = group(0xC000, {0, 1, 2}, 3), second = group(0xC021, {0, 2}, 4);
  const auto found = groups_of(fabric, multicast_tables(fabric, std::vector{first, second}));
  ASSERT_THAT(found, SizeIs(2));
  for (const auto& [made, again] : {std::pair{first, found[0]}, {second, found[1]}}) {
    auto ports = made.ports;
    std::ranges::sort(ports);
    EXPECT_EQ(again.mlid, made.mlid);
    EXPECT_EQ(again.ports, ports);
    EXPECT_EQ(again.members.size(), made.mlid == first.mlid ? 6U : 4U);
    for (const PortId member : again.members) EXPECT_FALSE(fabric.is_switch(fabric.port(member).node));
  }
}

TEST(MulticastTables, PortsBeyondTheFifteenthAreInBlocksOfTheirOwn) {
  const fabric::Fabric wide = rch::test::build(rch::test::clos(1, 1, 18));
  MulticastGroup group{Lid(0xC040), 0, {}, {}};
  for (const PortNum p : {PortNum(0), PortNum(15), PortNum(16), PortNum(18)})
    group.ports.push_back(wide.port_id(SwitchId(0), p));
  const MulticastTables made = multicast_tables(wide, std::vector{group});
  ASSERT_THAT(made, SizeIs(2));
  EXPECT_EQ(made.at({2, 0, SwitchId(0)})[0], 0x8001U);
  EXPECT_EQ(made.at({2, 1, SwitchId(0)})[0], 0b00101U);
}

TEST_F(Multicast, WhatNoGroupUsesIsCleared) {
  ASSERT_TRUE(run());
  fake.multicast[{SwitchId(2), 1}].fill(0x11);
  fake.sets.clear();
  EXPECT_EQ(run()->multicast_blocks, 1U);
  EXPECT_EQ(sets(), 1U);
  EXPECT_EQ((fake.multicast[{SwitchId(2), 1}]), SmpData{});
}

TEST_F(Multicast, OfASwitchThatNobodyRoutedNothingIsRead) {
  ASSERT_TRUE(run());
  EXPECT_EQ(std::ranges::count_if(fake.gets, is_multicast), 0);
}

TEST_F(Multicast, ASwitchWithALinkThatIsUpWasRoutedOnce) {
  fake.multicast[{SwitchId(2), 1}].fill(0x11);
  set(info(port(2, 3)), port_info::kState, 3);
  EXPECT_EQ(run()->multicast_blocks, 1U);
  EXPECT_EQ((fake.multicast[{SwitchId(2), 1}]), SmpData{});
}

// Installed and target entries together could form a loop: removals come before additions everywhere.
TEST_F(Multicast, EntriesThatGoAreRemovedBeforeOthersAreAdded) {
  groups = {group(0xC000, {0, 1, 2}, 3)};
  ASSERT_TRUE(run());
  groups = {group(0xC000, {0, 1, 2}, 4)};
  std::vector<std::pair<Visit, Clock::time_point>> seen;
  fake.lose_request = [&](const Visit& visit) {
    if (is_multicast(visit) && visit.method == Method::set) seen.push_back({visit, fake.now()});
    return false;
  };
  const auto report = run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->multicast_blocks, 4U + 4U);
  ASSERT_THAT(seen, SizeIs(8));
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const unsigned bits = seen[i].first.data[1];
    EXPECT_EQ(bits & 0b10000U, i < 4 || seen[i].first.node == NodeId(4) ? 0U : 0b10000U) << i;
    if (seen[i].first.node != NodeId(4)) {
      EXPECT_EQ(bits & 0b01000U, 0U) << i;
    }
  }
  EXPECT_GE(seen[4].second - seen[3].second, std::chrono::microseconds(1073742)) << "4.096 us x 2^18";
  EXPECT_EQ(mask(0, 0xC000), 0b10110U);
  EXPECT_EQ(mask(3, 0xC000), 0U);
}

// The links of a switch that comes back carry no data until they are active: its old entries delay nothing.
TEST_F(Multicast, EntriesOverInactiveLinksGoBeforeTheLinksBecomeActive) {
  groups = {group(0xC000, {0, 1}, 3), group(0xC001, {2}, 3)};
  ASSERT_TRUE(run());
  groups = {group(0xC000, {0, 1}, 3), group(0xC001, {2}, 4)};
  for (const std::uint32_t spine : {3U, 4U})
    for (const PortId end : {port(2, static_cast<std::uint8_t>(spine)), port(spine, 3)})
      set(info(end), port_info::kState, static_cast<std::uint8_t>(PortState::init));
  const auto before = fake.now();
  fake.sets.clear();
  const auto report = run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(fake.now(), before) << "nothing is waited for";
  EXPECT_EQ(mask(2, 0xC001), 0b10110U);
  EXPECT_EQ(mask(3, 0xC001), 0U);
  const auto last = std::ranges::find_if(fake.sets.rbegin(), fake.sets.rend(), is_multicast).base();
  const auto activates = [](const Visit& visit) {
    return visit.attribute == Attribute::port_info && get(visit.data, port_info::kState) == 4U;
  };
  EXPECT_EQ(std::count_if(fake.sets.begin(), last, activates), 0);
  EXPECT_EQ(std::count_if(last, fake.sets.end(), activates), 4);
}

TEST_F(Multicast, EntriesOfASwitchThatIsCutOffAreWaitedForByNobody) {
  groups = {group(0xC000, {0, 1, 2}, 3)};
  ASSERT_TRUE(run());
  groups = {group(0xC000, {0, 1}, 3)};
  const auto cut_off = [&](std::initializer_list<std::uint32_t> spines) {
    for (const std::uint32_t spine : spines)
      for (const PortId end : {port(2, static_cast<std::uint8_t>(spine)), port(spine, 3)})
        set(info(end), port_info::kState, static_cast<std::uint8_t>(PortState::init));
  };
  cut_off({3, 4});
  const auto before = fake.now();
  ASSERT_TRUE(run());
  EXPECT_EQ(fake.now(), before) << "its hosts alone get what it forwards";
  EXPECT_EQ(mask(2, 0xC000), 0U);
  groups = {group(0xC000, {0, 1, 2}, 3)};
  ASSERT_TRUE(run());
  groups = {group(0xC000, {0, 1}, 3)};
  cut_off({3});
  ASSERT_TRUE(run());
  EXPECT_GT(fake.now(), before) << "one link carries data";
}

TEST_F(Multicast, AMemberThatComesDisturbsNobody) {
  groups = {group(0xC000, {0, 1}, 3)};
  ASSERT_TRUE(run());
  groups = {group(0xC000, {0, 1, 2}, 3)};
  const auto before = fake.now();
  EXPECT_EQ(run()->multicast_blocks, 2U) << "the new leaf and the spine";
  EXPECT_EQ(fake.now(), before) << "nothing is waited for";
}

TEST_F(Multicast, TablesAreReadBack) {
  groups = {group(0xC000, {0, 1}, 3)};
  bool written = false;
  fake.bend = [&](const Visit& visit, SmpData& answer) {
    if (!is_multicast(visit) || visit.node != NodeId(1)) return;
    if (visit.method == Method::set)
      written = true;
    else if (written)
      answer[1] = 0;
  };
  EXPECT_THAT(failure(), HasSubstr("of block 0 (ports from 0) of its multicast table after"));
}

TEST_F(Multicast, ASwitchWithoutAnEntryForAGroupIsNamedBeforeAnyWrite) {
  set(fake.switch_info[3], switch_info::kMulticastCap, 32);
  groups = {group(0xC020, {0, 1}, 3)};
  EXPECT_EQ(
      failure(),
      "`switch 3` port 0 (0x0000000000100018, route 0,1,3) holds multicast tables of 32 LIDs; 0xC020 is "
      "needed [cannot-hold]");
  EXPECT_TRUE(fake.sets.empty());
}

TEST_F(Multicast, WhatSwitchesHaveRoomForIsPartOfTheFabric) {
  set(fake.switch_info[3], switch_info::kMulticastCap, 4096);
  Driver driver(fake, {});
  const auto live = driver.wait(discover(driver));
  EXPECT_EQ(live->fabric.node(SwitchId(3)).multicast_cap, 4096);
  EXPECT_EQ(live->fabric.fingerprint(), fabric.fingerprint()) << "which it does not name";
}

/// Switches that heed MulticastFDBTop.
class MulticastTop : public Multicast {
 protected:
  MulticastTop() {
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
      set(fake.port_info[port(s, 0).index()], port_info::kCapMulticastTop, 1);
  }
  std::uint64_t top(std::uint32_t sw) const { return get(fake.switch_info[sw], switch_info::kMulticastTop); }
};

TEST_F(MulticastTop, IsThatOfTheHighestGroup) {
  groups = {group(0xC000, {0, 1}, 3), group(0xC021, {0, 2}, 4)};
  ASSERT_TRUE(run());
  EXPECT_EQ(top(0), 0xC021U);
  groups.pop_back();
  ASSERT_TRUE(run());
  EXPECT_EQ(top(0), 0xC000U);
  groups.clear();
  ASSERT_TRUE(run());
  EXPECT_EQ(top(0), 0xBFFFU);
  fake.sets.clear();
  EXPECT_EQ(run()->writes(), 0U);
}

TEST_F(MulticastTop, WhatLiesBeyondItIsClearedBeforeItIsInEffect) {
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    set(fake.switch_info[s], switch_info::kMulticastTop, 0xC000);
  fake.multicast[{SwitchId(2), 1}].fill(0x11);
  groups = {group(0xC021, {0, 1}, 3)};
  fake.lose_request = [&](const Visit& visit) {
    if (visit.method == Method::set && visit.attribute == Attribute::switch_info &&
        get(visit.data, switch_info::kMulticastTop) == 0xC021) {
      EXPECT_EQ((fake.multicast[{SwitchId(2), 1}]), SmpData{});
      EXPECT_NE(mask(0, 0xC021), 0U);
    }
    return false;
  };
  ASSERT_TRUE(run());
  EXPECT_EQ(top(2), 0xC021U);
}

TEST_F(MulticastTop, IsNeverBeyondTheEntriesOfASwitch) {
  set(fake.switch_info[2], switch_info::kMulticastCap, 32);
  groups = {group(0xC021, {0, 1}, 3)};
  ASSERT_TRUE(run()) << "the tree does not pass that switch";
  EXPECT_EQ(top(2), 0xC01FU);
  EXPECT_EQ(top(3), 0xC021U);
}

TEST_F(MulticastTop, StaysWithoutUseMfttop) {
  groups = {group(0xC000, {0, 1}, 3)};
  ASSERT_TRUE(run({.subnet = {.use_multicast_top = false}}));
  EXPECT_EQ(top(0), 0U);
}

}  // namespace
}  // namespace rch::hw
