// Properties that hold for every torus and mesh, on random ones: any size, looping, cabling, port layout and
// seed.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include <tbb/global_control.h>

#include "fabric/sub_fabric.h"
#include "support/property.h"
#include "torus_walk.h"

namespace rch::engines::torus_2qos {
namespace {

using test::At;
using test::Grid;

/// Random radices with at most `most` positions.
test::GridSpec any_spec(std::uint32_t most) {
  test::GridSpec spec;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint32_t room = most / (spec.radix[0] * spec.radix[1] * spec.radix[2]);
    spec.radix[d] = *rc::gen::inRange<std::uint32_t>(1, std::min(room, 8U) + 1);
    spec.wraps[d] = *rc::gen::arbitrary<bool>();
  }
  spec.cables = *rc::gen::element(1U, 1U, 2U, 3U);
  spec.hosts = *rc::gen::inRange<std::uint32_t>(0, 4);
  spec.lmc = *rc::gen::element<std::uint8_t>(0, 0, 1);
  spec.shuffle = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
  return spec;
}

At any_position(const Grid& grid) { return grid.at(*rc::gen::inRange<std::size_t>(0, grid.positions())); }

StepTables routed(const Grid& grid, const Options& options) {
  auto tables = route(fabric::SubFabric(grid.fabric()), options);
  if (!tables) RC_FAIL(tables.error().message);
  return std::move(*tables);
}

/// Hops of a minimal path, by coordinates alone.
std::size_t distance(const Grid& grid, const At& a, const At& b) {
  std::size_t hops = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint32_t direct = a[d] < b[d] ? b[d] - a[d] : a[d] - b[d];
    hops += grid.looped(d) ? std::min(direct, grid.spec().radix[d] - direct) : direct;
  }
  return hops;
}

TEST(TorusProperties, PristinePathsAreMinimalAndInOrder) {
  EXPECT_TRUE(test::check([] {
    const Grid grid(any_spec(150));
    const StepTables tables = routed(grid, grid.options({any_position(grid)}));
    for (const fabric::EndPort& from : grid.fabric().end_ports())
      for (const fabric::EndPort& to : grid.fabric().end_ports()) {
        const auto path =
            test::walk(grid.fabric(), tables, from.sw, from.attach, to.lid, tables.sl.sl(from.sw, to.sw));
        RC_ASSERT(path.arrived);
        RC_ASSERT(path.hops.size() == distance(grid, grid.at(from.sw), grid.at(to.sw)));
        std::size_t last = 0;
        for (const test::WalkHop& hop : path.hops) {
          const At& a = grid.at(hop.sw);
          const At& b = grid.at(test::far_switch(grid.fabric(), hop.sw, hop.out));
          std::size_t d = 0;
          while (a[d] == b[d]) ++d;
          RC_ASSERT(d >= last);
          RC_ASSERT(hop.vl < 2);
          last = d;
        }
      }
  }));
}

TEST(TorusProperties, PristineTablesHaveNoCreditLoop) {
  EXPECT_TRUE(test::check([] {
    const Grid grid(any_spec(80));
    const StepTables tables = routed(grid, grid.options({any_position(grid)}));
    RC_ASSERT(test::unreachable_pair(grid.fabric(), tables) == "");
    RC_ASSERT(test::credit_loop(grid.fabric(), tables) == "");
  }));
}

TEST(TorusProperties, ResultDependsNeitherOnSeedNorThreads) {
  EXPECT_TRUE(test::check([] {
    const Grid grid(any_spec(200));
    const StepTables one = [&] {
      const tbb::global_control single(tbb::global_control::max_allowed_parallelism, 1);
      return routed(grid, grid.options({any_position(grid)}));
    }();
    const StepTables other = routed(grid, grid.options({any_position(grid), any_position(grid)}));
    RC_ASSERT(one.lfts == other.lfts);
    for (std::uint32_t a = 0; a < grid.fabric().switch_count(); ++a)
      for (std::uint32_t b = 0; b < grid.fabric().switch_count(); ++b)
        RC_ASSERT(one.sl.sl(SwitchId(a), SwitchId(b)) == other.sl.sl(SwitchId(a), SwitchId(b)));
  }));
}

TEST(TorusProperties, ServiceLevelsAreSymmetric) {
  EXPECT_TRUE(test::check([] {
    const Grid grid(any_spec(100));
    const StepTables tables = routed(grid, grid.options({any_position(grid)}));
    for (std::uint32_t a = 0; a < grid.fabric().switch_count(); ++a)
      for (std::uint32_t b = 0; b < a; ++b)
        RC_ASSERT(tables.sl.sl(SwitchId(a), SwitchId(b)) == tables.sl.sl(SwitchId(b), SwitchId(a)));
  }));
}

