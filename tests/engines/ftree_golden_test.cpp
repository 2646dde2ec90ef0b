// Compat tables and order of hosts against those that OpenSM wrote for the golden trees.

#include <sstream>

#include <gtest/gtest.h>

#include "engines/ftree/ftree.h"
#include "support/golden_case.h"
#include "support/test_name.h"

namespace rch::engines::ftree {
namespace {

class FtreeGolden : public testing::TestWithParam<std::string> {};

TEST_P(FtreeGolden, CompatEqualsOpenSm) {
  const fabric::Fabric fabric = test::golden_fabric(GetParam());
  const auto ours = route(fabric::SubFabric(fabric), {.compat = true});
  ASSERT_TRUE(ours) << ours.error().message;
  EXPECT_EQ(test::difference(fabric, ours->lfts, test::opensm_lfts(test::golden_folder(GetParam()), fabric)),
            "");
}

TEST_P(FtreeGolden, HostOrderEqualsOpenSms) {
  const fabric::Fabric fabric = test::golden_fabric(GetParam());
  const auto ours = route(fabric::SubFabric(fabric), {});
  ASSERT_TRUE(ours) << ours.error().message;
  std::string lines;
  for (PortId port : ours->host_order)
    lines += fmt::format("0x{:04x}\t{}\n", fabric.port(port).lid.value,
                         fabric.node(fabric.port(port).node).description);
  EXPECT_EQ(lines, test::golden_text("cases/" + GetParam() + "/opensm-ftree-ca-order.dump"));
}

INSTANTIATE_TEST_SUITE_P(Cases, FtreeGolden, testing::ValuesIn(test::golden_cases("ftree")),
                         [](const auto& param) { return test::test_name(param.param); });

}  // namespace
}  // namespace rch::engines::ftree
