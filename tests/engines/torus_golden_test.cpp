// Forwarding tables, path SLs and SL2VL maps against those that OpenSM made for the golden fabrics.

#include <gtest/gtest.h>

#include <map>

#include "engines/torus_2qos/torus_2qos.h"
#include "support/golden_case.h"
#include "support/test_name.h"
#include "torus_walk.h"

namespace rch::engines::torus_2qos {
namespace {

Guid golden_guid(std::uint64_t position) { return Guid(0x0002c90200400000 + 8 * position); }

/// The seed of a golden torus-2QoS.conf: the switch at the origin, with its links in + direction (both for
/// radix 4).
Options golden_options(const std::string& fabric_name) {
  const std::map<std::string, std::array<std::uint32_t, 3>> radices{
      {"torus2d-6x5", {6, 5, 1}},
      {"torus2d-6x5-badlink", {6, 5, 1}},
      {"torus2d-6x5-badswitch", {6, 5, 1}},
      {"torus2d-5x5-par3", {5, 5, 1}},
      {"torus3d-4x4x4", {4, 4, 4}},
      {"torus3d-5x5x5-h2", {5, 5, 5}},
      {"mesh2d-6x6", {6, 6, 1}},
  };
  Options options;
  options.radix = radices.at(fabric_name);
  const bool mesh = fabric_name.starts_with("mesh");
  options.wraps = {!mesh, !mesh, !mesh};
  const std::array<std::uint64_t, 3> stride{std::uint64_t{options.radix[1]} * options.radix[2],
                                            options.radix[2], 1};
  Seed seed;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint64_t n = options.radix[d];
    if (n > 1) seed.plus[d] = {golden_guid(0), golden_guid(stride[d])};
    if (n == 4) seed.minus[d] = {golden_guid(0), golden_guid((n - 1) * stride[d])};
  }
  options.seeds = {seed};
  return options;
}

struct Golden {
  explicit Golden(const std::string& case_name)
      : name(case_name.substr(0, case_name.find('/'))),
        folder(test::golden_folder(case_name)),
        fabric(test::golden_fabric(case_name)),
        tables(route(fabric::SubFabric(fabric), golden_options(name))) {}

  std::string name;
  std::string folder;
  fabric::Fabric fabric;
  EngineResult tables;
};

SwitchId switch_of(const fabric::Fabric& fabric, Lid lid) {
  const PortId owner = *fabric.lid_owner(lid);
  const fabric::Port& port = fabric.port(owner);
  return fabric.is_switch(port.node) ? SwitchId(port.node.value)
                                     : SwitchId(fabric.port(port.peer).node.value);
}

class TorusGolden : public testing::TestWithParam<std::string> {};

TEST_P(TorusGolden, ForwardingEqualsOpenSm) {
  Golden golden(GetParam());
  ASSERT_TRUE(golden.tables) << golden.tables.error().message;
  const auto theirs = test::opensm_lfts(golden.folder, golden.fabric);
  if (golden.name != "torus2d-5x5-par3") {
    EXPECT_EQ(test::difference(golden.fabric, golden.tables->lfts, theirs), "");
    return;
  }
  // Among parallel cables rch chooses by another rule (docs/torus.md): same neighbour, other cable.
  for (std::uint32_t s = 0; s < golden.fabric.switch_count(); ++s)
    for (std::uint32_t lid = 1; lid <= golden.fabric.max_lid().value; ++lid) {
      const SwitchId sw(s);
      const PortNum ours(golden.tables->lfts.at(sw, Lid(static_cast<std::uint16_t>(lid))));
      const PortNum other(theirs.at(sw, Lid(static_cast<std::uint16_t>(lid))));
      const SwitchId next = test::far_switch(golden.fabric, sw, ours);
      ASSERT_EQ(next, test::far_switch(golden.fabric, sw, other));
      if (next.is_none()) {
        ASSERT_EQ(ours, other);
      }
    }
}

TEST_P(TorusGolden, PathSlsEqualOpenSm) {
  Golden golden(GetParam());
  ASSERT_TRUE(golden.tables);
  // In open dimensions OpenSM sets bits for datelines that do not exist (torus-2QoS(8)).
  const bool open = golden.name.starts_with("mesh");
  const auto rows = test::opensm_path_sls(golden.folder);
  ASSERT_FALSE(rows.empty());
  for (const test::PathSlRow& row : rows)
    ASSERT_EQ(
        golden.tables->sl.sl(switch_of(golden.fabric, row.source), switch_of(golden.fabric, row.destination)),
        open ? 0 : row.sl)
        << fmt::format("{} to {}", row.source, row.destination);
}

TEST_P(TorusGolden, Sl2VlMapsEqualOpenSm) {
  Golden golden(GetParam());
  ASSERT_TRUE(golden.tables);
  const auto rows = test::opensm_sl2vl(golden.folder, golden.fabric);
  ASSERT_FALSE(rows.empty());
  for (const test::Sl2VlRow& row : rows) {
    const auto sw = golden.fabric.switch_id(golden.fabric.port(row.port).node);
    EXPECT_EQ(sw ? golden.tables->sl2vl.at(*sw, row.in, row.out) : golden.tables->sl2vl.end_port(), row.map)
        << fmt::format("{} in {} out {}", golden.fabric.node(golden.fabric.port(row.port).node).description,
                       row.in, row.out);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, TorusGolden, testing::ValuesIn(test::golden_cases("torus-2QoS")),
                         [](const auto& param) { return test::test_name(param.param); });

}  // namespace
}  // namespace rch::engines::torus_2qos
