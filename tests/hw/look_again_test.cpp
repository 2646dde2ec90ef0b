// Looking again at a part of a fabric: it must see what a walk over the whole sees.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "fabric/difference.h"
#include "fabric/random.h"
#include "hw/discovery.h"
#include "hw/driver.h"
#include "sim/simulated_fabric.h"
#include "support/property.h"
#include "support/small_fabrics.h"

namespace rch::hw {
namespace {

struct Site {
  explicit Site(fabric::Fabric made, SmpOptions options = {.retries = 1})
      : fabric(std::move(made)),
        origin(fabric.end_ports()[0].port),
        fake(fabric, origin),
        driver(fake, options) {
    live.emplace(*driver.wait(discover(driver)));
    EXPECT_TRUE(driver.wait(clear_changes(driver, *live)).value());
    live.emplace(*driver.wait(discover(driver)));
    fake.gets.clear();
    fake.sets.clear();
  }
  std::optional<LiveFabric> look(std::vector<Guid> changed = {}) {
    auto again = driver.wait(look_again(driver, *live, std::move(changed)));
    EXPECT_TRUE(again) << again.error().message;
    return again ? std::move(*again) : std::nullopt;
  }
  /// Cables between switches, by one end.
  std::vector<PortId> cables() const {
    std::vector<PortId> ends;
    for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
      const fabric::Port& port = fabric.port(PortId(p));
      if (!port.peer.is_none() && port.peer.value > p && fabric.is_switch(port.node) &&
          fabric.is_switch(fabric.port(port.peer).node))
        ends.emplace_back(p);
    }
    return ends;
  }
  Guid guid_at(PortId port) const { return fabric.node(fabric.port(port).node).guid; }

  fabric::Fabric fabric;
  PortId origin;
  sim::SimulatedFabric fake;
  Driver driver;
  std::optional<LiveFabric> live;
};

/// What a walk over the whole sees now.
void expect_as_whole(Site& site, const LiveFabric& again) {
  const auto whole = site.driver.wait(discover(site.driver));
  ASSERT_TRUE(whole) << whole.error().message;
  ASSERT_EQ(again.fabric.fingerprint(), whole->fabric.fingerprint());
  EXPECT_EQ(fabric::differences(whole->fabric, again.fabric, fabric::Compared::everything, 9),
            std::vector<std::string>());
  for (std::uint32_t p = 0; p < whole->fabric.ports().size(); ++p) {
    const fabric::Port &now = again.fabric.port(PortId(p)), &then = whole->fabric.port(PortId(p));
    EXPECT_EQ(std::tuple(now.state, now.width, now.speed, now.mtu_cap, now.vl_cap, now.guid),
              std::tuple(then.state, then.width, then.speed, then.mtu_cap, then.vl_cap, then.guid));
  }
  EXPECT_EQ(again.port_info, whole->port_info);
  EXPECT_EQ(again.partition_cap, whole->partition_cap);
  for (std::size_t p = 0; p < again.routes.size(); ++p)
    EXPECT_EQ(again.routes[p].hops, whole->routes[p].hops) << "both are shortest";
}

TEST(LookAgain, AsksOnlyWhereACableWasPulled) {
  Site site(rch::test::build(rch::test::clos(8, 4, 4)));
  const PortId cable = site.cables()[0];
  site.fake.pull(cable, false);
  const auto again = site.look({site.guid_at(cable)});
  ASSERT_TRUE(again);
  EXPECT_EQ(std::ranges::count(again->looked_at, true), 2 + 4) << "its ends, and the hosts of the leaf";
  EXPECT_LT(site.fake.gets.size(), 130U) << "of 250";
  expect_as_whole(site, *again);
  site.live = again;
  site.fake.plug(cable, false);
  const auto back = site.look();
  ASSERT_TRUE(back);
  expect_as_whole(site, *back);
}

TEST(LookAgain, WithoutAChangeOnlySwitchesAreAsked) {
  Site site(rch::test::build(rch::test::clos(4, 2, 2)));
  ASSERT_TRUE(site.look());
  for (const sim::Visit& get : site.fake.gets) EXPECT_EQ(get.attribute, Attribute::switch_info);
  EXPECT_TRUE(site.fake.sets.empty());
}

TEST(LookAgain, ASwitchThatStopsAnsweringIsForTheWholeWalk) {
  Site site(rch::test::build(rch::test::clos(4, 2, 2)));
  const NodeId spine(static_cast<std::uint32_t>(site.fabric.switch_count() - 1));
  site.fake.lose_request = [&](const sim::Visit& visit) { return visit.node == spine; };
  EXPECT_FALSE(site.look());
}

TEST(LookAgain, AnotherSubnetManagerIsForTheWholeWalk) {
  Site site(rch::test::build(rch::test::clos(4, 2, 2)));
  const PortId other = site.fabric.end_ports()[3].port;
  const PortId leaf = site.fabric.port(other).peer;
  site.fake.pull(leaf, false);
  ASSERT_TRUE((site.live = site.look()));
  set(site.fake.port_info[other.index()], port_info::kCapIsSm, 1);
  site.fake.plug(leaf, false);
  site.fake.sets.clear();
  EXPECT_FALSE(site.look());
  EXPECT_TRUE(site.fake.sets.empty()) << "PortStateChange is left for that manager";
}

TEST(LookAgain, SeesWhatTheWholeWalkSees) {
  ASSERT_TRUE(rch::test::check([](std::uint64_t seed) {
    fabric::Random draw(seed);
    fabric::Fabric made = rch::test::build(rch::test::random_shape(draw.below(100000), 8));
    if (made.end_ports().size() < 2) return;
    Site site(std::move(made));
    std::vector<PortId> down;
    for (int rounds = 0; rounds < 6; ++rounds) {
      for (const PortId cable : site.cables()) {
        if (draw.below(4) != 0) continue;
        const auto at = std::ranges::find(down, cable);
        if (at == down.end()) {
          site.fake.pull(cable, false);
          down.push_back(cable);
        } else {
          site.fake.plug(cable, false);
          down.erase(at);
        }
      }
      if (draw.below(3) == 0)
        site.fake.reboot(SwitchId(static_cast<std::uint32_t>(draw.below(site.fabric.switch_count()))));
      std::vector<Guid> told;
      if (draw.below(2) == 0 && !site.cables().empty()) told.push_back(site.guid_at(site.cables()[0]));
      auto again = site.look(told);
      if (again)
        for (const SwitchInfo& info : again->switch_info) EXPECT_FALSE(info.port_state_change);
      else
        again = *site.driver.wait(discover(site.driver));
      expect_as_whole(site, *again);
      site.live = std::move(again);
    }
  }));
}

TEST(LookAgain, LosesNothingWithoutSayingSo) {
  ASSERT_TRUE(rch::test::check([](std::uint64_t seed) {
    fabric::Random draw(seed);
    fabric::Fabric made = rch::test::build(rch::test::random_shape(draw.below(100000), 8));
    if (made.end_ports().size() < 2) return;
    Site site(std::move(made), {.retries = 0});
    for (const PortId cable : site.cables())
      if (draw.below(5) == 0) site.fake.pull(cable, false);
    site.fake.lose_request = [&](const sim::Visit&) { return draw.below(4) == 0; };
    auto again = site.driver.wait(look_again(site.driver, *site.live, {}));
    site.fake.lose_request = [](const sim::Visit&) { return false; };
    if (again && *again && (*again)->quarantine.empty()) expect_as_whole(site, **again);
  }));
}

}  // namespace
}  // namespace rch::hw
