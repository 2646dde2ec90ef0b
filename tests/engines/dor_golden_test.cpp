// Tables against those that OpenSM wrote for the golden fabrics.

#include <gtest/gtest.h>

#include "engines/dor/dor.h"
#include "support/golden_case.h"
#include "support/test_name.h"
#include "table_judge.h"

namespace rch::engines::dor {
namespace {

class DorGolden : public testing::TestWithParam<std::string> {};

TEST_P(DorGolden, TablesEqualOpenSm) {
  const fabric::Fabric fabric = test::golden_fabric(GetParam());
  const auto ours = route(fabric::SubFabric(fabric), {});
  ASSERT_TRUE(ours);
  EXPECT_EQ(test::difference(fabric, ours->lfts, test::opensm_lfts(test::golden_folder(GetParam()), fabric)),
            "");
}

INSTANTIATE_TEST_SUITE_P(Cases, DorGolden, testing::ValuesIn(test::golden_cases("dor")),
                         [](const auto& param) { return test::test_name(param.param); });

}  // namespace
}  // namespace rch::engines::dor
