// Updates beside parts that are not in the fabric and may send packets: a triangle with hosts at switch 0
// only. A fourth switch hangs on switches 1 and 2 and does not answer.

#include <gmock/gmock.h>

#include "fabric/faults.h"
#include "hand_tables.h"
#include "verify/transition/update_plan.h"

namespace rch::verify {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

fabric::Fabric triangle() {
  test::Shape shape;
  shape.hosts = {2, 0, 0, 1};
  shape.cables = {{0, 1}, {1, 2}, {2, 0}, {1, 3}, {2, 3}};
  return std::move(fabric::remove_parts(test::build(shape), {.switches = {"switch 3"}})->fabric);
}

class BesideASilentSwitch : public testing::Test {
 protected:
  BesideASilentSwitch() {
    for (std::uint32_t s = 0; s < 3; ++s) blocks.push_back({SwitchId(s), 0});
    for (fabric::RoutingTables* tables : {&installed, &target})
      for (const fabric::EndPort& host : fabric.end_ports()) {
        test::set_entry(*tables, 0, host.lid, host.attach.value);
        test::set_entry(*tables, 1, host.lid, to(1, 0));
        test::set_entry(*tables, 2, host.lid, to(2, 0));
      }
    for (std::uint32_t s = 1; s < 3; ++s) entrances.push_back(fabric.port_id(SwitchId(s), PortNum(3)));
  }
  std::uint8_t to(std::uint32_t from, std::uint32_t next) const {
    for (std::uint8_t p = 1; p <= fabric.node(SwitchId(from)).num_ports; ++p)
      if (const PortId peer = fabric.port(fabric.port_id(SwitchId(from), PortNum(p))).peer;
          !peer.is_none() && fabric.port(peer).node == NodeId(next))
        return p;
    return kNoPath;
  }
  UpdatePlan plan(bool known = false) const {
    Change change{fabric, installed, target, blocks};
    if (!known) change.entrances = entrances;
    return plan_update(change);
  }

  const fabric::Fabric fabric = triangle();
  const Lid lid = test::host_lid(fabric, 0);
  fabric::RoutingTables installed = test::empty_tables(fabric), target = test::empty_tables(fabric);
  std::vector<fabric::LftBlock> blocks;
  std::vector<PortId> entrances;
};

TEST_F(BesideASilentSwitch, ItsPacketsAreNotCaughtBetweenTwoSwitches) {
  test::set_entry(installed, 2, lid, to(2, 1));
  test::set_entry(target, 1, lid, to(1, 2));
  EXPECT_FALSE(plan(true).at_once) << "no packet of a known host gets there";
  const UpdatePlan update = plan();
  ASSERT_TRUE(update.at_once);
  EXPECT_EQ(update.at_once->kind, FindingKind::loop);
  EXPECT_GT(update.rounds.size(), 1U);
  EXPECT_FALSE(update.closes);
}

TEST_F(BesideASilentSwitch, NothingIsSentThereAnyMoreBeforeOtherEntriesAreWritten) {
  test::set_entry(installed, 1, lid, 3);
  const UpdatePlan update = plan();
  ASSERT_THAT(update.rounds, SizeIs(2));
  ASSERT_THAT(update.rounds[0].writes, SizeIs(1));
  EXPECT_EQ(update.rounds[0].writes[0].at.sw, SwitchId(1));
  EXPECT_EQ(update.rounds[0].writes[0].entries[lid.index()], kNoPath);
  EXPECT_TRUE(update.rounds[0].waits && update.rounds[0].drains);
  EXPECT_EQ(update.rounds[1].writes[0].entries[lid.index()], to(1, 0));
  EXPECT_THAT(update.drained, ElementsAre(lid));
}

/// The first switch has no entry for it. That is not an entry that hands packets over.
TEST_F(BesideASilentSwitch, TheLidOfASwitchGetsNoEntryThatAnInstalledOneSendsBack) {
  const Lid of_switch = fabric.port(fabric.port_id(SwitchId(1), PortNum(0))).lid;
  test::set_entry(installed, 0, of_switch, kNoPath);
  test::set_entry(installed, 2, of_switch, to(2, 0));
  test::set_entry(target, 0, of_switch, to(0, 2));
  test::set_entry(target, 2, of_switch, to(2, 1));
  test::set_entry(target, 1, of_switch, 0);
  bool forwards_back = true;
  for (const fabric::WriteRound& round : plan().rounds) {
    bool writes_first = false;
    const bool back_before = forwards_back;
    for (const fabric::BlockWrite& write : round.writes) {
      if (write.at.sw == SwitchId(0)) writes_first |= write.entries[of_switch.index()] == to(0, 2);
      if (write.at.sw == SwitchId(2)) forwards_back &= write.entries[of_switch.index()] == to(2, 0);
    }
    EXPECT_FALSE(writes_first && back_before);
  }
  EXPECT_FALSE(forwards_back);
}

TEST_F(BesideASilentSwitch, EntriesThatOnlyGoAreNoReasonToWaitWhereItHasOneLink) {
  entrances.pop_back();
  const Lid gone(static_cast<std::uint16_t>(fabric.max_lid().value));
  test::set_entry(installed, 1, gone, 3);
  for (std::uint32_t s = 0; s < 3; ++s) test::set_entry(target, s, gone, kNoPath);
  const UpdatePlan update = plan();
  EXPECT_THAT(update.rounds, SizeIs(1));
  EXPECT_THAT(update.drained, IsEmpty());
}

// What goes in by one link and comes out by another one joins two channels, for whatever LID.
TEST_F(BesideASilentSwitch, NothingIsSentThroughItAnyMoreBeforeOtherEntriesAreWritten) {
  const Lid gone(static_cast<std::uint16_t>(fabric.max_lid().value));
  test::set_entry(installed, 1, gone, 3);
  for (std::uint32_t s = 0; s < 3; ++s) test::set_entry(target, s, gone, kNoPath);
  const UpdatePlan update = plan();
  ASSERT_THAT(update.rounds, SizeIs(2));
  EXPECT_TRUE(update.rounds[0].waits && update.rounds[0].drains);
}

TEST_F(BesideASilentSwitch, ItsLinksAreClosedIfTheTargetTablesAreUnsafeForItsPackets) {
  test::set_entry(target, 1, lid, to(1, 2));
  test::set_entry(target, 2, lid, to(2, 1));
  const UpdatePlan update = plan();
  ASSERT_TRUE(update.closes);
  EXPECT_EQ(update.closes->kind, FindingKind::loop);
  EXPECT_FALSE(update.at_once);
  EXPECT_THAT(update.rounds, SizeIs(1));
}

}  // namespace
}  // namespace rch::verify
