// The path distribution of dnup where all switches have hosts, and of updn from one root, where links join
// switches of one rank, compared with OpenSM's.

#include <numeric>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/updn/updn.h"
#include "fabric/faults.h"
#include "support/small_fabrics.h"
#include "table_judge.h"
#include "tree_fabrics.h"
#include "verify/metrics/metrics.h"

namespace rch::engines::updn {
namespace {

StepTables routed(const fabric::Fabric& fabric, const common::PortOptions& ports) {
  auto tables = route_dnup(fabric::SubFabric(fabric), {.ports = ports});
  if (!tables) throw std::runtime_error(tables.error().message);
  return std::move(*tables);
}

/// Two parallel cables between neighbors, those of each dimension at the same ports everywhere. The order of
/// dimensions comes from `seed`; one cable is missing if it is odd.
fabric::Fabric hypercube(std::uint32_t dimensions, std::uint64_t seed, std::uint32_t hosts = 1) {
  test::Shape shape{.hosts = std::vector<std::uint32_t>(std::size_t{1} << dimensions, hosts), .cables = {}};
  std::vector<std::uint32_t> order(dimensions);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint64_t i = 0; i < seed / 2; ++i) std::ranges::next_permutation(order);
  for (std::uint32_t d : order)
    for (std::uint32_t s = 0; s < shape.hosts.size(); ++s)
      if ((s >> d & 1) == 0) shape.cables.insert(shape.cables.end(), 2, {s, s | 1U << d});
  fabric::Fabric whole = test::build(shape);
  if (seed % 2 == 0) return whole;
  auto damaged = fabric::remove_parts(whole, {.random_links = 1, .seed = seed});
  return std::move(damaged->fabric);
}

verify::Metrics measured(const fabric::Fabric& fabric, const StepTables& tables) {
  return verify::measure(fabric, test::one_step(fabric, tables.lfts), {.samples = 0});
}

/// Tables beside those of OpenSM's search, where that closes no credit loop.
class Comparison {
 public:
  void add(const fabric::Fabric& fabric, const StepTables& ours, const StepTables& theirs) {
    EXPECT_EQ(test::credit_cycle(fabric, ours.lfts, true), "") << drawn_;
    repaired_ += !ours.trees.empty();
    ++drawn_;
    if (!test::credit_cycle(fabric, theirs.lfts).empty()) return;
    ++compared_;
    const auto our = measured(fabric, ours), their = measured(fabric, theirs);
    EXPECT_LE(our.destinations.bins.back().value, their.destinations.bins.back().value) << drawn_ - 1;
    EXPECT_LE(our.shifts.worst, their.shifts.worst) << drawn_ - 1;
  }
  /// It was worth making.
  ~Comparison() {
    EXPECT_GT(compared_, 0U);
    EXPECT_GT(repaired_, 0U);
  }

 private:
  std::size_t drawn_ = 0, compared_ = 0, repaired_ = 0;
};

class Hypercubes : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Hypercubes, NoWorseThanOpenSmUnlessThatHasACreditLoop) {
  Comparison comparison;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const fabric::Fabric fabric = hypercube(GetParam(), seed);
    comparison.add(fabric, routed(fabric, {}), routed(fabric, {.compat = true}));
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, Hypercubes, testing::Values(3U, 4U));

/// Rows and columns of switches that are linked each with each. `seed` draws cables that are missing.
fabric::Fabric hyperx(std::uint32_t size, std::uint64_t seed) {
  test::Shape shape{.hosts = std::vector<std::uint32_t>(size * size, 2), .cables = {}};
  for (std::uint32_t line = 0; line < size; ++line)
    for (std::uint32_t a = 0; a < size; ++a)
      for (std::uint32_t b = a + 1; b < size; ++b) {
        shape.cables.push_back({line * size + a, line * size + b});
        shape.cables.push_back({a * size + line, b * size + line});
      }
  auto damaged = fabric::remove_parts(test::build(shape),
                                      {.random_links = static_cast<std::uint32_t>(seed % 4), .seed = seed});
  return std::move(damaged->fabric);
}

StepTables up_down(const fabric::Fabric& fabric, SwitchId root, const common::PortOptions& ports) {
  auto tables = route(fabric::SubFabric(fabric), {.roots = {{fabric.node(root).guid}}, .ports = ports});
  if (!tables) throw std::runtime_error(tables.error().message);
  return std::move(*tables);
}

