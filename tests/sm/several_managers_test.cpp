// Several managers that stay, one of which is master.

#include "sm/manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/driver.h"
#include "sm/stations.h"

namespace rch::sm {
namespace {

namespace pi = hw::port_info;
using hw::Attribute;
using hw::SmState;
using sim::Visit;
using std::chrono::milliseconds;

using ManagerTest = test::StationsTest;
using test::Station;

TEST_F(ManagerTest, TheLowerRankStandsByAndTakesOverWhenTheMasterIsGone) {
  Station& master = add(0, 5);
  ASSERT_TRUE(bring_up(master));
  Station& standby = add(3, 1, true);
  ASSERT_TRUE(run([&] { return standby.state() == SmState::standby; })) << told();
  fake.sets.clear();
  run_for(std::chrono::minutes{2});
  EXPECT_EQ(standby.state(), SmState::standby);
  EXPECT_TRUE(fake.sets.empty());
  stations.erase(stations.begin());
  ASSERT_TRUE(run([&] { return standby.state() == SmState::master && standby.manager.status().proven; },
                  std::chrono::minutes{2}))
      << told();
  EXPECT_EQ(unreachable_pairs(), 0U);
}

TEST_F(ManagerTest, TheMasterHandsOverToAHigherRank) {
  Station& first = add(0, 1);
  ASSERT_TRUE(bring_up(first));
  Station& second = add(3, 5, true);
  ASSERT_TRUE(run([&] { return second.state() == SmState::master && second.manager.status().proven; },
                  std::chrono::minutes{2}))
      << told();
  EXPECT_EQ(first.state(), SmState::standby);
  EXPECT_EQ(unreachable_pairs(), 0U);
  run_for(std::chrono::minutes{2});
  EXPECT_EQ(first.state(), SmState::standby);
  EXPECT_EQ(second.state(), SmState::master);
}

TEST_F(ManagerTest, TheMasterHandsOverToNoOneWhoIsNotAllowed) {
  allowed = {fabric.port(host(0)).guid};
  Station& first = add(0, 1);
  ASSERT_TRUE(bring_up(first));
  allowed = {};
  Station& second = add(3, 5, true);
  run_for(std::chrono::minutes{2});
  EXPECT_EQ(first.state(), SmState::master) << told();
  EXPECT_EQ(second.state(), SmState::standby);
  stations.erase(stations.begin());
  EXPECT_TRUE(run([&] { return second.state() == SmState::master; }, std::chrono::minutes{2})) << told();
}

/// sm_inactive.
TEST_F(ManagerTest, OneThatBeginsAsNotActiveWritesNothingUntilAMasterEnablesIt) {
  manager_options.sm_inactive = true;
  Station& other = add(3, 15);
  run_for(std::chrono::minutes{10});
  EXPECT_EQ(other.state(), SmState::not_active);
  EXPECT_TRUE(fake.sets.empty());
  manager_options.sm_inactive = false;
  Station& master = add(0);
  ASSERT_TRUE(bring_up(master)) << told();
  EXPECT_EQ(other.state(), SmState::not_active);

  hw::SmInfo sender{.guid = fabric.port(host(0)).guid, .key = 1, .state = SmState::master};
  hw::Datagram enables{.lid = master.manager.installed()->fabric->port(host(0)).lid.value};
  set(enables.mad, hw::mad_header::kClass, static_cast<std::uint8_t>(hw::MadClass::lid_routed));
  set(enables.mad, hw::mad_header::kMethod, static_cast<std::uint8_t>(hw::Method::set));
  set(enables.mad, hw::mad_header::kAttribute, static_cast<std::uint16_t>(Attribute::sm_info));
  set(enables.mad, hw::mad_header::kModifier, 4);  // STANDBY
  std::ranges::copy(encode(sender), enables.mad.begin() + hw::mad_header::kData);
  other.driver.on_arrival(std::span(&enables, 1), fake.now());
  ASSERT_TRUE(run([&] { return other.state() == SmState::master; })) << told();
  EXPECT_TRUE(run([&] { return master.state() == SmState::standby; })) << told();
}

// A master that was away does not take the fabric again.
TEST_F(ManagerTest, AMasterKeepsTheFabricFromOneThatComesBack) {
  as_master = 14;
  Station& second = add(1, 3);
  ASSERT_TRUE(bring_up(second)) << told();
  Station& first = add(0, 5);
  ASSERT_TRUE(run([&] { return first.state() == SmState::standby; })) << told();
  run_for(std::chrono::minutes{1});
  EXPECT_EQ(second.state(), SmState::master) << told();
  Station& higher = add(2, 15);
  ASSERT_TRUE(run([&] { return higher.state() == SmState::master; })) << told();
  EXPECT_EQ(second.state(), SmState::standby);
  stations.erase(stations.begin() + 2);
  ASSERT_TRUE(run([&] { return first.state() == SmState::master; }))
      << told() << "rank counts among those that stand by";
}

// What the switches hold may be older than the configuration, or have a history. Its routes are kept.
TEST_F(ManagerTest, WhoTakesOverKeepsTheRoutesThatItFinds) {
  Station& master = add(0, 5);
  ASSERT_TRUE(bring_up(master)) << told();
  const auto installed = master.manager.installed()->tables;
  Station& other = add(1, 0, true, false);
  ASSERT_TRUE(run([&] { return other.state() == SmState::standby; })) << told();
  stations.erase(stations.begin());
  ASSERT_TRUE(run([&] { return other.manager.status().proven; })) << told();
  ASSERT_NE(keeps, nullptr);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    for (std::uint16_t lid = 1; lid <= 11; ++lid)
      EXPECT_EQ(keeps->lfts.at(SwitchId(s), Lid(lid)), installed->lfts.at(SwitchId(s), Lid(lid)));
}

TEST_F(ManagerTest, OnlyTheMasterReadsCounters) {
  performance = {.enabled = true, .sweep_time = std::chrono::seconds(30)};
  Station& master = add(0, 5);
  ASSERT_TRUE(bring_up(master));
  Station& standby = add(1, 3);
  fake.counting[cable().index()].count(perfmgr::Counter::symbol_errors, 7);
  run_for(std::chrono::minutes{5});
  ASSERT_EQ(standby.state(), SmState::standby) << told();
  EXPECT_GT(master.manager.performance_manager().counters().sweeps, 8U);
  EXPECT_EQ(standby.manager.performance_manager().counters().requests, 0U);
  EXPECT_EQ(standby.manager.performance_manager().totals(), nullptr);
  const auto totals = master.manager.performance_manager().totals();
  ASSERT_NE(totals, nullptr);
  EXPECT_EQ(totals->ports().size(), 2U * (3 * 2 + 3 * 2));
  const fabric::Port& port = fabric.port(cable());
  const auto row = totals->find({fabric.node(port.node).guid, port.number});
  ASSERT_TRUE(row);
  EXPECT_EQ(totals->get(perfmgr::Counter::symbol_errors, *row), 7U);
  EXPECT_EQ(totals->get(perfmgr::Counter::link_downed, *row), 0U);

  stations.erase(stations.begin());
  ASSERT_TRUE(run([&] { return standby.state() == SmState::master; })) << told();
  run_for(std::chrono::minutes{2});
  EXPECT_GT(standby.manager.performance_manager().counters().sweeps, 1U);
}

TEST_F(ManagerTest, WhoHandsOverReadsNoCountersAnyMore) {
  performance = {.enabled = true, .sweep_time = std::chrono::seconds(1)};
  Station& low = add(0, 3);
  ASSERT_TRUE(bring_up(low));
  Station& high = add(1, 5);
  ASSERT_TRUE(run([&] { return high.state() == SmState::master && high.manager.status().proven; })) << told();
  ASSERT_TRUE(run([&] { return low.state() == SmState::standby; })) << told();
  const std::uint64_t requests = low.manager.performance_manager().counters().requests;
  run_for(std::chrono::seconds{30});
  EXPECT_EQ(low.manager.performance_manager().counters().requests, requests);
  EXPECT_EQ(low.manager.performance_manager().totals(), nullptr);
  EXPECT_GT(high.manager.performance_manager().counters().sweeps, 10U);
}

}  // namespace
}  // namespace rch::sm
