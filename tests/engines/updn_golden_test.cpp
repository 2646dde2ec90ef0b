// Compat tables and least hops against those that OpenSM wrote for the golden fabrics.

#include <fstream>

#include <gtest/gtest.h>

#include "engines/updn/updn.h"
#include "support/golden_case.h"
#include "support/test_name.h"
#include "table_judge.h"

namespace rch::engines::updn {
namespace {

/// Roots that OpenSM was given for the fabric; none: it looked for them.
std::vector<Root> golden_roots(const std::string& case_name) {
  std::ifstream file(RCH_GOLDEN "/conf/" + case_name.substr(0, case_name.find('/')) + ".roots");
  std::vector<Root> roots;
  for (std::string line; std::getline(file, line);) roots.push_back({Guid(std::stoull(line, nullptr, 0))});
  return roots;
}

class UpdnGolden : public testing::TestWithParam<std::string> {};

TEST_P(UpdnGolden, CompatEqualsOpenSm) {
  const fabric::Fabric fabric = test::golden_fabric(GetParam());
  const std::string folder = test::golden_folder(GetParam());
  const auto ours =
      route(fabric::SubFabric(fabric), {.roots = golden_roots(GetParam()), .ports = {.compat = true}});
  ASSERT_TRUE(ours) << ours.error().message;
  EXPECT_EQ(test::difference(fabric, ours->lfts, test::opensm_lfts(folder, fabric)), "");
  const test::LidMatrix theirs = test::opensm_lid_matrix(folder, fabric);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    for (std::uint32_t d = 0; d < fabric.switch_count(); ++d) {
      const auto row = theirs.find({SwitchId(s), test::switch_lid(fabric, d)});
      EXPECT_EQ(ours->hops->at(SwitchId(s), SwitchId(d)),
                row == theirs.end() ? HopMatrix::kUnknown : row->second.front());
    }
}

TEST_P(UpdnGolden, DefaultHasNoCreditLoop) {
  const fabric::Fabric fabric = test::golden_fabric(GetParam());
  const auto ours = route(fabric::SubFabric(fabric), {.roots = golden_roots(GetParam())});
  ASSERT_TRUE(ours) << ours.error().message;
  EXPECT_EQ(test::credit_cycle(fabric, ours->lfts), "");
}

INSTANTIATE_TEST_SUITE_P(Cases, UpdnGolden, testing::ValuesIn(test::golden_cases("updn")),
                         [](const auto& param) { return test::test_name(param.param); });

/// Ranked trees: every link joins neighboring ranks, and strict routes are OpenSM's.
TEST(UpdnGoldenTrees, DefaultEqualsOpenSm) {
  for (const char* name : {"clos-6x4-par2/updn", "clos-6x4-par2/updn.lmc1", "ftree3-k4/updn"}) {
    const fabric::Fabric fabric = test::golden_fabric(name);
    const auto ours = route(fabric::SubFabric(fabric), {});
    ASSERT_TRUE(ours) << ours.error().message;
    EXPECT_EQ(test::difference(fabric, ours->lfts, test::opensm_lfts(test::golden_folder(name), fabric)), "")
        << name;
  }
}

/// OpenSM found no roots here and fell back to minhop.
TEST(UpdnGoldenRefusals, NoRoots) {
  for (const char* name :
       {"ibsim-net.2sw2path/updn", "ibsim-net.2sw2path4hca/updn", "ibsim-net.2sw2path4hca2port/updn"}) {
    const fabric::Fabric fabric = test::golden_fabric(name);
    const auto ours = route(fabric::SubFabric(fabric), {.ports = {.compat = true}});
    ASSERT_FALSE(ours) << name;
    EXPECT_EQ(ours.error().rule, "no-roots");
  }
}

}  // namespace
}  // namespace rch::engines::updn
