// Tables and hop matrices against those that OpenSM wrote for the golden fabrics.

#include <gtest/gtest.h>

#include "engines/minhop/minhop.h"
#include "reference_minhop.h"
#include "support/golden_case.h"
#include "support/test_name.h"

namespace rch::engines::minhop {
namespace {

class MinhopGolden : public testing::TestWithParam<std::string> {};

TEST_P(MinhopGolden, TablesEqualOpenSm) {
  const fabric::Fabric fabric = test::golden_fabric(GetParam());
  const auto ours = route(fabric::SubFabric(fabric), {});
  ASSERT_TRUE(ours);
  const auto theirs = test::opensm_lfts(test::golden_folder(GetParam()), fabric);
  EXPECT_EQ(test::difference(fabric, ours->lfts, theirs), "");
}

/// Rows for switch LIDs only, as bytes: least hops, then hops by each port (OpenSM's osm_dump.c).
test::LidMatrix per_port_rows(const fabric::Fabric& fabric, const HopMatrix& hops) {
  test::LidMatrix rows;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    for (std::uint32_t d = 0; d < fabric.switch_count(); ++d) {
      const SwitchId sw(s), to(d);
      if (hops.at(sw, to) == HopMatrix::kUnknown) continue;
      auto& row = rows[{sw, fabric.port(fabric.port_id(to, PortNum(0))).lid}];
      row.push_back(hops.at(sw, to));
      for (std::uint32_t p = 1; p <= fabric.node(sw).num_ports; ++p)
        row.push_back(test::hops_by_port(fabric, hops, sw, to, PortNum(static_cast<std::uint8_t>(p))));
    }
  return rows;
}

TEST_P(MinhopGolden, HopsEqualOpenSm) {
  const fabric::Fabric fabric = test::golden_fabric(GetParam());
  const auto ours = route(fabric::SubFabric(fabric), {});
  ASSERT_TRUE(ours && ours->hops);
  EXPECT_EQ(per_port_rows(fabric, *ours->hops),
            test::opensm_lid_matrix(test::golden_folder(GetParam()), fabric));
}

INSTANTIATE_TEST_SUITE_P(Cases, MinhopGolden, testing::ValuesIn(test::golden_cases("minhop")),
                         [](const auto& param) { return test::test_name(param.param); });

}  // namespace
}  // namespace rch::engines::minhop
