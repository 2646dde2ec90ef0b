// P_Keys of ports and what switches enforce (IBA 14.2.5.7).

#include "hw/pkeys.h"
#include "hw/driver.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "hw/commit_fixture.h"
#include "hw/discovery.h"

namespace rch::hw {
namespace {

namespace pi = port_info;
using fabric::PartitionEnforcement;
using sim::Visit;
using testing::ElementsAre;
using testing::HasSubstr;

using Keys = std::vector<std::uint16_t>;

class PKeys : public test::Commit {
 protected:
  PKeys() {
    dress = [this](fabric::RoutingTables& made) { made.pkeys = target; };
  }

  /// Ports get keys in ascending order of the ports.
  void give(PortId port, const Keys& keys) {
    if (target.begin.empty()) target.begin.push_back(0);
    target.ports.push_back(port);
    target.keys.insert(target.keys.end(), keys.begin(), keys.end());
    target.begin.push_back(static_cast<std::uint32_t>(target.keys.size()));
  }
  void hold(PortId port, const Keys& keys) {
    for (std::size_t i = 0; i < keys.size(); ++i)
      set(fake.pkeys[{port, i / 32}], Field{static_cast<std::uint16_t>(i % 32 * 2), 0, 16}, keys[i]);
  }
  Keys keys_of(PortId port) {
    Keys keys;
    for (std::uint32_t block = 0; fake.pkeys.contains({port, block}); ++block)
      for (std::uint16_t i = 0; i < 32; ++i)
        keys.push_back(static_cast<std::uint16_t>(
            get(fake.pkeys[{port, block}], Field{static_cast<std::uint16_t>(2 * i), 0, 16})));
    while (!keys.empty() && keys.back() == 0) keys.pop_back();
    return keys;
  }
  PortId attach(PortId host) const { return fabric.port(host).peer; }
  /// Inbound, outbound.
  std::pair<bool, bool> enforced(PortId port) {
    return {get(info(port), pi::kPartitionEnforcementIn) != 0,
            get(info(port), pi::kPartitionEnforcementOut) != 0};
  }

