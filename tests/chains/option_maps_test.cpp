// SL2VL maps of the `qos_*` options (opensm(8), QOS CONFIGURATION). tests/lab/compare_sl2vl compares them
// with OpenSM's.

#include "chains/option_maps.h"

#include <array>

#include <gtest/gtest.h>

#include "chain_fixture.h"
#include "chains/plan.h"
#include "fabric/fabric_builder.h"
#include "support/golden_case.h"
#include "support/small_fabrics.h"

namespace rch::chains {
namespace {

using fabric::Sl2VlMap;

constexpr Sl2VlMap kByFours{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
constexpr Sl2VlMap kDescending{7, 6, 5, 4, 3, 2, 1, 0, 15, 6, 5, 4, 3, 2, 1, 0};

class OptionMapsTest : public testing::Test {
 protected:
  OptionMapsTest() { chain_.policy().options.qos.enabled = true; }
  Result<Plan> plan(const Observer& observe = {}) {
    Diagnostics diagnostics;
    return chains::plan(chain_.bound().policy, fabric_, {}, diagnostics, observe);
  }
  policy::QosOptions& qos() { return chain_.policy().options.qos; }

  const fabric::Fabric fabric_ = test::build(test::clos(3, 2, 2));
  test::Chain chain_{fabric_};
};

TEST_F(OptionMapsTest, GoByTheClassOfThePortThatSends) {
  chain_.step(1, "updn");
  qos().base.sl2vl = kByFours;
  qos().ca.sl2vl = kDescending;
  qos().sw2sw.sl2vl = kDescending;
  const auto made = plan();
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_TRUE(made->verdict.clean());
  const fabric::Sl2VlTables& maps = made->tables->sl2vl;
  for (const fabric::EndPort& end : fabric_.end_ports()) EXPECT_EQ(maps.end_port(end.port), kDescending);
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s)
    for (std::uint8_t out = 1; out <= fabric_.node(SwitchId(s)).num_ports; ++out) {
      const fabric::Port& port = fabric_.port(fabric_.port_id(SwitchId(s), PortNum(out)));
      if (port.peer.is_none()) continue;
      const bool between = fabric_.is_switch(fabric_.port(port.peer).node);
      EXPECT_EQ(maps.at(SwitchId(s), PortNum(0), PortNum(out)), between ? kDescending : kByFours);
    }
  EXPECT_TRUE(made->tables->sl2vl_of_options);
}

TEST_F(OptionMapsTest, AreMaskedByTheDataVlsOfTheLink) {
  chain_.step(1, "updn");
  qos().max_op_vls = 2;
  qos().base.sl2vl = kDescending;
  const auto made = plan();
  ASSERT_TRUE(made) << made.error().message;
  constexpr Sl2VlMap kOfTwo{1, 0, 1, 0, 1, 0, 1, 0, 15, 0, 1, 0, 1, 0, 1, 0};
  EXPECT_EQ(made->tables->sl2vl.end_port(fabric_.end_ports()[0].port), kOfTwo);
  EXPECT_EQ(made->tables->sl2vl.at(SwitchId(0), PortNum(1), PortNum(3)), kOfTwo);
}

TEST_F(OptionMapsTest, WithoutQosPortsKeepWhatTheyHold) {
  chain_.step(1, "updn");
  qos().enabled = false;
  qos().base.sl2vl = kByFours;
  const auto made = plan();
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->tables->sl2vl.empty());
}

TEST_F(OptionMapsTest, AnSlThatIsDroppedForbidsTheCommit) {
  chain_.step(1, "updn");
  qos().base.sl2vl = Sl2VlMap{15};
  const auto made = plan();
  ASSERT_TRUE(made);
  ASSERT_FALSE(made->verdict.clean());
  EXPECT_EQ(made->verdict.findings[0].kind, verify::FindingKind::dropped_by_vl);
}

TEST(OptionMaps, GoByTheClassOfAnEndPort) {
  constexpr Sl2VlMap kOfRouters{3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0};
  constexpr Sl2VlMap kOfPorts0{1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0};
  const fabric::Fabric fabric = test::golden_net("speeds");  // with a router and an enhanced port 0
  test::Chain chain(fabric);
  chain.step(1, "updn");
  policy::QosOptions& qos = chain.policy().options.qos;
  qos.enabled = true;
  qos.ca.sl2vl = kByFours;
  qos.rtr.sl2vl = kOfRouters;
  qos.sw0.sl2vl = kOfPorts0;
  const fabric::Sl2VlTables maps = option_maps(chain.bound());
  std::array<int, 3> seen{};  // CAs, routers, enhanced ports 0
  for (std::uint32_t n = 0; n < fabric.nodes().size(); ++n) {
    const fabric::Node& node = fabric.node(NodeId(n));
    if (node.type == fabric::NodeType::sw) {
      const PortId port0 = fabric.port_id(NodeId(n), PortNum(0));
      EXPECT_EQ(maps.has_own(port0), node.enhanced_port0);
      if (node.enhanced_port0) {
        EXPECT_EQ(maps.end_port(port0), kOfPorts0);
        ++seen[2];
      }
      continue;
    }
    const bool router = node.type == fabric::NodeType::router;
    for (unsigned p = 1; p <= node.num_ports; ++p) {
      const PortId port = fabric.port_id(NodeId(n), PortNum(static_cast<std::uint8_t>(p)));
      if (fabric.port(port).peer.is_none()) continue;
      EXPECT_EQ(maps.end_port(port), router ? kOfRouters : kByFours);
      ++seen[router ? 1 : 0];
    }
  }
  for (const int ports : seen) EXPECT_GT(ports, 0);
}

/// Each end port is judged by its own map: a router that drops what its paths need is found, its neighbours
/// are not.
TEST(OptionMaps, OfRoutersAreProvenForRouters) {
  const fabric::Fabric fabric = test::golden_net("speeds");
  test::Chain chain(fabric);
  chain.step(1, "updn");
  policy::QosOptions& qos = chain.policy().options.qos;
  qos.enabled = true;
  qos.rtr.sl2vl = Sl2VlMap{15};
  Diagnostics diagnostics;
  const auto made = plan(chain.bound().policy, fabric, {}, diagnostics);
  ASSERT_TRUE(made) << made.error().message;
  std::size_t routers = 0, others = 0;
  for (const fabric::EndPort& end : fabric.end_ports())
    ++(fabric.node(fabric.port(end.port).node).type == fabric::NodeType::router ? routers : others);
  ASSERT_FALSE(made->verdict.clean());
  const verify::Finding& finding = made->verdict.findings[0];
  EXPECT_EQ(finding.kind, verify::FindingKind::dropped_by_vl);
  EXPECT_LE(finding.count, routers * (routers + others + fabric.switch_count()));
}

TEST(OptionMaps, ARoutingWithMapsOfItsOwnKeepsThem) {
  const fabric::Fabric fabric = test::golden_fabric("torus2d-6x5/torus-2QoS");
  test::Chain chain(fabric);
  chain.step(1, "dfsssp");
  policy::QosOptions& qos = chain.policy().options.qos;
  qos.enabled = true;
  const auto planned = [&](int& told) {
    Diagnostics diagnostics;
    const auto count = [&](const Event& event) {
      told += std::holds_alternative<OptionMapsIdle>(event) ? 1 : 0;
    };
    auto made = plan(chain.bound().policy, fabric, {}, diagnostics, count);
    EXPECT_TRUE(made) << made.error().message;
    if (!made) return std::vector<Sl2VlMap>{};
    return std::vector(made->tables->sl2vl.maps().begin(), made->tables->sl2vl.maps().end());
  };
  int told = 0;
  const auto own = planned(told);
  EXPECT_EQ(told, 0);
  qos.base.sl2vl = kByFours;
  EXPECT_EQ(planned(told), own);
  EXPECT_EQ(told, 1);
}

}  // namespace
}  // namespace rch::chains
