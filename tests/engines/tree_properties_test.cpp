// Properties of ftree and pqft, on random trees: whole, and with cables and hosts
// lost.

#include <algorithm>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <tbb/global_control.h>

#include "engines/common/distances.h"
#include "engines/ftree/ftree.h"
#include "engines/minhop/minhop.h"
#include "engines/pqft/pqft.h"
#include "engines/updn/updn.h"
#include "fabric/faults.h"
#include "support/property.h"
#include "table_judge.h"
#include "tree_fabrics.h"

namespace rch::engines {
namespace {

using test::Damage;
using test::TreeFabric;

pqft::Structure any_structure() {
  const auto below = [](std::uint32_t n) { return *rc::gen::inRange<std::uint32_t>(1, n); };
  pqft::Structure structure;
  const std::uint32_t levels = *rc::gen::inRange<std::uint32_t>(2, 5);
  const std::uint32_t most = levels == 2 ? 7 : levels == 3 ? 4 : 3;
  for (std::uint32_t l = 0; l < levels; ++l) {
    structure.children.push_back(1 + below(most));
    structure.parents.push_back(l == 0 ? 1 : below(most));
    structure.cables.push_back(l == 0 ? 1 : below(4));
  }
  return structure;
}

/// As many cables up as down on every level: room for every shift.
pqft::Structure any_balanced_structure() {
  pqft::Structure structure = any_structure();
  for (std::size_t l = 1; l < structure.levels(); ++l) {
    structure.parents[l] = structure.children[l - 1];
    structure.cables[l] = structure.cables[l - 1];
  }
  structure.children.back() = std::max(2U, structure.children.back());
  return structure;
}

Damage any_damage() {
  return {.lost_cables = *rc::gen::element(0.0, 0.01, 0.05, 0.2),
          .lost_hosts = *rc::gen::element(0.0, 0.3),
          .sideways_cables = *rc::gen::element(0U, 0U, 1U, 4U),
          .shuffle_ports = *rc::gen::arbitrary<bool>(),
          .seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000)};
}

/// Every third host is an I/O node.
std::vector<Guid> some_hosts(const fabric::Fabric& fabric) {
  std::vector<Guid> guids;
  for (std::size_t i = 0; i < fabric.end_ports().size(); i += 3)
    guids.push_back(fabric.port(fabric.end_ports()[i].port).guid);
  return guids;
}

StepTables tables_of(EngineResult result) {
  if (!result) RC_DISCARD(result.error().message);
  return std::move(*result);
}

/// Entries for hosts that `less` has and `more` lacks.
std::size_t lacking(const fabric::Fabric& fabric, const StepTables& more, const StepTables& less) {
  std::size_t count = 0;
  for (const fabric::EndPort& end : fabric.end_ports())
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
      count += less.lfts.at(SwitchId(s), end.lid) != kNoPath && more.lfts.at(SwitchId(s), end.lid) == kNoPath;
  return count;
}

/// It reaches no root, nor another switch.
bool is_cut_off(const StepTables& tables, SwitchId sw) {
  return std::ranges::count_if(tables.hops->row(sw),
                               [](std::uint8_t hops) { return hops != HopMatrix::kUnknown; }) == 1;
}

TEST(TreeProperties, HostsOnALeafWithoutUplinksReachEachOther) {
  test::Shape shape = test::clos(4, 2, 2);
  std::erase_if(shape.cables, [](const test::Cable& cable) { return cable.a == 1 || cable.b == 1; });
  for (const std::uint8_t lmc : {std::uint8_t{0}, std::uint8_t{2}}) {
    shape.lmc = lmc;
    const TreeFabric made{test::build(shape), {}};
    const fabric::SubFabric view(made.fabric);
    const StepTables minhop = tables_of(minhop::route(view, {}));
    for (const EngineResult& result : {ftree::route(view, {}), pqft::route(view, {})}) {
      ASSERT_TRUE(result) << result.error().message;
      for (std::uint16_t lid = 1; lid <= made.fabric.max_lid().value; ++lid)
        EXPECT_EQ(result->lfts.at(SwitchId(1), Lid(lid)), minhop.lfts.at(SwitchId(1), Lid(lid))) << lid;
      for (std::uint32_t s = 0; s < view.switch_count(); ++s)
        EXPECT_EQ(result->hops->at(SwitchId(1), SwitchId(s)), minhop.hops->at(SwitchId(1), SwitchId(s)));
      EXPECT_THAT(result->remarks,
                  testing::ElementsAre("1 switch without a path to the roots, with 2 end ports: `switch 1` "
                                       "(0x0000000000100008) first"))
          << "no cable joins the other pairs";
    }
  }
}

std::size_t changed_entries(const fabric::Fabric& fabric, const StepTables& a, const StepTables& b) {
  std::size_t count = 0;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    for (std::uint16_t lid = 1; lid <= fabric.max_lid().value; ++lid)
      count += a.lfts.at(SwitchId(s), Lid(lid)) != b.lfts.at(SwitchId(s), Lid(lid)) ? 1 : 0;
  return count;
}

/// The formula gives the same wherever it starts from. What the repair pass keeps reaches the same, and
/// changes no more.
TEST(TreeProperties, ReroutingEqualsRoutingAnewOrKeepsMore) {
  EXPECT_TRUE(test::check([] {
    Damage damage = any_damage();
    const TreeFabric made = test::pgft(any_structure(), damage, *rc::gen::element<std::uint8_t>(0, 0, 1));
    auto damaged = fabric::remove_parts(
        made.fabric,
        {.random_links = *rc::gen::inRange(1U, 4U), .seed = damage.seed, .keep_connected = false});
    RC_PRE(damaged.has_value());
    const bool returns = *rc::gen::arbitrary<bool>();
    const fabric::SubFabric whole(made.fabric), less(damaged->fabric);
    const fabric::SubFabric &before = returns ? less : whole, &now = returns ? whole : less;
    const bool is_ftree = *rc::gen::arbitrary<bool>();
    const std::size_t repaired = *rc::gen::element<std::size_t>(0, 1024);
    const auto route = [&](const fabric::SubFabric& view,
                           const std::optional<common::InstalledTables>& installed) {
      const tree::Lists lists{.roots = made.roots};
      return tables_of(
          is_ftree ? ftree::route(
                         view, {.lists = lists, .max_repaired_end_ports = repaired, .installed = installed})
                   : pqft::route(
                         view, {.lists = lists, .max_repaired_end_ports = repaired, .installed = installed}));
    };
    const StepTables first = route(before, std::nullopt), anew = route(now, std::nullopt);
    const common::ChangeSet changes(before, now);
    const StepTables again = route(now, common::InstalledTables{&changes, &first.lfts, true});
    const fabric::Fabric& fabric = now.fabric();
    RC_CLASSIFY(!(again.lfts == anew.lfts), "keeps more");
    if (repaired == 0) RC_ASSERT(again.lfts == anew.lfts);
    RC_ASSERT(again.remarks == anew.remarks);
    RC_ASSERT(test::dangers(fabric, again.lfts) == test::dangers(fabric, anew.lfts));
    RC_ASSERT(lacking(fabric, again, anew) == 0U);
    RC_ASSERT(changed_entries(fabric, again, first) <= changed_entries(fabric, anew, first));
  }));
}

TEST(TreeProperties, FtreeReachesWhatOpenSmReaches) {
  EXPECT_TRUE(test::check([] {
    const TreeFabric made = test::pgft(any_structure(), any_damage());
    const fabric::SubFabric view(made.fabric);
    ftree::Options options{.lists = {.roots = made.roots}};
    const StepTables ours = tables_of(ftree::route(view, options));
    options.compat = true;
    RC_ASSERT(lacking(made.fabric, ours, tables_of(ftree::route(view, options))) == 0U);
    RC_ASSERT(test::dangers(made.fabric, ours.lfts) == "");
  }));
}

TEST(TreeProperties, FtreeReachesIoNodesAsOpenSm) {
  EXPECT_TRUE(test::check([] {
    const TreeFabric made = test::pgft(any_structure(), any_damage());
    const fabric::SubFabric view(made.fabric);
    ftree::Options options{.lists = {.roots = made.roots, .io_nodes = some_hosts(made.fabric)},
                           .max_reverse_hops = 2,
                           .connect_roots = true};
    const StepTables ours = tables_of(ftree::route(view, options));
    options.compat = true;
    RC_ASSERT(lacking(made.fabric, ours, tables_of(ftree::route(view, options))) == 0U);
    for (const verify::Finding& finding :
         verify::verify(made.fabric, test::one_step(made.fabric, ours.lfts)).findings)
      RC_ASSERT(finding.kind != verify::FindingKind::loop);
  }));
}

TEST(TreeProperties, PqftReachesEveryHost) {
  EXPECT_TRUE(test::check([] {
    Damage damage = any_damage();
    const TreeFabric made = test::pgft(any_structure(), damage, *rc::gen::inRange<std::uint8_t>(0, 4));
    const StepTables ours =
        tables_of(pqft::route(fabric::SubFabric(made.fabric), {.lists = {.roots = made.roots}}));
    RC_ASSERT(test::dangers(made.fabric, ours.lfts) == "");
    for (const fabric::EndPort& to : made.fabric.end_ports())
      for (const fabric::EndPort& from : made.fabric.end_ports()) {
        const bool joined = ours.hops->at(from.sw, to.sw) != HopMatrix::kUnknown;
        RC_ASSERT(joined || is_cut_off(ours, from.sw) || is_cut_off(ours, to.sw));
        for (std::uint32_t bit = 0; joined && bit < 1U << to.lmc; ++bit)
          RC_ASSERT(ours.lfts.at(from.sw, Lid(static_cast<std::uint16_t>(to.lid.value + bit))) != kNoPath);
      }
  }));
}

/// Places in the order of hosts when no leaf is left out of it.
std::size_t all_places(const pqft::Structure& structure, const fabric::Fabric& fabric) {
  std::size_t leaves = 1, widest = 0;
  for (std::size_t l = 1; l < structure.levels(); ++l) leaves *= structure.children[l];
  for (std::uint32_t s = 0; s < leaves; ++s)
    widest = std::max(widest, fabric.end_ports_of(SwitchId(s)).size());
  return leaves * widest;
}

/// The order of hosts leaves out a first or last leaf without hosts, as OpenSM's does; a shift over what is
/// left wraps in the middle of a sub-tree, where no such promise holds.
TEST(TreeProperties, BalancedTreesShiftWithoutCongestion) {
  EXPECT_TRUE(test::check([] {
    const Damage damage{.lost_hosts = *rc::gen::element(0.0, 0.3),
                        .shuffle_ports = *rc::gen::arbitrary<bool>(),
                        .seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000)};
    const pqft::Structure structure = any_balanced_structure();
    const TreeFabric made = test::pgft(structure, damage);
    const fabric::SubFabric view(made.fabric);
    const tree::Lists lists{.roots = made.roots};
    for (const StepTables& tables :
         {tables_of(pqft::route(view, {lists})), tables_of(ftree::route(view, {lists}))}) {
      RC_PRE(tables.host_order.size() == all_places(structure, made.fabric));
      RC_ASSERT(test::worst_shift(made.fabric, tables.lfts, tables.host_order) <= 1U);
    }
  }));
}

