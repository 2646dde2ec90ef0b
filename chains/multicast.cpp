#include "chains/multicast.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

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

/// The switch at which a member is: its own port 0, or a host's cable. Nothing if the member hangs on no
/// switch.
std::optional<SwitchId> switch_of(const Fabric& fabric, PortId member) {
  const fabric::Port& port = fabric.port(member);
  if (const auto sw = fabric.switch_id(port.node)) return sw;
  return port.peer.is_none() ? std::nullopt : fabric.switch_id(fabric.port(port.peer).node);
}

/// The switches at which groups have members and senders, each once.
std::vector<SwitchId> switches_of(const Fabric& fabric, std::span<const MulticastGroup> groups) {
  IdSet<SwitchId> found(fabric.switch_count());
  std::vector<SwitchId> switches;
  for (const MulticastGroup& group : groups)
    for (const auto* ports : {&group.members, &group.senders})
      for (const PortId port : *ports)
        if (const auto sw = switch_of(fabric, port); sw && !found.contains(*sw)) {
          found.insert(*sw);
          switches.push_back(*sw);
        }
  return switches;
}

/// The switch with hosts that has the most neighbours; none where every switch with a member has hosts. Where
/// switches without hosts have members, as in trees whose spines have an enhanced port 0, a tree has to lead
/// down and up again. From there it does so in one part of the fabric only.
SwitchId leaf_root(const Fabric& fabric, std::span<const MulticastGroup> groups) {
  const auto is_bare = [&](PortId member) {
    const auto sw = fabric.switch_id(fabric.port(member).node);
    return sw && fabric.end_ports_of(*sw).empty();
  };
  const bool bare = std::ranges::any_of(
      groups, [&](const MulticastGroup& group) { return std::ranges::any_of(group.members, is_bare); });
  SwitchId best = SwitchId::none();
  if (bare)
    for (const fabric::EndPort& host : fabric.end_ports())
      if (best.is_none() || fabric.graph().neighbors(host.sw).size() > fabric.graph().neighbors(best).size())
        best = host.sw;
  return best;
}

/// The requested ones, then `leaf` if there is one, then central switches.
std::vector<SwitchId> roots_of(const Fabric& fabric, const ChainRun& run, std::span<const SwitchId> requested,
                               SwitchId leaf) {
  const auto best =
      run.central.empty()
          ? engines::multicast::roots(fabric, engines::common::distances(fabric.graph()), kMulticastRoots)
          : run.central;
  std::vector<SwitchId> all(requested.begin(), requested.end());
  if (!leaf.is_none() && !contains(all, leaf)) all.push_back(leaf);
  for (SwitchId sw : best)
    if (!contains(all, sw)) all.push_back(sw);
  return all;
}

/// The trees a run may use, best first: those that the first step's engine made, then breadth-first trees
/// that contain trees of islands, then breadth-first trees alone. An engine may leave out switches without
/// hosts. Where one of `needed` is left out, all other switches of its part join the engine's tree.
class Trees {
 public:
  Trees(const Fabric& fabric, const ChainRun& run, std::span<const SwitchId> requested,
        std::vector<SwitchId> roots, std::vector<SwitchId> needed)
      : fabric_(fabric), run_(run), roots_(std::move(roots)), needed_(std::move(needed)) {
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
    if (i < made_.size()) return with_needed(*made_[i]);
    i -= made_.size();
    return engines::multicast::breadth_first_tree(
        fabric_.graph(), roots_[i % roots_.size()],
        i < roots_.size() ? islands(i) : std::vector<const SpanningTree*>{});
  }

 private:
  const std::vector<SpanningTree>& made() const { return run_.trees.front(); }

  SpanningTree with_needed(const SpanningTree& tree) const {
    const SwitchId root = tree.order.front();
    const auto has = [&](SwitchId sw) { return sw == root || !tree.parent[sw.index()].is_none(); };
    if (std::ranges::all_of(needed_, has)) return tree;
    const SpanningTree* inside = &tree;
    return engines::multicast::breadth_first_tree(fabric_.graph(), root, {&inside, 1});
  }

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
  std::vector<SwitchId> roots_, needed_;
  std::vector<const SpanningTree*> made_;
  bool has_islands_ = false;
};

/// A tree for each part of a split fabric with hosts or one of `needed` that `main` does not reach; `fitted`:
/// one that fits, if there is one.
std::vector<SpanningTree> trees_of_other_parts(const Fabric& fabric, const SpanningTree& main,
                                               std::vector<SwitchId> needed, FittedTrees* fitted) {
  std::vector<bool> reached(fabric.switch_count());
  const auto reach = [&](const SpanningTree& tree) {
    for (SwitchId sw : tree.order) reached[sw.index()] = true;
  };
  reach(engines::multicast::breadth_first_tree(fabric.graph(), main.order.front()));
  std::vector<SpanningTree> others;
  for (const fabric::EndPort& host : fabric.end_ports()) needed.push_back(host.sw);
  for (const SwitchId sw : needed) {
    if (reached[sw.index()]) continue;
    SpanningTree tree = engines::multicast::breadth_first_tree(fabric.graph(), sw);
    reach(tree);
    if (fitted != nullptr && !fitted->fits(tree))
      if (auto found = fitted->search({&sw, 1}).tree) tree = std::move(*found);
    others.push_back(std::move(tree));
  }
  return others;
}

