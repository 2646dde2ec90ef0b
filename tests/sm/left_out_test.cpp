// Healthy cables that are taken out of service: entries that lead over them are replaced while the cables
// still carry data, so no pair of hosts loses its path.

#include <algorithm>
#include <set>

#include "fabric/cable_policy.h"
#include "fabric/fabric_builder.h"
#include "hw/simple_routing.h"
#include "sm/stations.h"

namespace rch::sm {
namespace {

using fabric::CableEntry;
using fabric::ListedState;
using test::Station;

class LeftOutTest : public test::StationsTest {
 protected:
  Station& start() {
    Station& station = add(0);
    EXPECT_TRUE(bring_up(station)) << told();
    run_for(std::chrono::seconds{3});
    fake.after_set = [this](const sim::Visit&) { most_lost = std::max(most_lost, unreachable_pairs()); };
    return station;
  }
  /// All cables, with that of `out` in another state; none: it is not listed.
  static std::vector<CableEntry> list(const fabric::Fabric& fabric, PortId out,
                                      std::optional<ListedState> state) {
    std::vector<CableEntry> entries;
    for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
      const fabric::Port& near = fabric.port(PortId(p));
      if (near.peer.is_none() || near.peer < PortId(p)) continue;
      const bool is_out = PortId(p) == out || near.peer == out;
      if (is_out && !state) continue;
      const fabric::Port& far = fabric.port(near.peer);
      entries.push_back({fabric.node(near.node).guid, near.number, fabric.node(far.node).guid, far.number});
      if (is_out) entries.back().state = *state;
    }
    return entries;
  }
  void read_list(Station& station, std::optional<ListedState> state) {
    const auto planner = [](const fabric::Fabric& live, const Known&) -> Result<chains::Plan> {
      return test::plan_by_ports(live, false);
    };
    ManagerSettings settings;
    settings.cables =
        std::make_shared<const fabric::CablePolicy>(list(fabric, used_cable(), state), std::set<Guid>());
    station.manager.replan(planner, settings, 1);
  }
  bool is_left_out(Station& station) {
    return run([&] {
      const Status status = station.manager.status();
      return status.quarantined == 1 && status.proven && !status.update && uses(used_cable()) == 0;
    });
  }
  /// Entries that lead over a cable at one of its ends.
  std::size_t uses(PortId end) const {
    const fabric::Port& port = fabric.port(end);
    std::size_t count = 0;
    for (const auto& [at, entries] : fake.lft_blocks)
      if (at.first == SwitchId(port.node.value))
        count += static_cast<std::size_t>(std::ranges::count(entries, port.number.value));
    return count;
  }
  /// The cable between switches that most entries lead over.
  PortId used_cable() {
    if (!used_.is_none()) return used_;
    std::size_t most = 0;
    for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
      const fabric::Port& port = fabric.port(PortId(p));
      if (port.peer.is_none() || !fabric.is_switch(port.node) ||
          !fabric.is_switch(fabric.port(port.peer).node) || uses(PortId(p)) <= most)
        continue;
      most = uses(PortId(p));
      used_ = PortId(p);
    }
    return used_;
  }
  /// LIDs stay where they are, whatever switches are in the fabric.
  Replanner keeping_lids() const {
    return [this](const fabric::Fabric& live, const Known&) -> Result<chains::Plan> {
      std::vector<fabric::LidAssignment> lids;
      for (const fabric::LidAssignment& known : hw::test::simple_lids(fabric, 0)) {
        const fabric::Port& port = fabric.port(known.port);
        if (const auto node = live.find_node(fabric.node(port.node).guid))
          lids.push_back({live.port_id(*node, port.number), known.lid, known.lmc});
      }
      const auto with_lids = std::make_shared<const fabric::Fabric>(*fabric::with_lids(live, lids));
      chains::Plan plan;
      plan.fabric = with_lids;
      plan.tables =
          std::make_shared<const fabric::RoutingTables>(hw::test::simple_tables(*with_lids, false, false));
      return plan;
    };
  }
  /// The switch without hosts at the end of the cable that is used most.
  SwitchId used_spine() {
    const PortId end = used_cable();
    for (const PortId port : {end, fabric.port(end).peer})
      if (const SwitchId sw(fabric.port(port).node.value); fabric.end_ports_of(sw).empty()) {
        spine_end_ = port;
        return sw;
      }
    return SwitchId::none();
  }
  /// Entries of the spine itself, which stay.
  std::size_t of_spine() const { return uses(spine_end_); }
  std::size_t most_lost = 0;

