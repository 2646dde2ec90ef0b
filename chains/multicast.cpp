#include "chains/multicast.h"

#include <algorithm>

#include "engines/common/distances.h"
#include "engines/multicast/branches.h"
#include "engines/multicast/growth.h"
#include "engines/multicast/roots.h"

namespace rch::chains {
namespace {

using engines::SpanningTree;
using fabric::Fabric;
using fabric::MulticastGroup;

/// Trees grown from a switch in the middle that are tried at most.
constexpr std::size_t kRoots = 8;

/// The trees a run may use, best first.
class Trees {
 public:
  Trees(const Fabric& fabric, const ChainRun& run) : fabric_(fabric), run_(run) {
    if (made().empty())
      roots_ = engines::multicast::roots(
          fabric, run.hops ? *run.hops : engines::common::distances(fabric.graph()), kRoots);
  }

  std::size_t count() const { return made().empty() ? roots_.size() : made().size(); }
  SpanningTree at(std::size_t i) const {
    return made().empty() ? engines::multicast::grow(fabric_.graph(), roots_[i], islands(i)) : made()[i];
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
};

/// Multicast must keep off the lanes behind a dateline, which only the quality bit of an SL does where other
/// bits say what datelines a path crosses (torus-2qos 6).
void keep_off_datelines(const ChainRun& run, std::vector<MulticastGroup>& groups,
                        std::vector<std::string>& remarks) {
  constexpr std::uint8_t kQuality = 8;
  const bool datelines = std::ranges::any_of(
      run.tables.steps, [](const fabric::RoutedStep& step) { return !step.sl.dimensions.empty(); });
  if (!datelines) return;
  for (MulticastGroup& group : groups) {
    const std::uint8_t sl = group.sl & kQuality;
    if (sl != group.sl)
      remarks.push_back(
          fmt::format("multicast LID 0x{:04X} gets SL {} for {}: other bits are those of datelines",
                      group.mlid, sl, group.sl));
    group.sl = sl;
  }
}

bool has_credit_loop(const verify::Verdict& verdict) {
  return std::ranges::any_of(verdict.findings, [](const verify::Finding& finding) {
    return finding.kind == verify::FindingKind::credit_loop;
  });
}

class Layer {
 public:
  Layer(const Fabric& fabric, const verify::Options& options, ChainRun& run)
      : fabric_(fabric), options_(options), run_(run) {}

  verify::Verdict lay(std::vector<MulticastGroup> groups, MulticastReport& report) {
    if (groups.empty()) return prove();
    keep_off_datelines(run_, groups, report.remarks);
    const Trees trees(fabric_, run_);
    verify::Verdict verdict = try_tree(trees.at(0), groups, report);
    if (!has_credit_loop(verdict)) return verdict;
    run_.tables.groups.clear();
    if (!has_credit_loop(prove()))
      for (std::size_t i = 1; i < trees.count(); ++i)
        if (verify::Verdict other = try_tree(trees.at(i), groups, report); !has_credit_loop(other))
          return other;
    return try_tree(trees.at(0), groups, report);
  }

 private:
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

  const Fabric& fabric_;
  const verify::Options& options_;
  ChainRun& run_;
};

}  // namespace

verify::Verdict lay_multicast(const Fabric& fabric, std::vector<MulticastGroup> groups,
                              const verify::Options& options, ChainRun& run, MulticastReport& report) {
  return Layer(fabric, options, run).lay(std::move(groups), report);
}

}  // namespace rch::chains
