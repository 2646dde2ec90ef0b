#include "chains/multicast.h"

#include <algorithm>

#include "engines/common/distances.h"
#include "engines/multicast/acyclic_tree.h"
#include "engines/multicast/branches.h"
#include "engines/multicast/breadth_first_tree.h"
#include "engines/multicast/roots.h"

namespace rch::chains {
namespace {

using engines::SpanningTree;
using fabric::Fabric;
using fabric::MulticastGroup;

/// Most breadth-first trees that are tried.
constexpr std::size_t kRoots = 8;

bool contains(std::span<const SwitchId> switches, SwitchId sw) {
  return std::ranges::find(switches, sw) != switches.end();
}

/// The requested ones, then central switches.
std::vector<SwitchId> roots_of(const Fabric& fabric, const ChainRun& run,
                               std::span<const SwitchId> requested) {
  using engines::multicast::roots;
  const auto best = run.hops ? roots(fabric, *run.hops, kRoots)
                             : roots(fabric, engines::common::distances(fabric.graph()), kRoots);
  std::vector<SwitchId> all(requested.begin(), requested.end());
  for (SwitchId sw : best)
    if (!contains(requested, sw)) all.push_back(sw);
  return all;
}

/// The trees a run may use, best first.
class Trees {
 public:
  Trees(const Fabric& fabric, const ChainRun& run, std::span<const SwitchId> requested)
      : fabric_(fabric), run_(run) {
    if (made().empty()) roots_ = roots_of(fabric, run, requested);
    for (const SpanningTree& tree : made()) made_.push_back(&tree);
    const auto place = [&](const SpanningTree* tree) {
      return std::ranges::find(requested, tree->order.front()) - requested.begin();
    };
    std::ranges::stable_sort(made_, {}, place);
  }

  std::size_t count() const { return made().empty() ? roots_.size() : made_.size(); }
  SpanningTree at(std::size_t i) const {
    return made().empty() ? engines::multicast::breadth_first_tree(fabric_.graph(), roots_[i], islands(i))
                          : *made_[i];
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
};

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

/// The one VL that all groups travel on; nothing if it differs between ports or groups.
std::optional<std::uint8_t> common_vl(const fabric::RoutingTables& tables,
                                      const std::vector<MulticastGroup>& groups) {
  std::vector<std::uint8_t> vls;
  for (const MulticastGroup& group : groups) {
    if (tables.sl2vl.empty()) vls.push_back(fabric::kIdentitySl2Vl[group.sl]);
    for (const fabric::Sl2VlMap& map : tables.sl2vl.maps()) vls.push_back(map[group.sl]);
  }
  const bool same = std::ranges::adjacent_find(vls, std::ranges::not_equal_to{}) == vls.end();
  return same && !vls.empty() ? std::optional(vls.front()) : std::nullopt;
}

/// Trees that close no cycle together with the paths of a run, which alone have none.
class FittedTrees {
 public:
  FittedTrees(const Fabric& fabric, const ChainRun& run, std::span<const SwitchId> requested, std::uint8_t vl,
              const verify::Options& options)
      : fabric_(fabric), roots_(roots_of(fabric, run, requested)) {
    for (const auto& [from, to] : verify::channel_dependencies(fabric, run.tables, vl, options))
      paths_.push_back({from, to});
  }
  std::size_t count() const { return roots_.size(); }
  std::optional<SpanningTree> at(std::size_t i) const {
    return engines::multicast::acyclic_tree(fabric_, roots_[i], paths_);
  }

 private:
  const Fabric& fabric_;
  std::vector<SwitchId> roots_;
  std::vector<engines::multicast::PortDependency> paths_;
};

class MulticastRouter {
 public:
  MulticastRouter(const Fabric& fabric, const verify::Options& options, ChainRun& run,
                  std::span<const SwitchId> requested)
      : fabric_(fabric), options_(options), run_(run), requested_(requested) {}

  verify::Verdict route(std::vector<MulticastGroup> groups, MulticastReport& report) {
    if (groups.empty() || fabric_.switch_count() == 0) return prove();
    clear_path_bits(run_.multicast_sl_bits, groups, report.remarks);
    verify::Verdict verdict = try_trees(groups, report);
    if (!requested_.empty() && !contains(requested_, report.root))
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
    verify::Verdict verdict = try_tree(trees.at(0), groups, report);
    if (!has_credit_loop(verdict)) return verdict;
    run_.tables.groups.clear();
    if (!has_credit_loop(prove())) {
      for (std::size_t i = 1; i < trees.count(); ++i)
        if (verify::Verdict other = try_tree(trees.at(i), groups, report); !has_credit_loop(other))
          return other;
      if (auto other = try_fitted(groups, report)) return std::move(*other);
    }
    return try_tree(trees.at(0), groups, report);
  }

  verify::Verdict prove() const { return verify::verify(fabric_, run_.tables, options_); }

  verify::Verdict try_tree(const SpanningTree& tree, std::vector<MulticastGroup> groups,
                           MulticastReport& report) {
    for (MulticastGroup& group : groups)
      group.ports = engines::multicast::branches(fabric_, tree, group.members, group.mlid);
    run_.tables.groups = std::move(groups);
    report.root = tree.order.front();
    report.switches = tree.order.size();
    return prove();
  }

  std::optional<verify::Verdict> try_fitted(const std::vector<MulticastGroup>& groups,
                                            MulticastReport& report) {
    const auto vl = common_vl(run_.tables, groups);
    if (!vl) return std::nullopt;
    run_.tables.groups.clear();
    const FittedTrees trees(fabric_, run_, requested_, *vl, options_);
    for (std::size_t i = 0; i < trees.count(); ++i)
      if (const auto tree = trees.at(i))
        if (verify::Verdict verdict = try_tree(*tree, groups, report); !has_credit_loop(verdict))
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