/// Clears SL bits that paths use to cross a dateline or to select a virtual layer (torus-2QoS(8)).
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

/// True if the groups close no cycle; the paths have none.
bool is_good(const verify::Verdict& verdict, bool with_switch_lids) {
  return !has_credit_loop(verdict) && (!with_switch_lids || verdict.switch_lids.sound());
}

/// For which packets a tree has to be free of credit loops.
enum class Room {
  joiners,  ///< those of the groups and of every host that may join, by any of parallel links
  members,  ///< those of the members, each group by its own links
};

void add_end(const Fabric& fabric, PortId member, TreeEnds& ends) {
  const auto sw = switch_of(fabric, member);
  if (!sw) return;
  const fabric::Port& port = fabric.port(member);
  const PortNum number = fabric.is_switch(port.node) ? port.number : fabric.port(port.peer).number;
  ends.needed[sw->index()] = true;
  auto& sources = ends.sources[sw->index()];
  if (std::ranges::find(sources, number) == sources.end()) sources.push_back(number);
}

TreeEnds ends_of(const Fabric& fabric, std::span<const MulticastGroup> groups, Room room) {
  TreeEnds ends{std::vector<std::vector<PortNum>>(fabric.switch_count()),
                std::vector<bool>(fabric.switch_count())};
  if (room == Room::joiners)
    for (const fabric::EndPort& host : fabric.end_ports()) add_end(fabric, host.port, ends);
  for (const MulticastGroup& group : groups) {
    for (const PortId member : group.members) add_end(fabric, member, ends);
    for (const PortId sender : group.senders) add_end(fabric, sender, ends);
  }
  return ends;
}

