#include "base/bitset.h"

#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/sparse_set.h"

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

TEST(SparseSet, BehavesLikeADenseSet) {
  EXPECT_TRUE(rc::check([](const std::vector<std::uint16_t>& left, const std::vector<std::uint16_t>& right) {
    SparseSet<Lid> a, b;
    IdSet<Lid> dense_a(65536), dense_b(65536);
    for (auto v : left) a.insert(Lid(v)), dense_a.insert(Lid(v));
    for (auto v : right) b.insert(Lid(v)), dense_b.insert(Lid(v));
    RC_ASSERT(a.dense(65536) == dense_a);
    for (auto v : right) RC_ASSERT(a.contains(Lid(v)) == dense_a.contains(Lid(v)));

    auto both = a, shared = a, rest = a;
    RC_ASSERT((both |= b).dense(65536) == (IdSet<Lid>(dense_a) |= dense_b));
    RC_ASSERT((shared &= b).dense(65536) == (IdSet<Lid>(dense_a) &= dense_b));
    RC_ASSERT((rest -= b).dense(65536) == (IdSet<Lid>(dense_a) -= dense_b));
    RC_ASSERT(rest.count() + shared.count() == a.count());
    RC_ASSERT(rest.empty() == (rest.count() == 0));

    std::vector<Lid> seen;
    both.for_each([&](Lid lid) { seen.push_back(lid); });
    RC_ASSERT(std::is_sorted(seen.begin(), seen.end()));
    RC_ASSERT(seen.size() == both.count());
  }));
}

}  // namespace
}  // namespace rch
