// What dfsssp does for hosts that keep their SLs when a link between switches fails.

#include <algorithm>
#include <optional>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "engines/common/channels.h"
#include "engines/common/incremental/change_set.h"
#include "engines/dfsssp/dfsssp.h"
#include "engines/multicast/breadth_first_tree.h"
#include "engines/multicast/rejoined_tree.h"
#include "fabric/faults.h"
#include "fabric/generator.h"
#include "layer_judge.h"
#include "support/property.h"
#include "support/small_fabrics.h"
#include "verify/metrics/metrics.h"

namespace rch::engines {
namespace {

using fabric::Fabric;
using fabric::SubFabric;

Fabric without_a_link(const Fabric& whole, std::uint64_t seed) {
  return fabric::remove_parts(whole, {.random_links = 1, .seed = seed})->fabric;
}

/// A group of all switches on a tree.
fabric::MulticastGroup group_on(const Fabric& fabric, const SpanningTree& tree) {
  fabric::MulticastGroup group;
  for (SwitchId sw : tree.order)
    for (const fabric::Neighbor& n : fabric.graph().neighbors(sw))
      if (tree.parent[sw.index()] == n.sw || tree.parent[n.sw.index()] == sw)
        group.ports.push_back(fabric.port_id(sw, fabric.graph().links(n).front().out));
  return group;
}

struct Kind {
  fabric::Topology shape;
  std::size_t unsafe = 0;  ///< of the drawn links, those whose loss is not safe with the SLs that hosts have
};

class LostLink : public testing::TestWithParam<Kind> {};

/// The target tables must be free of credit loops with the new SLs, and mostly with the old ones.
TEST_P(LostLink, NeedsNoNewServiceLevels) {
  constexpr std::uint64_t kLinks = 8;
  fabric::GeneratorOptions shape;
  shape.shape = GetParam().shape;
  shape.shuffle = 1;
  const auto made = fabric::generate(shape);
  ASSERT_TRUE(made.has_value());
  const Fabric whole = test::with_ascending_lids(made->fabric);
  const SubFabric before(whole);
  const StepTables first = *dfsssp::route(before, {});
  std::vector<fabric::MulticastGroup> groups;
  for (const SpanningTree& tree : first.trees) groups.push_back(group_on(whole, tree));
  std::size_t unsafe = 0;
  for (std::uint64_t seed = 1; seed <= kLinks; ++seed) {
    const Fabric now = without_a_link(whole, seed);
    const SubFabric view(now);
    const common::ChangeSet changes(before, view);
    dfsssp::Options options;
    options.installed = common::InstalledTables{&changes, &first.lfts, true, &first.sl, groups};
    StepTables again = *dfsssp::route(view, options);
    EXPECT_EQ(test::layer_faults(now, again), "");
    again.sl = first.sl;
    again.sl2vl = {};
    unsafe += test::layer_faults(now, again).empty() ? 0 : 1;
  }
  EXPECT_LE(unsafe, GetParam().unsafe);
}

INSTANTIATE_TEST_SUITE_P(DirectNetworks, LostLink,
                         testing::Values(Kind{fabric::Dragonfly{6, 4, 2}}, Kind{fabric::Dragonfly{9, 4, 2}},
                                         Kind{fabric::Hypercube{5}}, Kind{fabric::SlimFly{5}},
                                         Kind{fabric::HyperX{{5, 5}}}, Kind{fabric::RandomRegular{40, 6, 1}},
                                         Kind{fabric::Grid{{{4}, {4}, {4}}}},
                                         Kind{fabric::Grid{{{6}, {5}}}}));

/// Fabrics on which all paths once became those of a spanning tree when a link failed.
struct Damaged {
  fabric::Topology shape;
  std::uint32_t lost = 0;                ///< links, before
  std::uint64_t median = 13, most = 13;  ///< fullest link after another loss, in tenths of that before
  std::optional<std::uint64_t> shuffle = {};
};

std::uint64_t fullest_link(const Fabric& fabric, const StepTables& tables) {
  fabric::RoutingTables routing;
  routing.lfts = fabric::ForwardingTables(fabric.switch_count(), tables.lfts.max_lid());
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    routing.lfts.share_row(SwitchId(s), tables.lfts, SwitchId(s));
  return std::ranges::max(verify::link_flows(fabric, routing));
}

class LoadAfterALostLink : public testing::TestWithParam<Damaged> {};

TEST_P(LoadAfterALostLink, StaysEven) {
  constexpr std::uint64_t kLinks = 7;
  fabric::GeneratorOptions shape;
  shape.shape = GetParam().shape;
  shape.shuffle = GetParam().shuffle;
  const Fabric whole = test::with_ascending_lids(
      fabric::remove_parts(fabric::generate(shape)->fabric, {.random_links = GetParam().lost, .seed = 1})
          ->fabric);
  const SubFabric before(whole);
  const StepTables first = *dfsssp::route(before, {});
  std::vector<fabric::MulticastGroup> groups;
  for (const SpanningTree& tree : first.trees) groups.push_back(group_on(whole, tree));
  const std::uint64_t fullest = fullest_link(whole, first);
  std::vector<std::uint64_t> after;
  for (std::uint64_t seed = 1; seed <= kLinks; ++seed) {
    const Fabric now = without_a_link(whole, seed);
    const SubFabric view(now);
    const common::ChangeSet changes(before, view);
    dfsssp::Options options;
    options.installed = common::InstalledTables{&changes, &first.lfts, true, &first.sl, groups};
    const StepTables again = *dfsssp::route(view, options);
    EXPECT_EQ(test::layer_faults(now, again), "");
    after.push_back(fullest_link(now, again));
  }
  std::ranges::sort(after);
  EXPECT_LE(after[kLinks / 2] * 10, fullest * GetParam().median);
  EXPECT_LE(after.back() * 10, fullest * GetParam().most);
}

INSTANTIATE_TEST_SUITE_P(TreesAndTori, LoadAfterALostLink,
                         testing::Values(Damaged{fabric::FatTree{14}, 14},
                                         Damaged{fabric::FatTree{6}, 0, 13, 16}, Damaged{fabric::FatTree{10}},
                                         Damaged{fabric::FatTree{16}},
                                         Damaged{fabric::Grid{{{8}, {8}}}, 0, 13, 13},
                                         Damaged{fabric::Grid{{{8}, {8}}}, 0, 13, 13, 2},
                                         Damaged{fabric::Grid{{{5}, {5}, {5}}}, 0, 13, 13}));

fabric::Topology any_grid() {
  const auto dimension = [] {
    return fabric::Grid::Dimension{*rc::gen::inRange(3U, 6U), *rc::gen::arbitrary<bool>()};
  };
  return fabric::Grid{{dimension(), dimension()}};
}

/// One change after the other: paths that were kept are installed next time, detours among them.
TEST(KeptLayersProperties, EveryChangeOfARowIsSound) {
  EXPECT_TRUE(test::check([] {
    const auto made = fabric::generate({.shape = any_grid(), .shuffle = *rc::gen::inRange(1U, 1000U)});
    RC_ASSERT(made.has_value());
    const Fabric whole = test::with_ascending_lids(made->fabric);
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
    std::optional<Fabric> before;
    std::optional<StepTables> tables;
    bool detours = false;
    for (int change = 0; change < 8; ++change) {
      const fabric::Faults faults{.random_links = *rc::gen::inRange(0U, 7U), .seed = seed};
      auto damaged = fabric::remove_parts(whole, faults);
      if (!damaged) continue;
      Fabric now = std::move(damaged->fabric);
      const SubFabric view(now);
      dfsssp::Options options;
      std::vector<fabric::MulticastGroup> groups;
      std::optional<SubFabric> view_before;
      std::optional<common::ChangeSet> changes;
      if (before) {
        for (const SpanningTree& tree : tables->trees) groups.push_back(group_on(*before, tree));
        changes.emplace(view_before.emplace(*before), view);
        options.installed = common::InstalledTables{&*changes, &tables->lfts, true, &tables->sl, groups};
      }
      StepTables next = *dfsssp::route(view, options);
      RC_ASSERT(test::layer_faults(now, next) == "");
      detours = detours || std::ranges::any_of(next.remarks, [](const std::string& remark) {
                  return remark.find("hosts keep their SLs") != std::string::npos;
                });
      tables = std::move(next);
      before = std::move(now);
    }
    RC_CLASSIFY(detours, "detours");
  }));
}

TEST(RejoinedTreeProperties, KeepsBranchesAndSpans) {
  EXPECT_TRUE(test::check([] {
    const Fabric whole = test::build(test::random_shape(*rc::gen::arbitrary<std::uint64_t>(), 25));
    const SpanningTree before = multicast::breadth_first_tree(whole.graph(), SwitchId(0));
    std::vector<multicast::Branch> branches;
    for (std::size_t i = 1; i < before.order.size(); ++i)
      branches.emplace_back(before.order[i], before.parent[before.order[i].index()]);
    const auto lost = *rc::gen::inRange<std::size_t>(0, branches.size() + 1);
    if (lost < branches.size()) branches.erase(branches.begin() + static_cast<std::ptrdiff_t>(lost));
    const common::Channels channels(whole.graph());
    std::vector<common::ChannelId> order;
    for (std::uint32_t c = 0; c < channels.size(); ++c) order.push_back(common::ChannelId(c));
    common::AcyclicCdg cdg(channels, order);
    const auto tree = multicast::rejoined_tree(channels, branches, before.order, cdg);
    RC_ASSERT(tree.has_value());
    RC_ASSERT(tree->order.size() == before.order.size());
    for (const auto& [a, b] : branches)
      RC_ASSERT(tree->parent[a.index()] == b || tree->parent[b.index()] == a);
  }));
}

TEST(RejoinedTree, NeedsAMember) {
  const Fabric fabric = test::build({.hosts = {0, 0}, .cables = {{0, 1}}});
  const common::Channels channels(fabric.graph());
  const std::vector<common::ChannelId> order{common::ChannelId(0), common::ChannelId(1)};
  common::AcyclicCdg cdg(channels, order);
  const std::vector<multicast::Branch> branches{{SwitchId(0), SwitchId(1)}};
  EXPECT_FALSE(multicast::rejoined_tree(channels, branches, {}, cdg).has_value());
}

}  // namespace
}  // namespace rch::engines
