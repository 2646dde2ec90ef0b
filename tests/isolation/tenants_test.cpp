// What tenants share, by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fabric/fabric_builder.h"
#include "isolation/change.h"
#include "isolation/compare.h"
#include "isolation/path.h"
#include "support/small_fabrics.h"

namespace rch::isolation {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

/// Two leaves with two hosts each and a spine.
struct Small {
  fabric::Fabric fabric = test::build(test::clos(2, 1, 2));
  InstalledPKeys installed{fabric.ports().size()};

  PortId host(std::size_t i) const { return fabric.end_ports()[i].port; }
  void hold(std::size_t host_index, std::vector<std::uint16_t> keys) {
    installed.set(host(host_index), keys);
  }
  Isolation judged(std::span<const fabric::MulticastGroup> groups = {}) const {
    return judge(fabric, installed, groups);
  }
};

TEST(Tenants, LimitedMembersOfTheDefaultPartitionDoNotMeet) {
  Small small;
  small.hold(0, {0x7FFF, 0x8001});
  small.hold(1, {0x7FFF, 0x8001});
  small.hold(2, {0x7FFF, 0x8002});
  small.hold(3, {0x7FFF, 0x8002});
  EXPECT_EQ(small.judged().apart(), 1U);
  small.hold(3, {0xFFFF, 0x8002});
  const Isolation met = small.judged();
  EXPECT_EQ(met.meeting, 1U);
  ASSERT_THAT(met.meetings, SizeIs(1));
  EXPECT_EQ(met.meetings[0].packet->to, small.host(3));
  EXPECT_EQ(met.meetings[0].packet->from_key, 0x7FFF);
  EXPECT_EQ(met.meetings[0].packet->to_key, 0xFFFF);
}

TEST(Tenants, APortThatIsNotKnownIsCounted) {
  Small small;
  for (std::size_t i = 0; i < 3; ++i) small.hold(i, {0x8001});
  const Isolation found = small.judged();
  EXPECT_EQ(found.unknown, 1U);
  EXPECT_EQ(found.first_unknown, small.host(3));
}

TEST(Tenants, SwitchPortsThatCheckKeepPacketsFromOthers) {
  Small small;
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    const std::vector<std::uint16_t> keys{static_cast<std::uint16_t>(i < 2 ? 0x8001 : 0x8002)};
    small.hold(i, keys);
    const PortId in_front = switch_port_of(small.fabric, small.host(i));
    small.installed.set(in_front, keys);
    small.installed.set_checks(in_front, fabric::PartitionEnforcement::out);
  }
  for (const Partition& partition : small.judged().partitions) EXPECT_EQ(partition.reached, 0U);
  const PortId open = switch_port_of(small.fabric, small.host(3));
  small.installed.set_checks(open, fabric::PartitionEnforcement::in);
  const Isolation found = small.judged();
  EXPECT_EQ(found.partitions[0].reached, 1U);
  EXPECT_EQ(found.partitions[0].reaching->to, small.host(3));
  EXPECT_EQ(found.partitions[1].reached, 0U);
  EXPECT_EQ(found.apart(), 1U);
}

TEST(Tenants, PortsOfATreeHaveAPartitionInCommon) {
  Small small;
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) small.hold(i, {0x7FFF, 0x8001});
  small.hold(2, {0x7FFF, 0x8002});
  small.hold(3, {0x8002});
  const auto group = [&](std::vector<PortId> members) {
    return fabric::MulticastGroup{.mlid = Lid(0xC001), .members = std::move(members), .ports = {}};
  };
  EXPECT_THAT(small.judged(std::vector{group({small.host(0), small.host(1), small.host(2)})}).mixed_groups,
              IsEmpty());
  const Isolation mixed = small.judged(std::vector{group({small.host(0), small.host(1), small.host(3)})});
  ASSERT_THAT(mixed.mixed_groups, SizeIs(1));
  EXPECT_EQ(mixed.mixed_groups[0].a, small.host(0));
  EXPECT_EQ(mixed.mixed_groups[0].b, small.host(3));
}

