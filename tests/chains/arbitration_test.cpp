// VL arbitration as a plan has it (opensm(8), QOS CONFIGURATION, docs/torus.md, VL arbitration).

#include "chains/arbitration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chain_fixture.h"
#include "policy/model/vl_tables.h"
#include "support/golden_case.h"
#include "support/small_fabrics.h"

namespace rch::chains {
namespace {

using fabric::Arbitration;
using fabric::Fabric;
using fabric::VlWeights;
using testing::SizeIs;

/// The weights of docs/torus.md, which torus-2QoS has nothing to say against.
void give_torus_weights(policy::Options& options) {
  options.qos.enabled = true;
  options.qos.swe.vlarb_high = VlWeights{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 32}, {5, 32}, {6, 32}, {7, 32}};
  options.qos.swe.vlarb_low =
      VlWeights{{0, 10}, {1, 10}, {2, 10}, {3, 10}, {4, 20}, {5, 20}, {6, 20}, {7, 20}};
  options.qos.ca.vlarb_high = VlWeights{{0, 0}, {1, 32}};
  options.qos.ca.vlarb_low = VlWeights{{0, 10}, {1, 20}};
  options.qos.swe.high_limit = 5;
}

PortId towards_host(const Fabric& fabric, std::uint32_t sw) {
  return fabric.port(fabric.end_ports_of(SwitchId(sw))[0].port).peer;
}
PortId towards_switch(const Fabric& fabric, std::uint32_t sw) {
  return fabric.port_id(SwitchId(sw), fabric.graph().links(fabric.graph().neighbors(SwitchId(sw))[0])[0].out);
}

class TorusArbitration : public testing::Test {
 protected:
  TorusArbitration() : fabric_(test::golden_fabric("torus2d-6x5/torus-2QoS")), chain_(fabric_) {
    give_torus_weights(chain_.policy().options);
    chain_.step(1, "torus-2QoS").torus = test::torus_options(test::golden_text("conf/torus2d-6x5.conf"));
  }
  fabric::ArbitrationTables lay() const { return arbitration_tables(chain_.bound(), chain_.good_run()); }

  Fabric fabric_;
  test::Chain chain_;
};

TEST_F(TorusArbitration, PortsThatFaceHostsKeepTheTwoLevels) {  // case 65
  const auto tables = lay();
  const policy::Options& options = chain_.policy().options;
  EXPECT_EQ(*tables.at(towards_switch(fabric_, 3)),
            (Arbitration{5, *options.qos.swe.vlarb_high, *options.qos.swe.vlarb_low}));
  EXPECT_EQ(*tables.at(towards_host(fabric_, 3)), (Arbitration{5, {{0, 0}, {1, 32}}, {{0, 10}, {1, 20}}}));
  EXPECT_EQ(*tables.at(fabric_.end_ports_of(SwitchId(3))[0].port),
            (Arbitration{0, {{0, 0}, {1, 32}}, {{0, 10}, {1, 20}}}));
}

TEST_F(TorusArbitration, EntriesKeepTheirOrder) {
  chain_.policy().options.qos.swe.vlarb_low =
      VlWeights{{4, 9}, {0, 1}, {1, 2}, {5, 7}, {0, 3}, {4, 0}, {2, 3}, {3, 3}};
  EXPECT_EQ(lay().at(towards_host(fabric_, 0))->low, (VlWeights{{1, 9}, {0, 1}, {0, 3}, {1, 0}}));
}

TEST_F(TorusArbitration, PortsWithoutACableAndBasePortsStayAsTheyAre) {
  const auto tables = lay();
  for (std::uint32_t p = 0; p < fabric_.ports().size(); ++p)
    EXPECT_EQ(tables.at(PortId(p)) != nullptr, !fabric_.port(PortId(p)).peer.is_none()) << p;
}

TEST_F(TorusArbitration, WithoutQosThereIsNone) {
  ChainRun run = chain_.good_run();
  chain_.policy().options.qos.enabled = false;
  EXPECT_TRUE(arbitration_tables(chain_.bound(), run).empty());
}

TEST(ArbitrationOfChains, OtherEnginesKeepAllLanes) {
  const Fabric fabric = test::build(test::clos(2, 1, 2));
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  give_torus_weights(chain.policy().options);
  chain.policy().options.qos.sw2sw.high_limit = 9;
  const auto tables = arbitration_tables(chain.bound(), chain.good_run());
  EXPECT_THAT(tables.at(towards_host(fabric, 0))->low, SizeIs(8));
  EXPECT_EQ(tables.at(towards_host(fabric, 0))->high_limit, 5);
  EXPECT_EQ(tables.at(towards_switch(fabric, 0))->high_limit, 9) << "NVIDIA SM's set for these ports";
  EXPECT_THAT(tables.at(towards_switch(fabric, 0))->low, SizeIs(8)) << "which falls back to qos_swe_";
  EXPECT_THAT(tables.tables(), SizeIs(3));
}

TEST(ArbitrationOfChains, BuiltInTablesHoldWhereNothingIsSet) {
  const Fabric fabric = test::build(test::clos(2, 1, 2));
  test::Chain chain(fabric);
  chain.step(1, "minhop");
  chain.policy().options.qos.enabled = true;
  const auto tables = arbitration_tables(chain.bound(), chain.good_run());
  ASSERT_THAT(tables.tables(), SizeIs(1));
  EXPECT_EQ(tables.tables()[0].high[0], (fabric::VlWeight{0, 4}));
  EXPECT_EQ(tables.tables()[0].low[1], (fabric::VlWeight{1, 4}));
}

/// Two rings of four switches, 0-3 and 4-7, joined by a cable.
TEST(ArbitrationOfChains, OnlyTheIslandOfTheTorusHasTwoLevels) {
  test::Shape shape;
  shape.hosts.assign(8, 1);
  for (std::uint32_t s = 0; s < 4; ++s) {
    shape.cables.push_back({s, (s + 1) % 4});
    shape.cables.push_back({4 + s, 4 + (s + 1) % 4});
  }
  shape.cables.push_back({0, 4});
  const Fabric fabric = test::build(shape);
  test::Chain chain(fabric);
  give_torus_weights(chain.policy().options);
  chain.step(1, "minhop");
  fabric::TorusShape torus;
  torus.radix = {4, 1, 1};
  torus.seeds.emplace_back();
  torus.seeds[0].plus[0] = {fabric.node(SwitchId(0)).guid, fabric.node(SwitchId(1)).guid};
  torus.seeds[0].minus[0] = {fabric.node(SwitchId(0)).guid, fabric.node(SwitchId(3)).guid};
  chain.step(2, "torus-2QoS", 1).torus = torus;
  chain.topology(1, test::ports_of(fabric, {0, 1, 2, 3}));
  const ChainRun run = chain.good_run();
  ASSERT_EQ(test::outline(run.steps), "1 routed, 2 routed") << run.steps.back().failure->message;
  const auto tables = arbitration_tables(chain.bound(), run);
  for (std::uint32_t s = 0; s < 8; ++s)
    EXPECT_EQ(tables.at(towards_host(fabric, s))->low.size(), s < 4 ? 2U : 8U) << s;
}

}  // namespace
}  // namespace rch::chains
