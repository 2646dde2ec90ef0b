#include "base/bitset.h"

#include <gtest/gtest.h>

#include <set>

#include <rapidcheck.h>

namespace rch {
namespace {

TEST(IdSet, FullSetHasExactlyItsUniverse) {
  for (std::size_t universe : {1U, 63U, 64U, 65U, 200U}) {
    const IdSet<Lid> set(universe, true);
    EXPECT_EQ(set.count(), universe);
    EXPECT_FALSE(set.contains(Lid(static_cast<std::uint16_t>(universe))));
  }
}

TEST(IdSet, BehavesLikeASortedSet) {
  EXPECT_TRUE(rc::check([](const std::set<std::uint16_t>& left, const std::set<std::uint16_t>& right) {
    IdSet<Lid> a(65536), b(65536);
    for (auto v : left) a.insert(Lid(v));
    for (auto v : right) b.insert(Lid(v));
    b -= a;
    std::vector<std::uint16_t> seen, expected;
    b.for_each([&](Lid lid) { seen.push_back(lid.value); });
    for (auto v : right)
      if (!left.contains(v)) expected.push_back(v);
    RC_ASSERT(seen == expected);
    a |= b;
    RC_ASSERT(a.count() == left.size() + expected.size());
  }));
}

}  // namespace
}  // namespace rch