/// Up to `links` cut links, and with luck one missing switch or several in a row of the last dimension.
test::GridSpec any_damage(test::GridSpec spec, std::size_t links) {
  const Grid pristine(spec);
  if (*rc::gen::arbitrary<bool>()) {
    std::size_t last = 2;
    while (last > 0 && spec.radix[last] == 1) --last;
    At at = any_position(pristine);
    for (std::size_t i = *rc::gen::element<std::size_t>(1, 1, 1, 2, 3); i > 0; --i) {
      if (std::find(spec.missing.begin(), spec.missing.end(), at) == spec.missing.end())
        spec.missing.push_back(at);
      if (!pristine.step(at, last, 1)) break;
    }
  }
  for (std::size_t i = *rc::gen::inRange<std::size_t>(0, links + 1); i > 0; --i) {
    const At from = any_position(pristine);
    At to = from;
    if (pristine.step(to, *rc::gen::inRange<std::size_t>(0, 3), 1)) spec.cut.emplace_back(from, to);
  }
  return spec;
}

// A damaged fabric is either refused, or routed whole: nobody is cut off, no credit loop, and service levels
// stay.
TEST(TorusProperties, DamagedFabricsAreRoutedWholeOrRefused) {
  int accepted = 0;
  EXPECT_TRUE(test::check([&] {
    const auto spec = any_spec(80);
    const Grid pristine(spec);
    const Grid grid(any_damage(spec, 3));
    if (grid.fabric().switch_count() == 0) return;
    const auto tables = route(fabric::SubFabric(grid.fabric()), grid.options());
    if (!tables) return;
    ++accepted;
    RC_ASSERT(test::unreachable_pair(grid.fabric(), *tables) == "");
    RC_ASSERT(test::credit_loop(grid.fabric(), *tables) == "");
    const StepTables before = routed(pristine, pristine.options());
    for (std::uint32_t a = 0; a < grid.fabric().switch_count(); ++a)
      for (std::uint32_t b = 0; b < grid.fabric().switch_count(); ++b)
        RC_ASSERT(tables->sl.sl(SwitchId(a), SwitchId(b)) ==
                  before.sl.sl(pristine.sw(grid.at(SwitchId(a))), pristine.sw(grid.at(SwitchId(b)))));
  }));
  EXPECT_GT(accepted, 20);
}

/// Every fabric that differs from the pristine one by a missing switch, or by all cables between two
/// neighbours.
std::vector<test::GridSpec> single_failures(const Grid& pristine) {
  std::vector<test::GridSpec> found;
  for (std::size_t p = 0; p < pristine.positions(); ++p) {
    const At at = pristine.at(p);
    found.push_back(pristine.spec());
    found.back().missing = {at};
    for (std::size_t d = 0; d < 3; ++d)
      if (At to = at; pristine.step(to, d, 1)) {
        found.push_back(pristine.spec());
        found.back().cut = {{at, to}};
      }
  }
  return found;
}

/// Empty if all pairs of switches that are left have the service level they have without damage.
std::string changed_level(const Grid& grid, const StepTables& tables, const Grid& pristine,
                          const StepTables& before) {
  for (std::uint32_t a = 0; a < grid.fabric().switch_count(); ++a)
    for (std::uint32_t b = 0; b < grid.fabric().switch_count(); ++b) {
      const At &from = grid.at(SwitchId(a)), &to = grid.at(SwitchId(b));
      if (tables.sl.sl(SwitchId(a), SwitchId(b)) != before.sl.sl(pristine.sw(from), pristine.sw(to)))
        return test::digits_of(from) + " to " + test::digits_of(to);
    }
  return "";
}

// Any single failure, seen from any seed: a path keeps its service level as long as it can be routed at all.
TEST(TorusProperties, NoSingleFailureAndNoSeedChangesAServiceLevel) {
  for (const char* radices : {"6 5 1", "4 3 3", "2 3 4", "5m 4 1", "1 1 7"}) {
    const Grid pristine(test::grid_spec(radices));
    const StepTables before = *route(fabric::SubFabric(pristine.fabric()), pristine.options());
    std::size_t routed = 0;
    for (const test::GridSpec& spec : single_failures(pristine)) {
      const Grid grid(spec);
      for (std::size_t p = 0; p < grid.positions(); ++p) {
        const auto tables = route(fabric::SubFabric(grid.fabric()), grid.options({grid.at(p)}));
        if (!tables) continue;  // the seed itself is damaged, or an open row is in two pieces
        ++routed;
        ASSERT_EQ(changed_level(grid, *tables, pristine, before), "")
            << radices << ", seed at " << test::digits_of(grid.at(p));
      }
    }
    EXPECT_GT(routed, pristine.positions()) << radices;
  }
}

// Section 9, last line: every single missing switch.
TEST(TorusProperties, AnySwitchMayBeMissing) {
  for (const char* radices : {"6 5 1", "6 6 1", "4 4 1", "3 3 3", "4 3 3", "2 2 1", "5 2 1", "1 1 7"}) {
    const Grid pristine(test::grid_spec(radices));
    for (std::size_t p = 0; p < pristine.positions(); ++p) {
      auto spec = pristine.spec();
      spec.missing = {pristine.at(p)};
      const Grid grid(spec);
      const auto tables = route(fabric::SubFabric(grid.fabric()), grid.options());
      ASSERT_TRUE(tables) << radices << " without " << p << ": " << tables.error().message;
      EXPECT_EQ(test::unreachable_pair(grid.fabric(), *tables), "") << radices << " without " << p;
      EXPECT_EQ(test::credit_loop(grid.fabric(), *tables), "") << radices << " without " << p;
    }
  }
}

}  // namespace
}  // namespace rch::engines::torus_2qos