  fabric::PKeyTables target;
};

TEST_F(PKeys, AreWrittenToHostsAndToTheSwitchPortsBeforeThem) {
  give(host(1), {0xFFFF, 0x8001, 0x0002});
  const auto report = run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(keys_of(host(1)), ElementsAre(0xFFFF, 0x8001, 0x0002));
  EXPECT_THAT(keys_of(attach(host(1))), ElementsAre(0xFFFF, 0x8001, 0x0002));
  EXPECT_EQ(enforced(attach(host(1))), std::pair(true, true));
  EXPECT_EQ(report->pkey_blocks, 2U);
  EXPECT_EQ(run()->writes(), 0U);
}

// Two tenants change places, and one port has more than a block. At no time does a port hold P_Keys of both,
// or does one that comes share a P_Key with one that goes.
TEST_F(PKeys, OfTwoTenantsNeverMeetInBetween) {
  constexpr std::uint16_t kRed = 0x8101, kBlue = 0x8102;
  Keys many{0x7FFF};
  for (std::uint16_t k = 0; k < 40; ++k) many.push_back(static_cast<std::uint16_t>(0x8200 + k));
  hold(host(0), {0x7FFF, kRed});
  hold(host(1), {0x7FFF, kBlue});
  hold(host(2), many);
  hold(attach(host(0)), {0x7FFF, kRed});
  hold(attach(host(1)), {0x7FFF, kBlue});
  give(host(0), {0x7FFF, kBlue});
  give(host(1), {0x7FFF, kRed});
  many.back() = kRed;
  give(host(2), many);
  std::size_t seen = 0;
  fake.after_set = [&](const Visit& visit) {
    if (visit.attribute != Attribute::p_key_table) return;
    ++seen;
    const auto holds = [&](PortId port, std::uint16_t key) {
      const Keys keys = keys_of(port);
      return std::ranges::find(keys, key) != keys.end();
    };
    for (const PortId port : {host(0), attach(host(0)), host(1), attach(host(1)), host(2)})
      EXPECT_FALSE(holds(port, kRed) && holds(port, kBlue)) << "port " << port.value;
    const bool red_goes = holds(host(0), kRed) || holds(attach(host(0)), kRed);
    const bool red_comes = holds(host(1), kRed) || holds(host(2), kRed) || holds(attach(host(1)), kRed);
    const bool blue_goes = holds(host(1), kBlue) || holds(attach(host(1)), kBlue);
    const bool blue_comes = holds(host(0), kBlue) || holds(attach(host(0)), kBlue);
    EXPECT_FALSE(red_goes && red_comes);
    EXPECT_FALSE(blue_goes && blue_comes);
    EXPECT_TRUE(holds(host(0), 0x7FFF) && holds(host(1), 0x7FFF)) << "what stays is never taken away";
  };
  const auto report = run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_GT(seen, 8U);
  EXPECT_THAT(keys_of(host(0)), ElementsAre(0x7FFF, kBlue));
  EXPECT_THAT(keys_of(host(1)), ElementsAre(0x7FFF, kRed));
  EXPECT_EQ(run()->writes(), 0U);
}

// A full member becomes a limited one, and another port comes as a limited one. Limited members of a
// partition exchange no packets, so neither may these two at any time.
TEST_F(PKeys, OfLimitedMembersMeetNoFormerFullOne) {
  hold(host(0), {0x7FFF, 0x8101});
  hold(host(2), {0x7FFF, 0x0101, 0x8101});
  give(host(0), {0x7FFF, 0x0101});
  give(host(1), {0x7FFF, 0x0101});
  give(host(2), {0x7FFF, 0x0101});
  const auto holds = [&](PortId port, std::uint16_t key) {
    const Keys keys = keys_of(port);
    return std::ranges::count(keys, key);
  };
  bool came = false;
  fake.after_set = [&](const Visit& visit) {
    if (visit.attribute != Attribute::p_key_table) return;
    came = came || holds(host(1), 0x0101) > 0;
    EXPECT_FALSE(came && (holds(host(0), 0x8101) > 0 || holds(host(2), 0x8101) > 0));
    EXPECT_LE(holds(host(2), 0x0101), 1) << "no P_Key stands twice";
  };
  const auto report = run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(came);
  for (const std::size_t h : {0U, 1U, 2U}) EXPECT_THAT(keys_of(host(h)), ElementsAre(0x7FFF, 0x0101));
}

TEST_F(PKeys, StayAsTheyAreWithoutPartitions) {
  hold(host(1), {0xFFFF, 0x8009});
  set(info(attach(host(1))), pi::kPartitionEnforcementIn, 1);
  ASSERT_TRUE(run());
  EXPECT_THAT(keys_of(host(1)), ElementsAre(0xFFFF, 0x8009));
  EXPECT_EQ(enforced(attach(host(1))), std::pair(true, false));
}

TEST_F(PKeys, KeepTheirIndex) {
  hold(host(1), {0x7FFF, 0x8005, 0x8003, 0x0002});
  give(host(1), {0xFFFF, 0x8001, 0x8002, 0x8003});
  ASSERT_TRUE(run());
  EXPECT_THAT(keys_of(host(1)), ElementsAre(0xFFFF, 0x8001, 0x8003, 0x8002)) << "2 is a full member now";
}

TEST_F(PKeys, AreFreshWhenIndexesNeedNotStay) {
  target.keep_indexes = false;
  hold(host(1), {0x7FFF, 0x8005, 0x8003, 0x0002});
  give(host(1), {0xFFFF, 0x8001, 0x8002, 0x8003});
  ASSERT_TRUE(run());
  EXPECT_THAT(keys_of(host(1)), ElementsAre(0xFFFF, 0x8001, 0x8002, 0x8003));
}

TEST_F(PKeys, OfBothMembershipsAreOneAtTheSwitch) {
  give(host(1), {0xFFFF, 0x0002, 0x8002, 0x0003});
  ASSERT_TRUE(run());
  EXPECT_THAT(keys_of(host(1)), ElementsAre(0xFFFF, 0x0002, 0x8002, 0x0003));
  EXPECT_THAT(keys_of(attach(host(1))), ElementsAre(0xFFFF, 0x8002, 0x0003));
}

TEST_F(PKeys, AreEnforcedAsAsked) {
  for (const auto& [how, bits] : {std::pair(PartitionEnforcement::in, std::pair(true, false)),
                                  std::pair(PartitionEnforcement::out, std::pair(false, true)),
                                  std::pair(PartitionEnforcement::off, std::pair(false, false))}) {
    target = {};
    target.enforcement = how;
    give(host(1), {0xFFFF});
    ASSERT_TRUE(run());
    EXPECT_EQ(enforced(attach(host(1))), bits);
  }
}

TEST_F(PKeys, SetOnPortsBetweenSwitchesAreNotEnforced) {
  const PortId between = fabric.port_id(SwitchId(0), PortNum(3));
  ASSERT_TRUE(fabric.is_switch(fabric.port(fabric.port(between).peer).node));
  set(info(between), pi::kPartitionEnforcementOut, 1);
  give(host(1), {0xFFFF});
  ASSERT_TRUE(run());
  EXPECT_EQ(enforced(between), std::pair(false, false));
}

class PKeysWithoutRoom : public PKeys {
 protected:
  TargetPKeys fitted() {
    Driver driver(fake, {});
    const auto live = driver.wait(discover(driver));
    auto blocks = pkey_blocks(*live, target);
    const std::vector<SmpData> installed(blocks.size());
    return fit_pkeys(*live, target, blocks, installed);
  }
  static Keys many(std::size_t count) {
    Keys keys{0xFFFF};
    while (keys.size() < count) keys.push_back(static_cast<std::uint16_t>(0x8000 + keys.size()));
    return keys;
  }
};

TEST_F(PKeysWithoutRoom, AreSaidToBeLeftOut) {
  give(host(1), many(65));
  const TargetPKeys made = fitted();
  ASSERT_EQ(made.unenforced.size(), 2U);
  const auto name = [&](PortId id) {
    const auto& port = fabric.port(id);
    return fmt::format("`{}` port {}", fabric.node(port.node).description, port.number);
  };
  EXPECT_EQ(made.unenforced[0],
            fmt::format("1 port has no room for all P_Keys: {} without 0x8040", name(host(1))));
  EXPECT_THAT(made.unenforced[1],
              testing::StartsWith(
                  fmt::format("1 switch port with a host behind cannot enforce partitions, the table "
                              "for it is too short: {} has room for 40 of 65 P_Keys (0xffff, 0x8001, ",
                              name(attach(host(1))))));
  EXPECT_THAT(made.unenforced[1], testing::EndsWith(" and 45 more)"));
}

TEST_F(PKeysWithoutRoom, AtASwitchAreNotEnforcedThere) {
  give(host(1), many(41));
  const TargetPKeys made = fitted();
  EXPECT_THAT(made.unenforced, ElementsAre(HasSubstr("cannot enforce partitions")));
  EXPECT_EQ(made.enforcement[attach(host(1)).index()], PartitionEnforcement::off);
}

TEST_F(PKeysWithoutRoom, FillTheLastShortBlock) {
  give(host(1), many(40));
  const TargetPKeys made = fitted();
  EXPECT_THAT(made.unenforced, testing::IsEmpty());
  ASSERT_EQ(made.blocks.size(), 4U);
  EXPECT_EQ(made.blocks[3].compared.size(), 8U) << "40 of two blocks";
  EXPECT_EQ(made.blocks[3].modifier, std::uint32_t{fabric.port(attach(host(1))).number.value} << 16U | 1U);
}

TEST_F(PKeys, ThatASwitchForgetsToEnforceAreRemarked) {
  give(host(1), {0xFFFF});
  fake.bend = [](const Visit& visit, SmpData& answer) {
    if (visit.attribute == Attribute::port_info)
      set(answer, pi::kPartitionEnforcementIn, 0), set(answer, pi::kPartitionEnforcementOut, 0);
  };
  const auto report = run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->remarks,
              ElementsAre("1 switch port shows no enforcement of partitions after it was written"));
}

}  // namespace
}  // namespace rch::hw
