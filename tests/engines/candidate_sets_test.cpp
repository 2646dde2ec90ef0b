// Sets of candidates against their definition, on random hops.

#include <algorithm>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "engines/common/port_selection/candidate_sets.h"
#include "engines/engine.h"
#include "support/property.h"

namespace rch::engines::common {
namespace {

using Row = std::vector<std::uint8_t>;

/// Few different values, so that many neighbors are nearer; and those at the ends of the range.
Row any_hops(std::size_t destinations) {
  return *rc::gen::container<Row>(
      destinations, rc::gen::element<std::uint8_t>(0, 1, 2, 3, 4, 253, 254, HopMatrix::kUnknown));
}

bool is_nearer(std::uint8_t own, std::uint8_t neighbor, std::uint8_t weight) {
  return own != HopMatrix::kUnknown && neighbor != HopMatrix::kUnknown &&
         int{own} == int{neighbor} + int{weight};
}

/// Several rows of one candidate add up, as those of updn do.
struct Riddle {
  std::size_t destinations = *rc::gen::inRange<std::size_t>(1, 90);
  std::size_t candidates = *rc::gen::inRange<std::size_t>(1, 140);
  std::vector<Row> hops;
  std::vector<HopRows> rows;

  Riddle() {
    for (std::size_t i = 0; i < 12; ++i) hops.push_back(any_hops(destinations));
    const auto count = *rc::gen::inRange<std::size_t>(0, 2 * candidates);
    for (std::size_t i = 0; i < count; ++i) {
      const auto candidate = *rc::gen::inRange<std::size_t>(0, candidates);
      const auto neighbor = *rc::gen::inRange<std::size_t>(0, hops.size());
      const auto weight = *rc::gen::element<std::uint8_t>(1, 1, 1, 2, 255);
      rows.push_back({candidate, hops[candidate % 3].data(), hops[neighbor].data(), weight});
    }
  }

  CandidateSets sets() const {
    CandidateSets sets(destinations);
    sets.clear(candidates);
    sets.add_where_nearer(rows);
    return sets;
  }

  bool is_candidate(std::size_t destination, std::size_t candidate) const {
    return std::ranges::any_of(rows, [&](const HopRows& row) {
      return row.candidate == candidate &&
             is_nearer(row.own[destination], row.neighbor[destination], row.weight);
    });
  }
};

TEST(CandidateSets, HaveTheCandidatesThatAreNearer) {
  EXPECT_TRUE(test::check([] {
    const Riddle riddle;
    CandidateSets sets = riddle.sets();
    for (std::size_t d = 0; d < riddle.destinations; ++d)
      for (std::size_t c = 0; c < riddle.candidates; ++c) {
        RC_ASSERT(sets.contains(d, c) == riddle.is_candidate(d, c));
        RC_ASSERT(sets.at<4>(d).contains(c) == sets.contains(d, c));
      }
  }));
}

TEST(CandidateSets, OfFewDestinationsAreThoseOfAll) {
  EXPECT_TRUE(test::check([] {
    const Riddle riddle;
    std::vector<SwitchId> only;
    for (std::uint32_t d = 0; d < riddle.destinations; ++d)
      if (*rc::gen::arbitrary<bool>()) only.push_back(SwitchId(d));
    RC_PRE(!only.empty());
    CandidateSets sets(riddle.destinations);
    sets.clear(riddle.candidates);
    for (const SwitchId d : only) sets.add(d.index(), 0);  // what clear() has to take away
    sets.clear(riddle.candidates, only);
    sets.add_where_nearer(riddle.rows);
    for (const SwitchId d : only)
      for (std::size_t c = 0; c < riddle.candidates; ++c)
        RC_ASSERT(sets.contains(d.index(), c) == riddle.is_candidate(d.index(), c));
  }));
}

TEST(CandidateSets, MarkDestinationsWhoseSetsDiffer) {
  EXPECT_TRUE(test::check([] {
    const Riddle riddle;
    CandidateSets sets = riddle.sets();
    std::vector<std::uint8_t> changes(riddle.destinations);
    sets.mark_changes(changes);
    RC_ASSERT(changes[0] == 0);
    for (std::size_t d = 1; d < riddle.destinations; ++d)
      RC_ASSERT((changes[d] != 0) == (sets.at<4>(d) != sets.at<4>(d - 1)));
  }));
}

TEST(CandidateSets, KeepTheFirstNeighborAlone) {
  EXPECT_TRUE(test::check([] {
    const Riddle riddle;
    CandidateSets sets = riddle.sets();
    const auto neighbors = *rc::gen::container<Row>(riddle.candidates, rc::gen::inRange<std::uint8_t>(0, 5));
    const CandidateSets all = sets;
    sets.keep_first_neighbor(neighbors);
    for (std::size_t d = 0; d < riddle.destinations; ++d) {
      const CandidateSet<4> candidates = all.at<4>(d);
      for (std::size_t c = 0; c < riddle.candidates; ++c)
        RC_ASSERT(sets.contains(d, c) ==
                  (candidates.contains(c) && neighbors[c] == neighbors[candidates.first()]));
    }
  }));
}

}  // namespace
}  // namespace rch::engines::common