/// Both engines, by rch's own rules, with the roots named.
std::vector<StepTables> by_both(const TreeFabric& made) {
  const fabric::SubFabric view(made.fabric);
  const tree::Lists lists{.roots = made.roots};
  std::vector<StepTables> both;
  both.push_back(tables_of(ftree::route(view, {lists})));
  both.push_back(tables_of(pqft::route(view, {lists})));
  return both;
}

TEST(TreeProperties, RoutesArriveAndAreAsLongAsTheMatrixSays) {
  EXPECT_TRUE(test::check([] {
    const TreeFabric made = test::pgft(any_structure(), any_damage());
    const HopMatrix shortest = common::distances(made.fabric.graph());
    for (const StepTables& tables : by_both(made))
      for (const fabric::EndPort& to : made.fabric.end_ports())
        for (std::uint32_t s = 0; s < made.fabric.switch_count(); ++s) {
          const std::uint8_t hops = tables.hops->at(SwitchId(s), to.sw);
          const auto path = test::path(made.fabric, tables.lfts, SwitchId(s), to.lid);
          RC_ASSERT(path.has_value() == (hops != HopMatrix::kUnknown));
          if (path) RC_ASSERT(path->size() == hops + std::size_t{1});
          RC_ASSERT(hops >= shortest.at(SwitchId(s), to.sw));
        }
  }));
}

