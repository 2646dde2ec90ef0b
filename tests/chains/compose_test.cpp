// SL rules and SL2VL maps of a chain (docs/chains.md).

#include <gtest/gtest.h>

#include "chain_fixture.h"
#include "chains/compose.h"
#include "support/small_fabrics.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using fabric::Scope;
using fabric::Sl2VlMap;
using fabric::Sl2VlTables;
using fabric::SlRule;
using fabric::SubFabric;

constexpr Sl2VlMap kEndPort{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
constexpr Sl2VlMap all(std::uint8_t vl) {
  Sl2VlMap map{};
  map.fill(vl);
  return map;
}

class Composition : public testing::Test {
 protected:
  Composition() : fabric_(test::build({.hosts = {1, 1, 1}, .cables = {{0, 1}, {1, 2}}})) {}

  SubFabric view(const std::vector<std::uint32_t>& switches) const {
    return SubFabric(fabric_, Scope{test::ports_of(fabric_, switches), std::uint8_t{0}});
  }
  /// Maps of a step: `vl` from port 1 to port 2 of its first switch, the end-port map elsewhere.
  Sl2VlTables maps(const SubFabric& view, std::uint8_t vl) const {
    std::vector<std::uint8_t> ports;
    for (std::uint32_t s = 0; s < view.switch_count(); ++s) ports.push_back(view.node(SwitchId(s)).num_ports);
    Sl2VlTables tables(ports, kEndPort);
    tables.set(SwitchId(0), PortNum(1), PortNum(2), tables.intern(all(vl)));
    return tables;
  }

  Fabric fabric_;
};

TEST_F(Composition, CoordinatesMoveToFabricSwitches) {
  SlRule::Dimension dimension;
  dimension.bit = 1;
  dimension.radix = 2;
  dimension.coordinate = {0, 1};
  dimension.crosses = {0, 1, 1, 0};
  SlRule rule;
  rule.border = 8;
  rule.dimensions = {dimension};
  const SlRule moved = to_fabric(view({0, 2}), rule);
  EXPECT_EQ(moved.border, 8);
  EXPECT_EQ(moved.dimensions[0].coordinate, (std::vector<std::uint16_t>{0, SlRule::kNoCoordinate, 1}));
  EXPECT_EQ(moved.sl(SwitchId(0), SwitchId(2)), 2);
}

TEST_F(Composition, WithoutMapsNothingIsWritten) {
  Sl2VlTables tables;
  overlay_sl2vl(view({0, 1}), Sl2VlTables{}, tables);
  EXPECT_TRUE(tables.empty());
}

TEST_F(Composition, SwitchesOutsideGetTheEndPortMap) {
  Sl2VlTables tables;
  const SubFabric part = view({1, 2});
  overlay_sl2vl(part, maps(part, 5), tables);
  EXPECT_EQ(tables.end_port(), kEndPort);
  EXPECT_EQ(tables.at(SwitchId(0), PortNum(1), PortNum(2)), kEndPort);
  EXPECT_EQ(tables.at(SwitchId(1), PortNum(1), PortNum(2)), all(5));
  EXPECT_EQ(tables.at(SwitchId(1), PortNum(2), PortNum(1)), kEndPort);
}

TEST_F(Composition, TheLaterStepWinsOnASharedSwitch) {
  Sl2VlTables tables;
  const SubFabric first = view({0, 1}), second = view({1, 2});
  overlay_sl2vl(first, maps(first, 5), tables);
  overlay_sl2vl(second, maps(second, 6), tables);
  EXPECT_EQ(tables.at(SwitchId(0), PortNum(1), PortNum(2)), all(5));
  EXPECT_EQ(tables.at(SwitchId(1), PortNum(1), PortNum(2)), all(6));
}

TEST_F(Composition, OneWholeStepIsTakenAsItIs) {
  Sl2VlTables tables;
  const SubFabric whole(fabric_);
  overlay_sl2vl(whole, maps(whole, 3), tables);
  EXPECT_EQ(tables.at(SwitchId(0), PortNum(1), PortNum(2)), all(3));
}

}  // namespace
}  // namespace rch::chains
