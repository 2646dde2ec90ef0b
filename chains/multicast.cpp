#include "chains/multicast.h"

#include <algorithm>

#include "chains/fitted_tree.h"
#include "engines/common/distances.h"
#include "engines/multicast/branches.h"
#include "engines/multicast/breadth_first_tree.h"
#include "engines/multicast/roots.h"

namespace rch::chains {
namespace {

using engines::SpanningTree;
using fabric::Fabric;
using fabric::MulticastGroup;

bool contains(std::span<const SwitchId> switches, SwitchId sw) {
  return std::ranges::find(switches, sw) != switches.end();
}

/// The requested ones, then central switches.
std::vector<SwitchId> roots_of(const Fabric& fabric, const ChainRun& run,
                               std::span<const SwitchId> requested) {
  const auto best =
      run.central.empty()
          ? engines::multicast::roots(fabric, engines::common::distances(fabric.graph()), kMulticastRoots)
          : run.central;
  std::vector<SwitchId> all(requested.begin(), requested.end());
  for (SwitchId sw : best)
    if (!contains(requested, sw)) all.push_back(sw);
  return all;
}

/// The trees a run may use, best first: those that the first step's engine made, then breadth-first trees
/// that contain trees of islands, then breadth-first trees alone.
class Trees {
 public:
  Trees(const Fabric& fabric, const ChainRun& run, std::span<const SwitchId> requested)
      : fabric_(fabric), run_(run), roots_(roots_of(fabric, run, requested)) {
    for (const SpanningTree& tree : made()) made_.push_back(&tree);
    has_islands_ = std::any_of(run.trees.begin() + 1, run.trees.end(),
                               [](const std::vector<SpanningTree>& trees) { return !trees.empty(); });
    const auto place = [&](const SpanningTree* tree) {
      return std::ranges::find(requested, tree->order.front()) - requested.begin();
    };
    std::ranges::stable_sort(made_, {}, place);
  }

  std::size_t count() const {
    return made_.size() + (made_.empty() || has_islands_ ? roots_.size() : 0) +
           (has_islands_ ? roots_.size() : 0);
  }
  SpanningTree at(std::size_t i) const {
    if (i < made_.size()) return *made_[i];
    i -= made_.size();
    return engines::multicast::breadth_first_tree(
        fabric_.graph(), roots_[i % roots_.size()],
        i < roots_.size() ? islands(i) : std::vector<const SpanningTree*>{});
  }

 private:
  const std::vector<SpanningTree>& made() const { return run_.trees.front(); }

  /// The i-th tree of every later step, but where steps overlap the last one's alone.
  std::vector<const SpanningTree*> islands(std::size_t i) const {
    std::vector<const SpanningTree*> result;
    IdSet<SwitchId> taken(fabric_.switch_count());
    for (std::size_t step = run_.trees.size(); step-- > 1;) {
      const auto& trees = run_.trees[step];
      if (trees.empty()) continue;
      const SpanningTree& tree = trees[i % trees.size()];
      if (std::ranges::any_of(tree.order, [&](SwitchId sw) { return taken.contains(sw); })) continue;
      for (SwitchId sw : tree.order) taken.insert(sw);
      result.push_back(&tree);
    }
    return result;
  }

  const Fabric& fabric_;
  const ChainRun& run_;
  std::vector<SwitchId> roots_;
  std::vector<const SpanningTree*> made_;
  bool has_islands_ = false;
};

/// A tree for each part of a split fabric with hosts that `main` does not reach.
std::vector<SpanningTree> trees_of_other_parts(const Fabric& fabric, const SpanningTree& main) {
  std::vector<bool> reached(fabric.switch_count());
  const auto reach = [&](const SpanningTree& tree) {
    for (SwitchId sw : tree.order) reached[sw.index()] = true;
  };
  reach(engines::multicast::breadth_first_tree(fabric.graph(), main.order.front()));
  std::vector<SpanningTree> others;
  for (const fabric::EndPort& host : fabric.end_ports())
    if (!reached[host.sw.index()])
      reach(others.emplace_back(engines::multicast::breadth_first_tree(fabric.graph(), host.sw)));
  return others;
}

/// Clears SL bits that paths use to cross a dateline or to select a virtual layer (torus-2qos 6).
void clear_path_bits(std::uint8_t bits, std::vector<MulticastGroup>& groups,
                     std::vector<std::string>& remarks) {
  for (MulticastGroup& group : groups) {
    const std::uint8_t sl = group.sl & bits;
    if (sl != group.sl)
      remarks.push_back(fmt::format("multicast LID 0x{:04X} gets SL {} for {}: other bits tell paths apart",
                                    group.mlid, sl, group.sl));
    group.sl = sl;
  }
}

bool has_credit_loop(const verify::Verdict& verdict) {
  return std::ranges::any_of(verdict.findings, [](const verify::Finding& finding) {
    return finding.kind == verify::FindingKind::credit_loop;
  });
}

/// Of the groups alone; the paths have none.
bool is_good(const verify::Verdict& verdict, bool with_switch_lids) {
  return !has_credit_loop(verdict) && (!with_switch_lids || verdict.switch_lids.sound());
}

/// Trees that close no cycle together with the paths of a run, which alone have none. Options::switch_lids:
/// nor with packets to LIDs of switches.
FittedTrees fitted_trees(const Fabric& fabric, const ChainRun& run, const std::vector<MulticastGroup>& groups,
                         const verify::Options& options) {
  std::vector<std::uint8_t> sls;
  for (const MulticastGroup& group : groups)
    if (std::ranges::find(sls, group.sl) == sls.end()) sls.push_back(group.sl);
  std::vector<GroupVl> vls;
  for (const std::uint8_t sl : sls)
    vls.emplace_back([&tables = run.tables, sl](SwitchId sw, PortNum in, PortNum out) {
      return tables.vl(sw, in, out, sl);
    });
  return {fabric, verify::channel_dependencies(fabric, run.tables, options), std::move(vls)};
}

class MulticastRouter {
 public:
  MulticastRouter(const Fabric& fabric, const verify::Options& options, ChainRun& run,
                  std::span<const SwitchId> requested)
      : fabric_(fabric), options_(options), run_(run), requested_(requested) {}