TEST(TreeProperties, WholeTreesAreRoutedByShortestPaths) {
  EXPECT_TRUE(test::check([] {
    const TreeFabric made = test::pgft(any_structure());
    const HopMatrix shortest = common::distances(made.fabric.graph());
    std::vector<StepTables> made_by_all = by_both(made);
    updn::Options options;
    for (Guid root : made.roots) options.roots.push_back({root, 0});
    made_by_all.push_back(tables_of(updn::route(fabric::SubFabric(made.fabric), options)));
    for (const StepTables& tables : made_by_all)
      for (const fabric::EndPort& from : made.fabric.end_ports())
        for (const fabric::EndPort& to : made.fabric.end_ports())
          RC_ASSERT(tables.hops->at(from.sw, to.sw) == shortest.at(from.sw, to.sw));
  }));
}

TEST(TreeProperties, ThreadsDoNotMatter) {
  EXPECT_TRUE(test::check([] {
    const TreeFabric made = test::pgft(any_structure(), any_damage(), *rc::gen::inRange<std::uint8_t>(0, 3));
    const auto run = [&](std::size_t threads) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
      return by_both(made);
    };
    const std::vector<StepTables> one = run(1), four = run(4);
    for (std::size_t i = 0; i < one.size(); ++i) {
      RC_ASSERT(one[i].lfts == four[i].lfts);
      RC_ASSERT(one[i].hops->hops == four[i].hops->hops);
      RC_ASSERT(one[i].remarks == four[i].remarks);
    }
  }));
}

TEST(TreeProperties, NamesDoNotMatterOnlyTheirOrder) {
  EXPECT_TRUE(test::check([] {
    const pqft::Structure structure = any_structure();
    const Damage damage = any_damage();
    const TreeFabric one = test::pgft(structure, damage, 0, 1);
    RC_PRE(one.fabric.switch_count() < 128U);  // the order of the last byte alone
    const TreeFabric two = test::pgft(structure, damage, 0, 2);
    const auto first = by_both(one), second = by_both(two);
    for (std::size_t i = 0; i < first.size(); ++i) RC_ASSERT(first[i].lfts == second[i].lfts);
  }));
}

}  // namespace
}  // namespace rch::engines
