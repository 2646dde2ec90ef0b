// What a failure leaves of a fabric, and which failures there are.

#include "whatif/damage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fabric/faults.h"
#include "support/small_fabrics.h"

namespace rch::whatif {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Damage after(const fabric::Fabric& whole, const Failure& failure) {
  auto damage = damaged(whole, failure);
  EXPECT_TRUE(damage);
  return std::move(*damage);
}

/// Switches in a row, two hosts on each.
fabric::Fabric row() { return test::build({.hosts = {2, 2, 2}, .cables = {{0, 1}, {1, 2}}}); }
PortId cable_of(const fabric::Fabric& fabric, std::string_view name) {
  return named_cables(fabric, name)->cables.front();
}

TEST(Damaged, WithoutACableThatOthersReplaceAllStays) {
  const fabric::Fabric whole = test::build(test::clos(4, 2, 2));
  const PortId cable = cable_of(whole, "switch 0:switch 4");
  const Damage damage = after(whole, {{cable}, {}});
  EXPECT_THAT(damage.cut_off, IsEmpty());
  EXPECT_FALSE(damage.manager_cut_off);
  const auto removed = fabric::remove_parts(whole, {.links = {"switch 0:switch 4"}});
  ASSERT_TRUE(removed);
  EXPECT_EQ(damage.fabric.fingerprint(), removed->fabric.fingerprint());
  EXPECT_EQ(damage.fabric.port(cable).state, fabric::PortState::down);
}

// The part with the most hosts is the one that is managed. Hosts of the other hang on no part that fails.
TEST(Damaged, OfTwoPartsTheLargerStays) {
  const fabric::Fabric whole = row();
  const Damage damage = after(whole, {{cable_of(whole, "switch 0:switch 1")}, {}});
  EXPECT_EQ(damage.fabric.switch_count(), 2U);
  EXPECT_FALSE(damage.fabric.find_switch(whole.node(SwitchId(0)).guid));
  EXPECT_THAT(damage.cut_off, SizeIs(2));
  EXPECT_EQ(damage.cut_off_beyond, 2U);
}

TEST(Damaged, HostsOfAFailedSwitchHangOnWhatFails) {
  const fabric::Fabric whole = row();
  const Damage end = after(whole, {{}, {NodeId(2)}});
  EXPECT_THAT(end.cut_off, SizeIs(2));
  EXPECT_EQ(end.cut_off_beyond, 0U);
  const Damage middle = after(whole, {{}, {NodeId(1)}});
  EXPECT_THAT(middle.cut_off, SizeIs(4));
  EXPECT_EQ(middle.cut_off_beyond, 2U);
}

TEST(Damaged, AFailedHostIsNotCutOff) {
  const fabric::Fabric whole = row();
  const NodeId host = whole.port(whole.end_ports()[3].port).node;
  const Damage damage = after(whole, {{}, {host}});
  EXPECT_THAT(damage.cut_off, IsEmpty());
  EXPECT_EQ(damage.fabric.end_ports().size(), whole.end_ports().size() - 1);
  EXPECT_FALSE(damage.fabric.find_node(whole.node(host).guid));
}

// With its own cable it is: the adapter is there, and nothing reaches it.
TEST(Damaged, AHostWithoutItsCableIsCutOff) {
  const fabric::Fabric whole = row();
  const PortId port = whole.end_ports()[3].port;
  const Damage damage = after(whole, {{port}, {}});
  EXPECT_THAT(damage.cut_off, ElementsAre(port));
  EXPECT_EQ(damage.cut_off_beyond, 0U);
}

TEST(Damaged, KeepsLids) {
  const fabric::Fabric whole = row();
  const Damage damage = after(whole, {{}, {NodeId(0)}});
  for (const fabric::EndPort& end : damage.fabric.end_ports()) {
    const auto before = whole.find_port(damage.fabric.port(end.port).guid);
    ASSERT_TRUE(before);
    EXPECT_EQ(whole.port(*before).lid, end.lid);
  }
}

TEST(Damaged, WithoutAnySwitchNothingIsLeft) {
  const fabric::Fabric whole = test::build({.hosts = {2}, .cables = {}});
  const Damage damage = after(whole, {{}, {NodeId(0)}});
  EXPECT_THAT(damage.fabric.nodes(), IsEmpty());
  EXPECT_THAT(damage.cut_off, SizeIs(2));
}

TEST(Failures, AreOrderedAndDrawnOnce) {
  const fabric::Fabric whole = test::build(test::clos(4, 2, 2));
  const auto all = failures(whole, {.links = Draw{}, .switches = Draw{}, .hosts = Draw{}});
  ASSERT_TRUE(all);
  EXPECT_THAT(*all, SizeIs(8 + 6 + 8));
  const auto some = failures(whole, {.links = Draw{5}, .pairs = Draw{28}});
  ASSERT_TRUE(some);
  ASSERT_THAT(*some, SizeIs(5 + 28));
  for (std::size_t i = 1; i < 5; ++i) EXPECT_LT((*some)[i - 1].cables, (*some)[i].cables);
  EXPECT_EQ(*some, *failures(whole, {.links = Draw{5}, .pairs = Draw{28}}));
  EXPECT_NE(*some, *failures(whole, {.links = Draw{5}, .pairs = Draw{28}, .seed = 2}));
}

TEST(Failures, MoreThanThereAreCannotBeDrawn) {
  const fabric::Fabric whole = test::build(test::clos(4, 2, 2));
  for (const FailureRequest& request :
       {FailureRequest{.links = Draw{9}}, {.switches = Draw{7}}, {.pairs = Draw{29}}, {.hosts = Draw{9}}}) {
    const auto drawn = failures(whole, request);
    ASSERT_FALSE(drawn);
    EXPECT_EQ(drawn.error().kind, ErrorKind::usage);
    EXPECT_THAT(drawn.error().message, HasSubstr("cannot be drawn: the fabric has"));
  }
}

TEST(Failures, HaveNames) {
  const fabric::Fabric whole = row();
  EXPECT_EQ(describe(whole, {{cable_of(whole, "switch 0:switch 1")}, {NodeId(2)}}),
            "cable `switch 0`[3] - `switch 1`[3] and switch `switch 2` (0x0000000000100010)");
  EXPECT_FALSE(named_cables(whole, "switch 0:switch 2"));
}

}  // namespace
}  // namespace rch::whatif