  verify::Verdict route(std::vector<MulticastGroup> groups, MulticastReport& report) {
    if (groups.empty() || fabric_.switch_count() == 0) return prove();
    clear_path_bits(run_.multicast_sl_bits, groups, report.remarks);
    verify::Verdict verdict = try_trees(groups, report);
    if (!requested_.empty() && !report.root.is_none() && !contains(requested_, report.root))
      report.remarks.push_back(
          run_.trees.front().empty()
              ? "rooted elsewhere than asked: trees from there have credit loops together "
                "with the paths"
              : "rooted elsewhere than asked: the engine makes its trees itself");
    return verdict;
  }

 private:
  verify::Verdict try_trees(const std::vector<MulticastGroup>& groups, MulticastReport& report) {
    const Trees trees(fabric_, run_, requested_);
    const verify::Verdict first = try_tree(trees.at(0), groups, report);
    if (is_good(first, true)) return first;
    run_.tables.groups.clear();
    const verify::Verdict paths = prove();
    if (has_credit_loop(paths)) return try_tree(trees.at(0), groups, report);
    if (is_good(first, paths.switch_lids.sound())) return try_tree(trees.at(0), groups, report);

    // A tree that closes cycles with packets to LIDs of switches only is second best.
    std::optional<SpanningTree> second;
    if (is_good(first, false)) second = trees.at(0);
    for (std::size_t i = 1; i < trees.count(); ++i) {
      const SpanningTree tree = trees.at(i);
      verify::Verdict verdict = try_tree(tree, groups, report);
      if (is_good(verdict, paths.switch_lids.sound())) return verdict;
      if (!second && is_good(verdict, false)) second = tree;
    }
    if (paths.switch_lids.sound())
      if (auto fitted = try_fitted(groups, report, true)) return std::move(*fitted);
    if (second) return try_tree(*second, groups, report);
    if (auto fitted = try_fitted(groups, report, false)) return std::move(*fitted);
    return leave_out(groups, report);
  }

  /// No tree is free of credit loops: the paths are proven alone.
  verify::Verdict leave_out(const std::vector<MulticastGroup>& groups, MulticastReport& report) {
    run_.tables.groups.clear();
    report.root = SwitchId::none();
    report.switches = 0;
    verify::Verdict verdict = prove();
    verdict.findings.push_back(
        {verify::FindingKind::multicast_unrouted,
         fmt::format("no tree was found that has no credit loop together with the paths: {} routed",
                     groups.size() == 1 ? "1 multicast group is not"
                                        : fmt::format("{} multicast groups are not", groups.size())),
         groups.size(),
         {},
         false});
    return verdict;
  }

  verify::Verdict prove() const { return verify::verify(fabric_, run_.tables, options_); }

  verify::Verdict try_tree(const SpanningTree& tree, std::vector<MulticastGroup> groups,
                           MulticastReport& report) {
    const std::vector<SpanningTree> others = trees_of_other_parts(fabric_, tree);
    for (MulticastGroup& group : groups) {
      group.ports = engines::multicast::branches(fabric_, tree, group.members, group.senders, group.mlid);
      for (const SpanningTree& other : others) {
        const auto ports =
            engines::multicast::branches(fabric_, other, group.members, group.senders, group.mlid);
        group.ports.insert(group.ports.end(), ports.begin(), ports.end());
      }
      std::ranges::sort(group.ports);
    }
    run_.tables.groups = std::move(groups);
    report.root = tree.order.front();
    report.switches = tree.order.size();
    return prove();
  }

  std::optional<verify::Verdict> try_fitted(const std::vector<MulticastGroup>& groups,
                                            MulticastReport& report, bool with_switch_lids) {
    run_.tables.groups.clear();
    verify::Options options = options_;
    options.switch_lids = with_switch_lids;
    const auto trees = fitted_trees(fabric_, run_, groups, options);
    for (SwitchId root : roots_of(fabric_, run_, requested_))
      if (const auto tree = trees.from(root))
        if (verify::Verdict verdict = try_tree(*tree, groups, report); is_good(verdict, with_switch_lids))
          return verdict;
    return std::nullopt;
  }

  const Fabric& fabric_;
  const verify::Options& options_;
  ChainRun& run_;
  std::span<const SwitchId> requested_;
};

}  // namespace

verify::Verdict route_multicast(const Fabric& fabric, std::vector<MulticastGroup> groups,
                                const verify::Options& options, ChainRun& run, MulticastReport& report,
                                std::span<const SwitchId> requested) {
  return MulticastRouter(fabric, options, run, requested).route(std::move(groups), report);
}

}  // namespace rch::chains
