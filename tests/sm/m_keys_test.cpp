// M_Keys of ports, on a fabric in memory whose agents refuse what has another one (IBA 14.2.4).

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "hw/driver.h"
#include "hw/inquiry.h"
#include "sm/apply.h"
#include "sm/managers.h"
#include "sm/stations.h"
#include "support/property.h"
#include "support/small_fabrics.h"

namespace rch::sm {
namespace {

namespace pi = hw::port_info;
using sim::Visit;

constexpr std::uint64_t kOwn = 0x1111, kFormer = 0x2222, kOlder = 0x3333, kForeign = 0x4444;

struct Keys {
  std::uint64_t own = kOwn;
  std::vector<std::uint64_t> former{};
  std::uint8_t level = 0;
  std::uint16_t lease = 0;
};

class MKeys : public testing::Test {
 protected:
  Result<hw::CommitReport> run(const Keys& keys) {
    sim::SimulatedPort port(fake, fabric.end_ports()[0].port);
    hw::Driver driver(port, {.keys = {.own = {keys.own}, .former = former(keys)}, .sets_follow = true});
    return run(keys, driver);
  }

  static std::vector<hw::KeySource> former(const Keys& keys) {
    std::vector<hw::KeySource> sources;
    for (const std::uint64_t key : keys.former) sources.push_back({key});
    return sources;
  }

  Result<hw::CommitReport> run(const Keys& keys, hw::Driver& driver) {
    fake.sets.clear();
    quarantined.clear();
    const auto planner = [&](const fabric::Fabric& live) -> Result<chains::Plan> {
      chains::Plan plan = test::plan_by_ports(live, false);
      plan.options.manager.m_key_protection_level = keys.level;
      plan.options.manager.m_key_lease_period = keys.lease;
      return plan;
    };
    const auto observe = [&](const chains::Event& event) {
      if (const auto* seen = std::get_if<chains::FabricSeen>(&event))
        for (const auto& item : seen->quarantine) quarantined.push_back(item.reason);
    };
    return driver.wait(apply(driver, planner, {}, observe));
  }

  /// Ports that hold M_Keys: those of adapters, and ports 0.
  std::vector<PortId> agents() const {
    std::vector<PortId> ports;
    for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
      const fabric::Port& port = fabric.port(PortId(p));
      if (fabric.is_switch(port.node) == (port.number == PortNum(0))) ports.emplace_back(p);
    }
    return ports;
  }
  void hold(PortId port, std::uint64_t key, std::uint8_t level, std::uint16_t lease = 0) {
    set(fake.port_info[port.index()], pi::kMKey, key);
    set(fake.port_info[port.index()], pi::kMKeyProtect, level);
    set(fake.port_info[port.index()], pi::kMKeyLease, lease);
  }
  std::uint64_t value(PortId port, hw::Field field) const { return get(fake.port_info[port.index()], field); }
  std::size_t with(std::uint64_t key) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(agents(), [&](PortId port) { return value(port, pi::kMKey) == key; }));
  }

  const fabric::Fabric fabric = rch::test::build(rch::test::clos(3, 2, 2));
  sim::SimulatedFabric fake{fabric, fabric.end_ports()[0].port};
  std::vector<std::string> quarantined;
};

TEST_F(MKeys, EveryAgentGetsTheKeyOnceAndKeepsIt) {
  const auto first = run({.level = 2, .lease = 60});
  ASSERT_TRUE(first) << first.error().message;
  for (const PortId port : agents()) {
    EXPECT_EQ(value(port, pi::kMKey), kOwn);
    EXPECT_EQ(value(port, pi::kMKeyProtect), 2U);
    EXPECT_EQ(value(port, pi::kMKeyLease), 60U);
  }
  const auto second = run({.level = 2, .lease = 60});
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->writes(), 0U);
  EXPECT_TRUE(fake.sets.empty());
  EXPECT_EQ(fake.key_violations, 0U);
}

