// The fabric that packets meet while an update is written which leaves a switch out.

#include "chains/in_place.h"

#include <gmock/gmock.h>

#include "fabric/faults.h"
#include "support/small_fabrics.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using fabric::ForwardingTables;
using fabric::RoutingTables;

/// Two leaves with two hosts each under two spines. The first spine is left out; its GUID is not the last
/// one.
class InPlaceTest : public testing::Test {
 protected:
  InPlaceTest() {
    while (!before_fabric->end_ports_of(spine).empty()) ++spine.value;
    before.fabric = before_fabric;
    auto tables = std::make_shared<RoutingTables>(RoutingTables{
        .lfts = ForwardingTables(before_fabric->switch_count(), Lid(70)), .sl2vl = {}, .steps = {}});
    for (std::uint32_t s = 0; s < before_fabric->switch_count(); ++s)
      tables->lfts.row(SwitchId(s))[3] = static_cast<std::uint8_t>(s + 1);
    before.tables = tables;
    target.fabric = std::make_shared<const Fabric>(
        std::move(fabric::remove_parts(*before_fabric, {.switches = {before_fabric->node(spine).description}})
                      ->fabric));
    auto after = std::make_shared<RoutingTables>(RoutingTables{
        .lfts = ForwardingTables(target.fabric->switch_count(), Lid(20)), .sl2vl = {}, .steps = {}});
    for (std::uint32_t s = 0; s < target.fabric->switch_count(); ++s)
      after->lfts.row(SwitchId(s))[3] = static_cast<std::uint8_t>(s + 11);
    target.tables = after;
    // The ports of the leaves that lead to the spine.
    for (unsigned p = 1; p <= before_fabric->node(spine).num_ports; ++p) {
      const PortId peer =
          before_fabric->port(before_fabric->port_id(spine, PortNum(static_cast<std::uint8_t>(p)))).peer;
      if (peer.is_none()) continue;
      const fabric::Port& far = before_fabric->port(peer);
      carriers.push_back(
          target.fabric->port_id(*target.fabric->find_node(before_fabric->node(far.node).guid), far.number));
    }
  }
  InPlace in_place() {
    auto links = with_links(*target.fabric, {});
    auto merged =
        with_nodes(std::move(*links), target, *target.tables, {before, {Fabric::node_id(spine)}, carriers});
    return std::move(*merged);
  }

  std::shared_ptr<const Fabric> before_fabric =
      std::make_shared<const Fabric>(rch::test::build(rch::test::clos(2, 2, 2)));
  SwitchId spine{0};
  Plan before, target;
  std::vector<PortId> carriers;
};

TEST_F(InPlaceTest, TheSwitchHasItsLinksAndItsOwnTable) {
  const InPlace merged = in_place();
  ASSERT_EQ(merged.fabric.switch_count(), before_fabric->switch_count());
  EXPECT_EQ(merged.fabric.fingerprint(), before_fabric->fingerprint());
  for (const auto* tables : {&*merged.installed, &*merged.target})
    EXPECT_EQ(tables->lfts.at(spine, Lid(3)), spine.value + 1);
  for (std::uint32_t s = 0; s < target.fabric->switch_count(); ++s)
    EXPECT_EQ(merged.target->lfts.at(merged.number[s], Lid(3)), s + 11);
}

TEST_F(InPlaceTest, LinksThatCarryNothingAreNotThere) {
  carriers.pop_back();
  const InPlace merged = in_place();
  std::size_t links = 0;
  for (unsigned p = 1; p <= merged.fabric.node(spine).num_ports; ++p)
    links += !merged.fabric.port(merged.fabric.port_id(spine, PortNum(static_cast<std::uint8_t>(p))))
                  .peer.is_none();
  EXPECT_EQ(links, carriers.size());
}

TEST_F(InPlaceTest, WritesGoBackToTheNumbersOfTheTarget) {
  const InPlace merged = in_place();
  std::vector<fabric::WriteRound> rounds(1);
  for (std::uint32_t s = 0; s < merged.fabric.switch_count(); ++s)
    rounds[0].writes.push_back({{SwitchId(s), 0}, {}});
  renumber(merged, rounds);
  ASSERT_EQ(rounds[0].writes.size(), target.fabric->switch_count()) << "the switch itself is not written";
  for (std::uint32_t s = 0; s < target.fabric->switch_count(); ++s)
    EXPECT_EQ(rounds[0].writes[s].at.sw, SwitchId(s));
}

}  // namespace
}  // namespace rch::chains
