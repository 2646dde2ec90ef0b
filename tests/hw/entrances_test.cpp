// Links to a switch that is left out are taken down before anything else is written.

#include <gmock/gmock.h>

#include "fabric/fabric_builder.h"
#include "hw/commit_fixture.h"
#include "hw/discovery.h"
#include "hw/driver.h"
#include "hw/simple_routing.h"

namespace rch::hw {
namespace {

using sim::Visit;
namespace pi = port_info;

class BesideASilentSpine : public test::Commit {
 protected:
  void SetUp() override {
    ASSERT_TRUE(run());
    fake.lose_request = [this](const Visit& visit) { return visit.node == Fabric::node_id(spine()); };
    // As a switch does: a link that goes down is a change of its ports.
    fake.after_set = [this](const Visit& visit) {
      sets.push_back({visit, fake.now()});
      if (closes(visit)) set(fake.switch_info[visit.node.index()], switch_info::kPortStateChange, 1);
    };
  }

  using Fabric = fabric::Fabric;
  SwitchId spine() const { return SwitchId(static_cast<std::uint32_t>(fabric.switch_count() - 1)); }
  static bool closes(const Visit& visit) {
    return visit.attribute == Attribute::port_info && get(visit.data, pi::kState) == 1;
  }
  /// All tables are written anew.
  Result<CommitReport> change() {
    Driver driver(fake, {.retries = 1});
    const auto live = driver.wait(discover(driver));
    if (!live) return tl::unexpected(live.error());
    const auto lids = test::simple_lids(live->fabric, 0);
    tables = test::simple_tables(*fabric::with_lids(live->fabric, lids), false);
    for (auto& block : fake.lft_blocks) block.second[1] ^= 1;
    auto prepared = driver.wait(prepare(driver, *live, lids, tables, {}));
    if (!prepared) return tl::unexpected(prepared.error());
    entrances = prepared->entrances.size();
    close_entrances(*prepared, *live, tables, {});
    const std::vector rounds{fabric::one_round(prepared->delta.lft_blocks, tables.lfts)};
    return driver.wait(commit(driver, *live, tables, *prepared, rounds, {}, nullptr));
  }

  struct Written {
    Visit visit;
    TimePoint at;
  };
  std::vector<Written> sets;
  std::size_t entrances = 0;
};

TEST_F(BesideASilentSpine, ItsLinksAreDownAPacketLifeTimeBeforeTablesChange) {
  const auto report = change();
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_GT(entrances, 1U);
  EXPECT_EQ(report->closed, entrances);
  TimePoint last_closed{}, first_table = TimePoint::max();
  std::size_t closed = 0;
  for (const Written& set : sets) {
    if (closes(set.visit)) last_closed = set.at, ++closed;
    if (set.visit.attribute == Attribute::linear_table) first_table = std::min(first_table, set.at);
  }
  EXPECT_EQ(closed, entrances);
  ASSERT_NE(first_table, TimePoint::max());
  EXPECT_GE(first_table - last_closed, packet_life_time({}));
  for (std::uint8_t p = 1; p <= fabric.node(spine()).num_ports; ++p) {
    const PortId port = fabric.port_id(spine(), PortNum(p)), peer = fabric.port(port).peer;
    if (peer.is_none()) continue;
    EXPECT_LT(get(info(peer), pi::kState), 4U) << "no data comes in";
  }
}

TEST_F(BesideASilentSpine, TheyWorkAgainOnceItAnswers) {
  ASSERT_TRUE(change());
  fake.lose_request = [](const Visit&) { return false; };
  ASSERT_TRUE(run());
  for (std::uint8_t p = 1; p <= fabric.node(spine()).num_ports; ++p) {
    const PortId port = fabric.port_id(spine(), PortNum(p));
    if (fabric.port(port).peer.is_none()) continue;
    EXPECT_EQ(get(info(port), pi::kState), 4U);
  }
}

}  // namespace
}  // namespace rch::hw