TEST(Change, NoPortHoldsMoreInBetween) {
  const Small small;
  const std::size_t ports = small.fabric.ports().size();
  InstalledPKeys before(ports), between(ports), after(ports);
  const auto set = [](InstalledPKeys& installed, PortId port, std::vector<std::uint16_t> keys) {
    installed.set(port, keys);
  };
  set(before, small.host(0), {0xFFFF, 0x8001}), set(after, small.host(0), {0x7FFF, 0x8002});
  set(between, small.host(0), {0x7FFF});
  const PKeyChange safe = judge_change(before, between, after);
  EXPECT_FALSE(safe.excess);
  EXPECT_EQ(safe.losing, 1U);
  EXPECT_EQ(safe.gaining, 1U);
  for (const std::vector<std::uint16_t>& keys :
       {std::vector<std::uint16_t>{0xFFFF}, {0x7FFF, 0x8001}, {0x7FFF, 0x8002}, {0x0003}}) {
    set(between, small.host(0), keys);
    const PKeyChange unsafe = judge_change(before, between, after);
    ASSERT_TRUE(unsafe.excess);
    EXPECT_EQ(unsafe.excess->port, small.host(0));
    EXPECT_EQ(unsafe.excess->key, keys.back());
  }
}

TEST(Path, FollowsTheTables) {
  const Small small;
  fabric::ForwardingTables lfts(small.fabric.switch_count(), small.fabric.max_lid());
  const fabric::EndPort& to = small.fabric.end_ports()[3];
  const SwitchId near = small.fabric.end_ports()[0].sw, spine(2);
  EXPECT_FALSE(path_between(small.fabric, lfts, small.host(0), to.port));
  const fabric::SwitchGraph& graph = small.fabric.graph();
  lfts.row(near)[to.lid.index()] = graph.links(graph.neighbors(near)[0])[0].out.value;
  for (const fabric::Neighbor& next : graph.neighbors(spine))
    if (next.sw == to.sw) lfts.row(spine)[to.lid.index()] = graph.links(next)[0].out.value;
  lfts.row(to.sw)[to.lid.index()] = to.attach.value;
  const auto path = path_between(small.fabric, lfts, small.host(0), to.port);
  ASSERT_TRUE(path);
  ASSERT_THAT(*path, SizeIs(3));
  EXPECT_EQ(path->back().sw, to.sw);
  EXPECT_EQ(path->back().out, to.attach);
}

TEST(Tenants, AnEnhancedPort0ThatIsNotKnownIsCounted) {
  Small small;
  for (std::size_t i = 0; i < 4; ++i) small.hold(i, {0x8001});
  EXPECT_EQ(small.judged().unknown, 0U);
  fabric::FabricBuilder builder(small.fabric);
  builder.node(*builder.find(small.fabric.node(SwitchId(1)).guid)).enhanced_port0 = true;
  small.fabric = *std::move(builder).build();
  EXPECT_EQ(small.judged().unknown, 1U);
  EXPECT_EQ(small.judged().first_unknown, small.fabric.port_id(SwitchId(1), PortNum(0)));
}

TEST(Differences, PortsOfWhichNothingIsKnownAreCounted) {
  Small small;
  InstalledPKeys target(small.fabric.ports().size());
  const std::vector<std::uint16_t> keys{0x8001};
  for (std::size_t i = 0; i < 4; ++i) target.set(small.host(i), keys);
  for (std::uint32_t s = 0; s < small.fabric.switch_count(); ++s)
    target.set(small.fabric.port_id(SwitchId(s), PortNum(0)), keys);
  small.hold(0, {0x8001});
  const Differences found = compare(small.fabric, small.installed, target);
  EXPECT_TRUE(found.none());
  EXPECT_EQ(found.unknown, 3U);
  EXPECT_EQ(found.unknown_base_ports, small.fabric.switch_count());
}

}  // namespace
}  // namespace rch::isolation
