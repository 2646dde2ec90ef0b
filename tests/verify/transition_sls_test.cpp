// Updates under hosts that keep the service levels of earlier tables: a ring of five with shortest paths,
// whose destinations need two service levels.

#include <gmock/gmock.h>

#include <initializer_list>
#include <set>
#include <vector>

#include "fabric/faults.h"
#include "hand_tables.h"
#include "verify/transition/update_plan.h"

namespace rch::verify {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class UpdateOfARing : public testing::Test {
 protected:
  UpdateOfARing() {
    test::route_shortest(installed, fabric);
    test::route_shortest(target, fabric);
    test::route_shortest(before, fabric);
    for (std::uint32_t s = 0; s < 5; ++s) blocks.push_back({SwitchId(s), 0});
    put_on_sl1(before, {2, 3, 4});
  }

  /// Paths to the hosts of these switches have SL 1, all others SL 0.
  static void put_on_sl1(fabric::RoutingTables& tables, const std::set<std::size_t>& switches) {
    fabric::SlRule::Dimension dimension{.bit = 0, .radix = 5, .coordinate = {0, 1, 2, 3, 4}, .crosses = {}};
    for (std::size_t at = 0; at < 25; ++at) dimension.crosses.push_back(switches.contains(at % 5));
    tables.steps.front().sl.dimensions = {dimension};
  }
  static void exchange_vls(fabric::Sl2VlMap& map) { std::swap(map[0], map[1]); }

  UpdatePlan plan(bool previous_known) const {
    Change change{fabric, installed, target, blocks};
    if (previous_known) change.previous.push_back(PreviousTables{fabric, before});
    return plan_update(change);
  }

  const fabric::Fabric fabric = test::ring(5);
  fabric::RoutingTables installed = test::empty_tables(fabric), target = test::empty_tables(fabric);
  fabric::RoutingTables before = test::empty_tables(fabric);
  std::vector<fabric::LftBlock> blocks;
};

TEST_F(UpdateOfARing, ThatHostsUseAsTheyDidChangesAtOnce) {
  target.steps = before.steps;
  const UpdatePlan update = plan(true);
  EXPECT_FALSE(update.at_once);
}

TEST_F(UpdateOfARing, WhoseHostsKeepWhatTheyHadIsAtRisk) {
  put_on_sl1(target, {0, 1});
  const UpdatePlan update = plan(true);
  ASSERT_TRUE(update.only_static);
  EXPECT_TRUE(update.hosts_at_risk);
  EXPECT_THAT(update.only_static->message, HasSubstr("a credit loop of 5 channels can form"));
  EXPECT_THAT(update.drained, SizeIs(5));
  EXPECT_FALSE(plan(false).at_once) << "nothing is known of the hosts";
}

/// A ring of 5, beside a switch that does not answer and hangs on these switches.
fabric::Fabric ring_beside(std::initializer_list<std::uint32_t> switches) {
  test::Shape shape;
  shape.hosts = {1, 1, 1, 1, 1, 0};
  for (std::uint32_t s = 0; s < 5; ++s) shape.cables.push_back({s, (s + 1) % 5});
  for (const std::uint32_t s : switches) shape.cables.push_back({s, 5});
  return std::move(fabric::remove_parts(test::build(shape), {.switches = {"switch 5"}})->fabric);
}

class RingBesideASilentSwitch : public UpdateOfARing {
 protected:
  /// The update of hosts that are at risk.
  UpdatePlan plan_beside(std::initializer_list<std::uint32_t> switches) {
    const fabric::Fabric beside = ring_beside(switches);
    for (fabric::RoutingTables* tables : {&installed, &target, &before}) {
      *tables = test::empty_tables(beside);
      test::route_shortest(*tables, beside);
    }
    put_on_sl1(target, {0, 1});
    put_on_sl1(before, {2, 3, 4});
    Change change{beside, installed, target, blocks};
    change.previous.push_back(PreviousTables{beside, before});
    std::vector<PortId> entrances;
    for (const std::uint32_t s : switches) entrances.push_back(beside.port_id(SwitchId(s), PortNum(4)));
    change.entrances = entrances;
    return plan_update(change);
  }
};

/// Its links are no danger: hosts with the service levels from before are.
TEST_F(RingBesideASilentSwitch, HostsAtRiskAreNoReasonToCloseLinks) {
  const UpdatePlan update = plan_beside({3});
  EXPECT_TRUE(update.hosts_at_risk);
  EXPECT_FALSE(update.closes);
}

TEST_F(RingBesideASilentSwitch, ItsLinksAreClosedIfTheyStayADanger) {
  const UpdatePlan update = plan_beside({3, 4});
  EXPECT_TRUE(update.hosts_at_risk);
  EXPECT_TRUE(update.closes);
}

TEST_F(UpdateOfARing, IsJudgedByThePreviousServiceLevelsBeforeAnythingIsWritten) {
  for (std::uint32_t to = 0; to < 5; ++to) test::route_ring(target, fabric, to, to);  // not from 4 to 0
  const UpdatePlan assumed = plan(false);
  EXPECT_TRUE(assumed.only_static) << "with SL 0 from all hosts the installed tables are unsafe";
  EXPECT_FALSE(assumed.hosts_at_risk);
  const UpdatePlan known = plan(true);
  EXPECT_TRUE(known.at_once);
  EXPECT_FALSE(known.only_static);
  ASSERT_THAT(known.rounds, SizeIs(2));
  EXPECT_TRUE(known.rounds[0].drains);
  EXPECT_TRUE(known.rounds[0].waits);
}

TEST_F(UpdateOfARing, WhoseMapsChangeIsStoppedBefore) {
  target.steps = before.steps;
  const std::vector<std::uint8_t> ports(5, 3);
  fabric::Sl2VlMap map = fabric::kIdentitySl2Vl;
  installed.sl2vl = fabric::Sl2VlTables(ports, map);
  exchange_vls(map);
  target.sl2vl = fabric::Sl2VlTables(ports, map);
  const UpdatePlan update = plan(true);
  EXPECT_TRUE(update.at_once);
  EXPECT_FALSE(update.only_static) << "installed and target tables are sound";
  EXPECT_THAT(update.drained, SizeIs(5));
  ASSERT_THAT(update.rounds, SizeIs(2));
  EXPECT_TRUE(update.rounds[0].drains);
  EXPECT_FALSE(update.rounds[0].maps_first);
  EXPECT_TRUE(update.rounds[1].maps_first);
  for (const fabric::BlockWrite& write : update.rounds[0].writes)
    for (const fabric::EndPort& host : fabric.end_ports())
      EXPECT_EQ(write.entries[host.lid.index()] == kNoPath, host.sw != write.at.sw);
  for (const fabric::BlockWrite& write : update.rounds[1].writes)
    for (const fabric::EndPort& host : fabric.end_ports())
      EXPECT_EQ(write.entries[host.lid.index()], target.lfts.at(write.at.sw, host.lid));
}

}  // namespace
}  // namespace rch::verify
