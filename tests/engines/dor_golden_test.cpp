// Tables against those that OpenSM wrote for the golden fabrics.

#include <gtest/gtest.h>

#include "engines/dor/dor.h"
#include "support/golden_case.h"
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
                         [](const auto& param) {
                           std::string name = param.param;
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

}  // namespace
}  // namespace rch::engines::dor
