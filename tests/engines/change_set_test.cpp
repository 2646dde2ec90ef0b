// The change set between two views of a fabric, and the repair pass.

#include <optional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/common/incremental/change_set.h"
#include "engines/common/repair/repair_pass.h"
#include "fabric/fabric_builder.h"
#include "fabric/faults.h"
#include "support/small_fabrics.h"

namespace rch::engines::common {
namespace {

using fabric::Fabric;
using fabric::SubFabric;
using testing::ElementsAre;
using testing::IsEmpty;

/// A triangle of switches with a host each on port 1; ports 2 and 3 lead to the other switches.
Fabric triangle() { return test::build({.hosts = {1, 1, 1}, .cables = {{0, 1}, {1, 2}, {2, 0}}}); }

Fabric without(const Fabric& fabric, fabric::Faults faults) {
  faults.keep_connected = false;
  return std::move(fabric::remove_parts(fabric, faults)->fabric);
}

std::vector<SwitchId> with_new_lids(const ChangeSet& changes) {
  return {changes.with_new_lids().begin(), changes.with_new_lids().end()};
}

TEST(ChangeSet, OfOneFabricIsEmpty) {
  const Fabric fabric = triangle();
  const SubFabric view(fabric);
  const ChangeSet changes(view, view);
  EXPECT_TRUE(changes.switches().is_identity());
  EXPECT_THAT(changes.links().lost(), IsEmpty());
  EXPECT_THAT(changes.links().added(), IsEmpty());
  EXPECT_THAT(with_new_lids(changes), IsEmpty());
  for (std::uint32_t s = 0; s < 3; ++s) {
    EXPECT_TRUE(changes.links().same(SwitchId(s)));
    EXPECT_TRUE(changes.same_hosts(SwitchId(s)));
    EXPECT_TRUE(changes.same_lids(SwitchId(s)));
  }
}

TEST(ChangeSet, ALinkGoesAndComesBack) {
  const Fabric fabric = triangle(), less = without(fabric, {.links = {"switch 0:switch 1"}});
  const SubFabric whole(fabric), damaged(less);
  const ChangeSet gone(whole, damaged);
  ASSERT_EQ(gone.links().lost().size(), 2U);  // a direction each, by `to`
  EXPECT_EQ(gone.links().lost()[0].from, SwitchId(1));
  EXPECT_EQ(gone.links().lost()[0].to, SwitchId(0));
  EXPECT_THAT(gone.links().added(), IsEmpty());
  EXPECT_FALSE(gone.links().same(SwitchId(0)));
  EXPECT_TRUE(gone.links().same(SwitchId(2)));
  EXPECT_TRUE(gone.same_hosts(SwitchId(0)));
  const PortNum port = gone.links().lost()[0].out;
  EXPECT_TRUE(gone.same_peer(SwitchId(1), port));  // leads nowhere now

  const ChangeSet back(damaged, whole);
  EXPECT_EQ(back.links().added().size(), 2U);
  EXPECT_THAT(back.links().lost(), IsEmpty());
  EXPECT_FALSE(back.same_peer(SwitchId(1), port));
}

TEST(ChangeSet, ASwitchThatIsGoneFollowsTheOthers) {
  const Fabric fabric = triangle(), less = without(fabric, {.switches = {"switch 0"}});
  const SubFabric whole(fabric), damaged(less);
  const ChangeSet gone(whole, damaged);
  EXPECT_FALSE(gone.switches().is_identity());
  EXPECT_THAT(gone.switches().joint_of, ElementsAre(SwitchId(2), SwitchId(0), SwitchId(1)));
  EXPECT_TRUE(gone.switches().is_gone(SwitchId(2)));
  EXPECT_EQ(gone.links().lost().size(), 4U);
  EXPECT_EQ(common_links(gone.switches(), whole.graph(), damaged.graph()).link_ends(), 2U);

  const ChangeSet back(damaged, whole);
  EXPECT_TRUE(back.switches().before_of[0].is_none());
  EXPECT_THAT(with_new_lids(back), ElementsAre(SwitchId(0)));
  EXPECT_FALSE(back.same_lids(SwitchId(0)));
  EXPECT_TRUE(back.same_lids(SwitchId(1)));
}

TEST(ChangeSet, AHostThatMovesTakesItsLid) {
  const Fabric fabric = triangle();
  fabric::FabricBuilder builder(fabric);
  const auto host = *builder.find(fabric.node(fabric.port(fabric.end_ports()[2].port).node).guid);
  const auto first = *builder.find(fabric.node(SwitchId(0)).guid);
  builder.disconnect(host, PortNum(1));
  builder.disconnect(first, PortNum(1));
  ASSERT_TRUE(builder.connect(host, PortNum(1), first, PortNum(1)));
  const Fabric moved = *std::move(builder).build();
  const SubFabric before(fabric), now(moved);
  const ChangeSet changes(before, now);
  EXPECT_TRUE(changes.links().same(SwitchId(0)));
  EXPECT_FALSE(changes.same_hosts(SwitchId(0)));
  EXPECT_FALSE(changes.same_hosts(SwitchId(2)));
  EXPECT_TRUE(changes.same_hosts(SwitchId(1)));
  EXPECT_THAT(with_new_lids(changes), ElementsAre(SwitchId(0)));
}

/// A cost for repair_pass().
struct Cost {
  int a = 0, b = 0;
  bool no_worse_than(const Cost& other) const { return a <= other.a && b <= other.b; }
};

std::optional<Cost> repaired(Cost cost, Cost target, std::vector<Cost> candidates) {
  std::size_t at = 0;
  const auto next = [&]() -> std::optional<Cost> {
    return at < candidates.size() ? std::optional(candidates[at++]) : std::nullopt;
  };
  return repair_pass(cost, target, next, [](const Cost& c) { return c; });
}

TEST(RepairPass, StopsAtTheTargetAndElseTakesTheBest) {
  EXPECT_FALSE(repaired({1, 1}, {1, 1}, {{0, 0}}));
  EXPECT_FALSE(repaired({3, 3}, {1, 1}, {{4, 0}, {3, 3}}));
  EXPECT_EQ(repaired({3, 3}, {1, 1}, {{2, 3}, {2, 2}, {2, 2}})->b, 2);
  EXPECT_EQ(repaired({0, 9}, {1, 1}, {{1, 1}, {0, 0}})->a, 1);
}

}  // namespace
}  // namespace rch::engines::common
