// Small fabrics that minhop routes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/minhop/minhop.h"
#include "fabric/fabric_builder.h"
#include "reference_minhop.h"
#include "support/golden_case.h"
#include "support/small_fabrics.h"

namespace rch::engines::minhop {
namespace {

using testing::ElementsAre;

StepTables routed(const fabric::Fabric& fabric, const Options& options = {}) {
  auto result = route(fabric::SubFabric(fabric), options);
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

Lid switch_lid(const fabric::Fabric& fabric, std::uint32_t s) {
  return fabric.port(fabric.port_id(SwitchId(s), PortNum(0))).lid;
}

std::vector<int> ports_to_hosts(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts,
                                SwitchId from, std::uint32_t hosts_of) {
  std::vector<int> ports;
  for (const fabric::EndPort& host : fabric.end_ports_of(SwitchId(hosts_of)))
    for (std::uint16_t k = 0; k < 1U << host.lmc; ++k)
      ports.push_back(lfts.at(from, Lid(static_cast<std::uint16_t>(host.lid.value + k))));
  return ports;
}

std::size_t routed_entries(const fabric::ForwardingTables& lfts) {
  std::size_t routed = 0;
  for (std::uint32_t s = 0; s < lfts.switch_count(); ++s)
    routed += lfts.stride() - static_cast<std::size_t>(std::ranges::count(lfts.row(SwitchId(s)), kNoPath));
  return routed;
}

TEST(MinhopTables, ClosAlternatesSpinesInDestinationOrder) {
  const fabric::Fabric fabric = test::build(test::clos(4, 2, 4));
  const StepTables tables = routed(fabric);
  const SwitchId leaf0(0);
  EXPECT_THAT(ports_to_hosts(fabric, tables.lfts, leaf0, 0), ElementsAre(1, 2, 3, 4));
  for (std::uint32_t other : {1U, 2U, 3U})
    EXPECT_THAT(ports_to_hosts(fabric, tables.lfts, leaf0, other), ElementsAre(5, 6, 5, 6));
  std::vector<int> switches;
  for (std::uint32_t s = 0; s < 6; ++s) switches.push_back(tables.lfts.at(leaf0, switch_lid(fabric, s)));
  EXPECT_THAT(switches, ElementsAre(0, 5, 5, 5, 5, 6));
}

TEST(MinhopTables, ClosHopRows) {
  const fabric::Fabric fabric = test::build(test::clos(4, 2, 4));
  const StepTables tables = routed(fabric);
  const auto row = [&](std::uint32_t to) {
    std::vector<int> bytes{tables.hops->at(SwitchId(0), SwitchId(to))};
    for (std::uint8_t p = 1; p <= 6; ++p)
      bytes.push_back(test::hops_by_port(fabric, *tables.hops, SwitchId(0), SwitchId(to), PortNum(p)));
    return bytes;
  };
  EXPECT_THAT(row(1), ElementsAre(2, 255, 255, 255, 255, 2, 2));
  EXPECT_THAT(row(4), ElementsAre(1, 255, 255, 255, 255, 1, 3));
}

TEST(MinhopTables, LidsOfOneHostLeaveByDifferentSpines) {
  test::Shape shape = test::clos(4, 2, 4);
  shape.lmc = 2;
  const fabric::Fabric fabric = test::build(shape);
  const StepTables tables = routed(fabric);
  EXPECT_EQ(routed_entries(tables.lfts), 6U * (16 * 4 + 6));
  for (std::uint32_t other : {1U, 2U, 3U}) {
    const auto ports = ports_to_hosts(fabric, tables.lfts, SwitchId(0), other);
    for (std::size_t lid = 0; lid < ports.size(); lid += 4) EXPECT_NE(ports[lid], ports[lid + 1]);
  }
  EXPECT_EQ(test::difference(fabric, tables.lfts, test::reference_minhop(fabric)), "");
}

TEST(MinhopTables, ParallelCablesWithEveryLmc) {
  for (const auto& [lmc, entries] : {std::pair{0, 161U}, {1, 273U}, {2, 497U}}) {
    test::Shape shape = test::clos(4, 3, 4, 3);
    shape.lmc = static_cast<std::uint8_t>(lmc);
    const fabric::Fabric fabric = test::build(shape);
    const StepTables tables = routed(fabric);
    EXPECT_EQ(routed_entries(tables.lfts), entries);
    EXPECT_EQ(test::difference(fabric, tables.lfts, test::reference_minhop(fabric)), "");
  }
}

TEST(MinhopTables, HalvesThatDoNotMeetLeaveHoles) {
  // Two pairs of switches with a host each.
  const fabric::Fabric fabric = test::build({.hosts = {1, 1, 1, 1}, .cables = {{0, 1}, {2, 3}}});
  const StepTables tables = routed(fabric);
  for (std::uint32_t from = 0; from < 4; ++from)
    for (std::uint32_t to = 0; to < 4; ++to) {
      const bool together = from / 2 == to / 2;
      EXPECT_EQ(tables.lfts.at(SwitchId(from), switch_lid(fabric, to)) != kNoPath, together);
      EXPECT_EQ(ports_to_hosts(fabric, tables.lfts, SwitchId(from), to)[0] != kNoPath, together);
      EXPECT_EQ(tables.hops->at(SwitchId(from), SwitchId(to)) != HopMatrix::kUnknown, together);
    }
}

TEST(MinhopTables, SwitchLidsAreCountedOnRequest) {
  const fabric::Fabric star = test::build({.hosts = {1, 0, 0}, .cables = {{0, 1}, {0, 1}, {1, 2}}});
  const auto to = [&](const Options& options) {
    const StepTables tables = routed(star, options);
    return std::pair{tables.lfts.at(SwitchId(0), switch_lid(star, 1)),
                     tables.lfts.at(SwitchId(0), switch_lid(star, 2))};
  };
  EXPECT_EQ(to({}), std::pair(std::uint8_t{2}, std::uint8_t{2}));
  EXPECT_EQ(to({.ports = {.port_profile_switch_nodes = true}}), std::pair(std::uint8_t{2}, std::uint8_t{3}));
}

TEST(MinhopTables, LostCableMovesItsRoutesAlone) {
  const fabric::Fabric before = test::build(test::clos(4, 2, 4));
  fabric::FabricBuilder builder(before);
  builder.disconnect(*builder.find(before.node(SwitchId(0)).guid), PortNum(5));
  const fabric::Fabric after = *std::move(builder).build();
  const StepTables installed = routed(before);
  const fabric::SubFabric then(before), now(after);
  const common::ChangeSet changes(then, now);
  const StepTables tables =
      routed(after, {.ports = {.installed = common::InstalledTables{&changes, &installed.lfts}}});
  for (const fabric::EndPort& host : after.end_ports())
    for (std::uint32_t s : {1U, 2U, 3U}) {
      const std::uint8_t was = installed.lfts.at(SwitchId(s), host.lid);
      EXPECT_EQ(tables.lfts.at(SwitchId(s), host.lid), host.sw == SwitchId(0) ? 6 : was);
    }
  for (std::uint32_t leaf : {1U, 2U, 3U})
    EXPECT_THAT(ports_to_hosts(after, tables.lfts, SwitchId(0), leaf), ElementsAre(6, 6, 6, 6));
}

TEST(MinhopTables, MoreThanSixtyFourCablesOfOneSwitch) {
  const fabric::Fabric fabric = test::build(test::clos(5, 2, 7, 20));
  EXPECT_EQ(fabric.node(SwitchId(5)).num_ports, 100);
  EXPECT_EQ(test::difference(fabric, routed(fabric).lfts, test::reference_minhop(fabric)), "");
}

TEST(MinhopTables, StepRoutesItsViewAlone) {
  test::Shape shape = test::clos(3, 2, 2);
  shape.lmc = 1;
  const fabric::Fabric fabric = test::build(shape);
  // Leaves 0 and 1 with their hosts, and spine 0.
  fabric::Scope scope{IdSet<PortId>(fabric.ports().size()), std::uint8_t{1}};
  for (std::uint32_t s : {0U, 1U, 3U})
    for (std::uint8_t p = 0; p <= fabric.node(SwitchId(s)).num_ports; ++p)
      scope.ports.insert(fabric.port_id(SwitchId(s), PortNum(p)));
  for (std::uint32_t s : {0U, 1U})
    for (const fabric::EndPort& host : fabric.end_ports_of(SwitchId(s))) scope.ports.insert(host.port);
  const fabric::SubFabric view(fabric, scope);
  const auto tables = route(view, {});
  ASSERT_TRUE(tables);
  ASSERT_EQ(tables->lfts.switch_count(), 3U);
  const IdSet<Lid> routed_lids = view.routed_lids();
  EXPECT_EQ(routed_lids.count(), 4U);
  for (std::uint32_t s = 0; s < 3; ++s)
    for (std::uint16_t lid = 0; lid <= fabric.max_lid().value; ++lid)
      EXPECT_EQ(tables->lfts.at(SwitchId(s), Lid(lid)) != kNoPath, routed_lids.contains(Lid(lid)));
  // The only way to the other leaf is the view's spine, by the cable on port 3.
  const Lid far_host(static_cast<std::uint16_t>(fabric.end_ports_of(SwitchId(1))[0].lid.value + 1));
  EXPECT_EQ(tables->lfts.at(SwitchId(0), far_host), 3);
}

}  // namespace
}  // namespace rch::engines::minhop