std::vector<TreePackets> packets_of(const fabric::RoutingTables& tables,
                                    std::span<const MulticastGroup> groups, Room room) {
  std::vector<TreePackets> packets;
  std::vector<std::uint8_t> sls;
  for (const MulticastGroup& group : groups) {
    if (room == Room::joiners && std::ranges::find(sls, group.sl) != sls.end()) continue;
    sls.push_back(group.sl);
    packets.push_back({[&tables, sl = group.sl](SwitchId sw, PortNum in, PortNum out) {
                         return tables.vl(sw, in, out, sl);
                       },
                       room == Room::members ? std::optional(group.mlid) : std::nullopt});
  }
  return packets;
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
    const std::vector<SwitchId> roots = roots_of(fabric_, run_, requested_, leaf_root(fabric_, groups));
    const Trees trees(fabric_, run_, requested_, roots, switches_of(fabric_, groups));
    const verify::Verdict first = try_tree(trees.at(0), groups, report);
    if (is_good(first, true)) return first;
    run_.tables.groups.clear();
    const verify::Verdict paths = prove();
    if (has_credit_loop(paths)) return try_tree(trees.at(0), groups, report);
    if (is_good(first, paths.switch_lids.sound())) return try_tree(trees.at(0), groups, report);

    // A tree that closes cycles with packets to LIDs of switches only is second best.
    if (paths.switch_lids.sound())
      if (auto found = try_fitted(trees, roots, groups, report, Room::joiners, true))
        return std::move(*found);
    complete_ = true;
    // Tables that leave pairs without a path will hardly be installed, whatever tree there is.
    run_.quick_trees = run_.quick_trees || !paths.clean();
    if (auto found = try_fitted(trees, roots, groups, report, Room::joiners, false)) return std::move(*found);
    if (auto found = try_fitted(trees, roots, groups, report, Room::members, false)) return std::move(*found);
    return route_some(trees, roots, groups, report);
  }

  /// One tree does not serve all groups: those of as many service levels as possible get one, the others
  /// wait.
  verify::Verdict route_some(const Trees& trees, std::span<const SwitchId> roots,
                             const std::vector<MulticastGroup>& groups, MulticastReport& report) {
    std::vector<std::uint8_t> sls;
    for (const MulticastGroup& group : groups)
      if (std::ranges::find(sls, group.sl) == sls.end()) sls.push_back(group.sl);
    std::vector<MulticastGroup> some;
    std::optional<verify::Verdict> routed;
    for (const std::uint8_t sl : sls.size() > 1 ? sls : std::vector<std::uint8_t>{}) {
      std::vector<MulticastGroup> more = some;
      std::ranges::copy_if(groups, std::back_inserter(more),
                           [&](const MulticastGroup& group) { return group.sl == sl; });
      std::ranges::sort(more, {}, &MulticastGroup::mlid);
      auto found = try_fitted(trees, roots, more, report, Room::members, false);
      if (!found) continue;
      some = std::move(more);
      routed = std::move(found);
    }
    if (routed && run_.tables.groups.size() != some.size())  // of a later attempt that failed
      routed = try_fitted(trees, roots, some, report, Room::members, false);
    if (!routed) {
      run_.tables.groups.clear();
      report.root = SwitchId::none();
      report.switches = 0;
      routed = prove();
    }
    say_who_waits(groups, *routed, report);
    return std::move(*routed);
  }

  void say_who_waits(const std::vector<MulticastGroup>& groups, verify::Verdict& verdict,
                     MulticastReport& report) const {
    for (const MulticastGroup& group : groups)
      if (std::ranges::find(run_.tables.groups, group.mlid, &MulticastGroup::mlid) ==
          run_.tables.groups.end())
        report.waiting.push_back(group.mlid);
    constexpr std::size_t kNamed = 8;
    std::vector<std::string> names;
    for (const Lid mlid : report.waiting)
      if (names.size() < kNamed) names.push_back(fmt::format("0x{:04X}", mlid));
    if (report.waiting.size() > kNamed)
      names.push_back(fmt::format("and {} more", report.waiting.size() - kNamed));
    const std::string who = report.waiting.size() == 1
                                ? fmt::format("multicast group {} waits", names.front())
                                : fmt::format("multicast groups {} wait", fmt::join(names, ", "));
    verdict.findings.push_back(
        {verify::FindingKind::multicast_unrouted,
         complete_
             ? fmt::format("{}: every tree closes a credit loop together with the paths", who)
             : fmt::format("{}: no tree was found that closes no credit loop together with the paths; the "
                           "search was given up before it had seen all trees",
                           who),
         report.waiting.size(),
         {},
         false});
  }

  verify::Verdict prove() const { return verify::verify(fabric_, run_.tables, options_); }

  verify::Verdict try_tree(const SpanningTree& tree, std::vector<MulticastGroup> groups,
                           MulticastReport& report, FittedTrees* fitted = nullptr) {
    const std::vector<SpanningTree> others =
        trees_of_other_parts(fabric_, tree, switches_of(fabric_, groups), fitted);
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

  /// With the first of `trees` that fits, else with one that is found. `with_switch_lids`: also beside
  /// packets to LIDs of switches.
  std::optional<verify::Verdict> try_fitted(const Trees& trees, std::span<const SwitchId> roots,
                                            const std::vector<MulticastGroup>& groups,
                                            MulticastReport& report, Room room, bool with_switch_lids) {
    run_.tables.groups.clear();
    verify::Options options = options_;
    options.switch_lids = with_switch_lids;
    options.graph = nullptr;
    FittedTrees fitted(fabric_, verify::channel_dependencies(fabric_, run_.tables, options),
                       packets_of(run_.tables, groups, room), ends_of(fabric_, groups, room));
    const auto good = [&](const SpanningTree& tree) -> std::optional<verify::Verdict> {
      verify::Verdict verdict = try_tree(tree, groups, report, &fitted);
      return is_good(verdict, with_switch_lids) ? std::optional(std::move(verdict)) : std::nullopt;
    };
    for (std::size_t i = 0; i < trees.count(); ++i)
      if (const SpanningTree tree = trees.at(i); fitted.fits(tree))
        if (auto verdict = good(tree)) return verdict;
    // A tree that is safe beside packets to hosts alone is good enough to end this search early.
    const bool is_quick = with_switch_lids || run_.quick_trees;
    const TreeSearch found =
        fitted.search(roots, is_quick ? FittedTrees::kMostWork / 20 : FittedTrees::kMostWork);
    complete_ = complete_ && found.complete;
    return found.tree ? good(*found.tree) : std::nullopt;
  }

  const Fabric& fabric_;
  const verify::Options& options_;
  ChainRun& run_;
  std::span<const SwitchId> requested_;
  bool complete_ = true;  ///< no search was given up
};

}  // namespace

verify::Verdict route_multicast(const Fabric& fabric, std::vector<MulticastGroup> groups,
                                const verify::Options& options, ChainRun& run, MulticastReport& report,
                                std::span<const SwitchId> requested) {
  return MulticastRouter(fabric, options, run, requested).route(std::move(groups), report);
}

std::string_view why_groups_wait(const verify::Verdict& verdict) {
  const auto finding =
      std::ranges::find(verdict.findings, verify::FindingKind::multicast_unrouted, &verify::Finding::kind);
  return finding == verdict.findings.end() ? std::string_view() : std::string_view(finding->message);
}

}  // namespace rch::chains