TEST(Hyperx, UpdnFromOneRootIsNoWorseThanOpenSmUnlessThatHasACreditLoop) {
  Comparison comparison;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const fabric::Fabric fabric = hyperx(4 + static_cast<std::uint32_t>(seed % 3), seed);
    const SwitchId root(static_cast<std::uint32_t>(seed * 7 % fabric.switch_count()));
    comparison.add(fabric, up_down(fabric, root, {}), up_down(fabric, root, {.compat = true}));
  }
}

/// The fabric as it was, with its tables, and after something has gone from it.
struct Change {
  fabric::Fabric before, after;
  StepTables first;

  Change(fabric::Fabric fabric, const fabric::Faults& faults)
      : before(std::move(fabric)),
        after(std::move(fabric::remove_parts(before, faults)->fabric)),
        first(routed(before, {})) {}
};

StepTables rerouted(const fabric::Fabric& before, const StepTables& installed, const fabric::Fabric& after) {
  const fabric::SubFabric then(before), now(after);
  const common::ChangeSet changes(then, now);
  return routed(after, {.installed = common::InstalledTables{&changes, &installed.lfts, true}});
}

TEST(HypercubesThatChange, StayFreeOfCreditLoopsAndKeepMostEntries) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Change change(hypercube(4, seed), {.random_links = 1, .seed = seed + 1});
    const StepTables now = rerouted(change.before, change.first, change.after);
    EXPECT_EQ(test::credit_cycle(change.after, now.lfts, true), "") << seed;
    std::size_t moved = 0;
    for (std::uint32_t s = 0; s < now.lfts.switch_count(); ++s)
      for (std::uint16_t lid = 1; lid <= change.after.max_lid().value; ++lid)
        moved += now.lfts.at(SwitchId(s), Lid(lid)) != change.first.lfts.at(SwitchId(s), Lid(lid));
    EXPECT_LT(moved, 64U) << seed;  // of 512
    EXPECT_TRUE(rerouted(change.after, now, change.after).lfts == now.lfts) << seed;
  }
}

std::size_t changed_entries(const Change& change, const StepTables& now) {
  std::size_t changed = 0;
  for (std::uint32_t s = 0; s < now.lfts.switch_count(); ++s)
    for (std::uint16_t lid = 1; lid <= change.after.max_lid().value; ++lid)
      changed += now.lfts.at(SwitchId(s), Lid(lid)) != change.first.lfts.at(SwitchId(s), Lid(lid));
  return changed;
}

/// Between neighbors that lose their only cable no path of the repaired tables may be left that is the
/// shortest and closes no cycle.
TEST(HyperxThatChange, ChangeFewerEntriesThanOpenSm) {
  std::size_t ours = 0, theirs = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const Change change(hyperx(4, 4 * seed), {.random_links = 1, .seed = seed + 1});
    const StepTables now = rerouted(change.before, change.first, change.after);
    EXPECT_EQ(test::credit_cycle(change.after, now.lfts, true), "") << seed;
    EXPECT_TRUE(rerouted(change.after, now, change.after).lfts == now.lfts) << seed;
    const StepTables opensm_before = routed(change.before, {.compat = true});
    const StepTables opensm_after = routed(change.after, {.compat = true});
    for (std::uint32_t s = 0; s < now.lfts.switch_count(); ++s)
      for (std::uint16_t lid = 1; lid <= change.after.max_lid().value; ++lid)
        theirs += opensm_after.lfts.at(SwitchId(s), Lid(lid)) != opensm_before.lfts.at(SwitchId(s), Lid(lid));
    ours += changed_entries(change, now);
    EXPECT_LT(changed_entries(change, now), 64U) << seed;  // of 768
  }
  EXPECT_LT(ours, theirs);
}

TEST(HypercubesThatChange, KeepTheRoutesToAHostThatIsAway) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const fabric::Fabric whole = hypercube(4, seed, 2);
    const Change change(hypercube(4, seed, 2),
                        {.links = {fmt::format("{}[1]", whole.node(SwitchId(5)).guid)}});
    ASSERT_EQ(change.after.max_lid(), change.before.max_lid());
    const StepTables away = rerouted(change.before, change.first, change.after);
    EXPECT_TRUE(away.lfts == change.first.lfts) << seed;
    EXPECT_TRUE(rerouted(change.after, away, change.before).lfts == change.first.lfts) << seed;
  }
}

}  // namespace
}  // namespace rch::engines::updn