TEST_F(MKeys, AKeyIsReplacedAndTakenAway) {
  for (std::uint8_t level = 0; level < 4; ++level) {
    ASSERT_TRUE(run({.own = kFormer, .former = {kOwn}, .level = level}));
    const auto rotated = run({.own = kOwn, .former = {kFormer}, .level = level});
    ASSERT_TRUE(rotated) << rotated.error().message;
    EXPECT_EQ(with(kOwn), agents().size()) << int{level};
  }
  const auto without = run({.own = 0, .former = {kOwn}});
  ASSERT_TRUE(without) << without.error().message;
  EXPECT_EQ(with(0), agents().size());
}

TEST_F(MKeys, AManagerThatStopsBetweenTwoKeysGoesOn) {
  EXPECT_TRUE(rch::test::check([&] {
    for (const PortId port : agents()) {
      const auto key = *rc::gen::element<std::uint64_t>(0, kOwn, kFormer, kOlder);
      hold(port, key, *rc::gen::inRange<std::uint8_t>(0, 4), *rc::gen::element<std::uint16_t>(0, 1, 600));
    }
    const auto level = *rc::gen::inRange<std::uint8_t>(0, 4);
    const auto done = run({.former = {kFormer, kOlder}, .level = level});
    RC_ASSERT(done);
    RC_ASSERT(with(kOwn) == agents().size());
    RC_ASSERT(quarantined.empty());
    RC_ASSERT(run({.level = level})->writes() == 0U);
  }));
}

TEST_F(MKeys, APortWithAForeignKeyIsReportedAndLeftAlone) {
  const PortId host = fabric.end_ports()[3].port;
  for (const std::uint8_t level : {std::uint8_t{0}, std::uint8_t{2}}) {
    SCOPED_TRACE(int{level});
    hold(host, kForeign, level);
    const auto done = run({.former = {kFormer}, .level = 1});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(value(host, pi::kMKey), kForeign);
    EXPECT_EQ(with(kOwn), agents().size() - 1);
    ASSERT_EQ(quarantined.size(), 1U);
    EXPECT_NE(quarantined[0].find(level == 0 ? "none of the known ones" : "nothing answers"),
              std::string::npos)
        << quarantined[0];
    EXPECT_TRUE(std::ranges::none_of(fake.sets, [&](const Visit& visit) { return visit.arrival == host; }));
  }
}

TEST_F(MKeys, AForeignKeyThatIsHiddenIsNamedAndLeftOutOnceASetIsRefused) {
  hold(fabric.end_ports()[3].port, kForeign, 1);
  const auto done = run({.former = {kFormer}});
  ASSERT_TRUE(done) << done.error().message;
  ASSERT_FALSE(quarantined.empty());
  EXPECT_NE(quarantined[0].find("M_Key"), std::string::npos) << quarantined[0];
  EXPECT_EQ(with(kOwn), agents().size() - 1);
}

TEST_F(MKeys, ProtectionWithoutAKeyIsNoForeignKey) {
  for (const PortId port : agents()) hold(port, 0, 1);
  const auto done = run({.former = {kFormer}});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(quarantined.empty());
  EXPECT_EQ(with(kOwn), agents().size());
}

/// Keys per port, at the level that hides everything.
class PortMKeys : public MKeys {
 protected:
  Result<hw::CommitReport> run_with(const hw::KeyOptions& keys) {
    sim::SimulatedPort port(fake, fabric.end_ports()[0].port);
    hw::Driver driver(port, {.keys = keys, .sets_follow = true});
    auto done = run({.level = 2}, driver);
    cables = driver.keys().cables();
    return done;
  }
  std::size_t with_keys_of(const hw::KeySource& source) const {
    return static_cast<std::size_t>(std::ranges::count_if(agents(), [&](PortId at) {
      const fabric::Port& port = fabric.port(at);
      const Guid agent = fabric.is_switch(port.node) ? fabric.node(port.node).guid : port.guid;
      return value(at, pi::kMKey) == hw::key_of(source, agent) && value(at, pi::kMKeyProtect) == 2;
    }));
  }

  const hw::KeySource own{kOwn, 1, true}, other{kOwn, 2, true};
  fabric::CableMap cables;
};

