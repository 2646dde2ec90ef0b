// What is accepted and what is refused when switches are missing: by the graph of dependencies, not by where
// they are (docs/torus.md, Which damage is accepted). Judged by a reference that follows the rule pair by
// pair.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

#include "fabric/sub_fabric.h"
#include "support/property.h"
#include "torus_reference.h"
#include "torus_walk.h"

namespace rch::engines::torus_2qos {
namespace {

using test::At;
using test::Grid;

EngineResult route_grid(const Grid& grid, std::uint8_t max_op_vls = 5) {
  auto options = grid.options();
  options.max_op_vls = max_op_vls;
  return route(fabric::SubFabric(grid.fabric()), options);
}

/// Empty when the engine accepts exactly what the rule carries; rules before the proof do not count.
std::string disagreement(const Grid& grid, std::uint8_t max_op_vls, std::map<std::string, int>& seen) {
  const auto tables = route_grid(grid, max_op_vls);
  const std::string rule = tables ? "routed" : tables.error().rule;
  if (rule == "switch-unplaced" || rule == "radix-mismatch" || rule.starts_with("seed-")) return "";
  ++seen[rule];
  const bool turn_vl = max_op_vls > 2;
  const test::RuleOutcome outcome = test::follow_rule(grid, turn_vl);
  const std::string expected = outcome.unroutable > 0 ? "unroutable"
                               : !outcome.credit_loop ? "routed"
                               : turn_vl
                                   ? "credit-loop"
                                   : (test::follow_rule(grid).credit_loop ? "credit-loop" : "too-few-vls");
  // A ring in two pieces is the commonest reason for pairs without a way.
  return rule == expected || (rule == "ring-disjoint" && expected == "unroutable")
             ? ""
             : rule + ", not " + expected;
}

/// Any torus or mesh of at most 60 switches without up to 5 of them, near to each other by preference, and up
/// to 2 links.
test::GridSpec any_damaged() {
  test::GridSpec spec;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint32_t room = 60 / (spec.radix[0] * spec.radix[1] * spec.radix[2]);
    spec.radix[d] = *rc::gen::inRange<std::uint32_t>(1, std::min(room, 7U) + 1);
    spec.wraps[d] = *rc::gen::element(true, true, false);
  }
  const Grid pristine(spec);
  At at = pristine.at(*rc::gen::inRange<std::size_t>(0, pristine.positions()));
  for (int i = *rc::gen::inRange(1, 6); i > 0; --i) {
    if (std::find(spec.missing.begin(), spec.missing.end(), at) == spec.missing.end())
      spec.missing.push_back(at);
    if (*rc::gen::inRange(0, 4) == 0)
      at = pristine.at(*rc::gen::inRange<std::size_t>(0, pristine.positions()));
    pristine.step(at, *rc::gen::inRange<std::size_t>(0, 3), 1);
  }
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
    const At from = pristine.at(*rc::gen::inRange<std::size_t>(0, pristine.positions()));
    At to = from;
    if (pristine.step(to, *rc::gen::inRange<std::size_t>(0, 3), 1)) spec.cut.emplace_back(from, to);
  }
  return spec;
}

TEST(TorusProof, AcceptsExactlyWhatTheRuleCarries) {
  std::map<std::string, int> seen;
  EXPECT_TRUE(test::check([&] {
    const Grid grid(any_damaged());
    if (grid.fabric().switch_count() == 0) return;
    RC_ASSERT(disagreement(grid, *rc::gen::element<std::uint8_t>(5, 5, 2), seen) == "");
  }));
  EXPECT_GT(seen["routed"], 10);
}

/// Every pair of missing switches of some fabrics.
TEST(TorusProof, JudgesEveryPairOfMissingSwitches) {
  std::map<std::string, int> seen;
  for (const char* radices : {"6 5 1", "5m 5 1", "3 4 3"}) {
    const Grid pristine(test::grid_spec(radices));
    for (std::size_t a = 0; a < pristine.positions(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        auto spec = pristine.spec();
        spec.missing = {pristine.at(a), pristine.at(b)};
        const Grid grid(spec);
        ASSERT_EQ(disagreement(grid, 5, seen), "")
            << radices << " without " << test::digits_of(pristine.at(a)) << " "
            << test::digits_of(pristine.at(b));
      }
  }
  EXPECT_GT(seen["routed"], 100);
  EXPECT_GT(seen["credit-loop"], 30);
  EXPECT_GT(seen["unroutable"], 100);
}

struct Apart {
  const char* radices;
  At first;
  std::uint32_t dx, dy, dz;  ///< distances that are always routed, along the rings
};

/// Distance of two coordinates on a ring of n.
std::uint32_t distance(std::uint32_t a, std::uint32_t b, std::uint32_t n) {
  const std::uint32_t direct = a < b ? b - a : a - b;
  return std::min(direct, n - direct);
}

// Far enough apart in every dimension, two missing switches never disturb each
// other, whatever OpenSM says.
TEST(TorusProof, TwoSwitchesFarApartMayBeMissing) {
  for (const Apart& apart : {Apart{"7 7 1", {0, 3, 0}, 2, 1, 0},
                             {"7 7 1", {3, 0, 0}, 2, 1, 0},
                             {"6 6 1", {2, 2, 0}, 2, 1, 0},
                             {"5 5 5", {2, 2, 2}, 1, 1, 1},
                             {"5 5 5", {0, 4, 1}, 1, 1, 1}}) {
    const Grid pristine(test::grid_spec(apart.radices));
    const At& radix = pristine.spec().radix;
    int tried = 0;
    for (std::size_t p = 0; p < pristine.positions(); ++p) {
      const At second = pristine.at(p);
      if (distance(apart.first[0], second[0], radix[0]) < apart.dx ||
          distance(apart.first[1], second[1], radix[1]) < apart.dy ||
          distance(apart.first[2], second[2], radix[2]) < apart.dz)
        continue;
      auto spec = pristine.spec();
      spec.missing = {apart.first, second};
      const auto tables = route_grid(Grid(spec));
      ASSERT_TRUE(tables) << apart.radices << " " << test::digits_of(second) << ": "
                          << tables.error().message;
      ++tried;
    }
    EXPECT_GT(tried, 10) << apart.radices;
  }
}

// Cutting off a corner of a mesh needs no VLs of its own for the turn: 2 data VLs do.
TEST(TorusProof, FewVlsAreRefusedOnlyWhereTheyAreTooFew) {
  auto spec = test::grid_spec("5m 5m 1");
  spec.missing = {{0, 0, 0}};
  const auto corner = route_grid(Grid(spec), 2);
  EXPECT_TRUE(corner) << corner.error().message;
  spec = test::grid_spec("6 5 1");
  spec.missing = {{3, 1, 0}};
  const auto inner = route_grid(Grid(spec), 2);
  ASSERT_FALSE(inner);
  EXPECT_EQ(inner.error().rule, "too-few-vls");
  EXPECT_EQ(inner.error().message,
            "port 2 of `sw_0_0_0` (0x0000000000100000) can use 2 data VLs and `max_op_vls` is 2; links "
            "between switches need 4 to route around these missing switches");
}

}  // namespace
}  // namespace rch::engines::torus_2qos
