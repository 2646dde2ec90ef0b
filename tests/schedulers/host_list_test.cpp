#include "schedulers/host_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace rch::schedulers {
namespace {

using testing::ElementsAre;

TEST(HostList, RangesShareBrackets) {
  EXPECT_EQ(folded({"host3", "host1", "host2", "host7"}), "host[1-3,7]");
  EXPECT_EQ(folded({"host008", "host009", "host010"}), "host[008-010]");
  EXPECT_EQ(folded({"host9", "host10", "host11"}), "host[9,10-11]");
  EXPECT_EQ(folded({"login", "host1"}), "host1,login");
  EXPECT_EQ(folded({"a", "a"}), "a");
  EXPECT_EQ(folded({}), "");
}

TEST(HostList, ListsAreTakenApart) {
  EXPECT_THAT(*unfolded("host[1-3,07],login"), ElementsAre("host1", "host2", "host3", "host07", "login"));
  EXPECT_THAT(*unfolded("r[1-2]n[01-02]-ib"), ElementsAre("r1n01-ib", "r1n02-ib", "r2n01-ib", "r2n02-ib"));
  EXPECT_THAT(*unfolded(""), ElementsAre());
}

TEST(HostList, FailsOnWhatIsNoList) {
  for (const char* wrong :
       {"host[1", "host[2-1]", "host[a]", "host[1-]", "host[1-99999999999]", "h[1-999999]x[1-9]"})
    EXPECT_FALSE(unfolded(wrong)) << wrong;
}

RC_GTEST_PROP(HostListProperty, WhatIsFoldedUnfoldsToTheSame, ()) {
  const auto numbers = *rc::gen::container<std::vector<unsigned>>(rc::gen::inRange(0U, 2000U));
  std::vector<std::string> names;
  for (const unsigned number : numbers)
    names.push_back((number % 3 == 0 ? "a" : "b1-") + std::string(number % 2, '0') + std::to_string(number));
  auto back = unfolded(folded(names)).value();
  std::ranges::sort(back);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  RC_ASSERT(back == names);
}

}  // namespace
}  // namespace rch::schedulers