TEST_F(PortMKeys, EachAgentGetsItsOwnAndIsFoundAgainByItsCable) {
  ASSERT_TRUE(run_with({.own = own}));
  EXPECT_EQ(with_keys_of(own), agents().size());
  std::set<std::uint64_t> all;
  for (const PortId port : agents()) all.insert(value(port, pi::kMKey));
  EXPECT_EQ(all.size(), agents().size());
  EXPECT_EQ(fake.key_violations, 0U);
  const auto again =
      run_with({.own = own, .cables = cables, .local = fabric.port(fabric.end_ports()[0].port).guid});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->writes(), 0U);
  EXPECT_TRUE(quarantined.empty());
  EXPECT_EQ(fake.key_violations, 0U);
}

TEST_F(PortMKeys, WithoutTheCablesNothingCanBeSeen) {
  ASSERT_TRUE(run_with({.own = own}));
  EXPECT_FALSE(run_with({.own = own}));
  EXPECT_EQ(with_keys_of(own), agents().size());
}

TEST_F(PortMKeys, KeysAreReplacedByOthersAndByOne) {
  ASSERT_TRUE(run_with({.own = own}));
  const Guid local = fabric.port(fabric.end_ports()[0].port).guid;
  const auto others = run_with({.own = other, .former = {own}, .cables = cables, .local = local});
  ASSERT_TRUE(others) << others.error().message;
  EXPECT_EQ(with_keys_of(other), agents().size());
  const auto one = run_with({.own = {kOwn}, .former = {other, own}, .cables = cables, .local = local});
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(with(kOwn), agents().size());
  EXPECT_TRUE(quarantined.empty());
}

TEST_F(PortMKeys, AHostThatStartedAgainHasNoKeyAndGetsItsOwn) {
  ASSERT_TRUE(run_with({.own = own}));
  hold(fabric.end_ports()[3].port, 0, 0);
  const Guid local = fabric.port(fabric.end_ports()[0].port).guid;
  ASSERT_TRUE(run_with({.own = own, .cables = cables, .local = local}));
  EXPECT_EQ(with_keys_of(own), agents().size());
}

TEST_F(MKeys, AProtectionThatRanOutShowsTheKey) {
  const PortId host = fabric.end_ports()[3].port;
  hold(host, kForeign, 2, 5);
  ASSERT_TRUE(run({}));
  fake.pass_until(fake.now() + std::chrono::seconds{6});
  const auto done = run({});
  ASSERT_TRUE(done) << done.error().message;
  ASSERT_EQ(quarantined.size(), 1U);
  EXPECT_NE(quarantined[0].find("none of the known ones"), std::string::npos) << quarantined[0];
}

class Leases : public test::StationsTest {
 protected:
  /// Somebody at another host asks a port with a wrong M_Key. False: it is not answered.
  bool intrude(std::size_t h) {
    sim::SimulatedPort port(fake, host(1));
    hw::Driver intruder(port, {.retries = 0, .keys = {.own = {kForeign}}});
    const hw::SmpRequest question{
        .to = Lid(static_cast<std::uint16_t>(get(fake.port_info[host(h).index()], pi::kLid))),
        .attribute = hw::Attribute::port_info,
        .modifier = fabric.port(host(h)).number.value};
    std::vector<hw::SmpRequest> questions(1, question);
    return intruder.wait(hw::ask(intruder, std::move(questions)))->front().good();
  }
};

TEST_F(Leases, APortThatWasAskedWithAWrongKeyGoesOnProtectingItself) {
  manager_options.m_key = kOwn;
  manager_options.m_key_protection_level = 2;
  manager_options.m_key_lease_period = 15;
  ASSERT_TRUE(bring_up(add(0))) << told();
  for (int tries = 0; tries < 5; ++tries) {
    EXPECT_FALSE(intrude(3)) << "what is refused once is refused again";
    ASSERT_TRUE(run_for(std::chrono::seconds{30}));
  }
  EXPECT_GE(fake.key_violations, 5U);
}

}  // namespace
}  // namespace rch::sm