 private:
  PortId spine_end_ = PortId::none();
  PortId used_ = PortId::none();
};

TEST_F(LeftOutTest, ACableThatTheOperatorQuarantinesCostsNoPair) {
  Station& station = start();
  const fabric::Port& port = fabric.port(used_cable());
  ASSERT_GT(uses(used_cable()), 0U);
  ASSERT_TRUE(station.manager.isolate({fabric.node(port.node).guid, port.number}, HealthAction::isolate));
  ASSERT_TRUE(is_left_out(station)) << told();
  EXPECT_EQ(most_lost, 0U);
  EXPECT_EQ(station.manager.counters().heals, 0U) << "nothing was lost";
}

TEST_F(LeftOutTest, ACableThatIsNotListedAnyMoreCostsNoPair) {
  Station& station = start();
  ASSERT_GT(uses(used_cable()), 0U);
  read_list(station, std::nullopt);
  ASSERT_TRUE(is_left_out(station)) << told();
  EXPECT_EQ(most_lost, 0U);
}

/// Nothing behind its ports is asked, so the plan before tells where they lead.
TEST_F(LeftOutTest, ACableThatIsNotToBeDiscoveredCostsNoPair) {
  for (const ListedState state : {ListedState::disabled, ListedState::no_discover}) {
    most_lost = 0;
    stations.clear();
    Station& station = start();
    ASSERT_GT(uses(used_cable()), 0U);
    read_list(station, state);
    ASSERT_TRUE(run([&] { return station.manager.status().quarantined >= 1 && uses(used_cable()) == 0; }))
        << told();
    EXPECT_EQ(most_lost, 0U);
  }
}

/// A switch without hosts forwards as long as entries lead to it. Its own table is not written.
TEST_F(LeftOutTest, ASwitchThatTheOperatorQuarantinesCostsNoPair) {
  Station& station = start();
  const SwitchId spine = used_spine();
  station.manager.replan(keeping_lids(), {}, 1);
  run_for(std::chrono::seconds{3});
  ASSERT_TRUE(station.manager.isolate({fabric.node(spine).guid, PortNum(0)}, HealthAction::isolate));
  ASSERT_TRUE(run([&] {
    return station.manager.status().switches == fabric.switch_count() - 1 &&
           uses(used_cable()) + uses(fabric.port(used_cable()).peer) == of_spine();
  })) << told();
  EXPECT_EQ(most_lost, 0U);
  EXPECT_EQ(station.manager.counters().heals, 0U);
}

TEST_F(LeftOutTest, ASwitchThatIsHeldBackCostsNoPair) {
  Station& station = start();
  const SwitchId spine = used_spine();
  ManagerSettings settings;
  settings.cables =
      std::make_shared<const fabric::CablePolicy>(std::nullopt, std::set<Guid>{fabric.node(spine).guid});
  station.manager.replan(keeping_lids(), settings, 1);
  ASSERT_TRUE(run([&] {
    return station.manager.status().switches == fabric.switch_count() - 1 &&
           uses(used_cable()) + uses(fabric.port(used_cable()).peer) == of_spine();
  })) << told();
  EXPECT_EQ(most_lost, 0U);
}

/// A cable that was pulled is no cable of the operator's choice.
TEST_F(LeftOutTest, APulledCableIsLost) {
  Station& station = start();
  fake.pull(used_cable());
  EXPECT_GT(unreachable_pairs(), 0U);
  ASSERT_TRUE(run([&] { return unreachable_pairs() == 0; })) << told();
  EXPECT_EQ(station.manager.left_out().size(), 0U);
}

}  // namespace
}  // namespace rch::sm
