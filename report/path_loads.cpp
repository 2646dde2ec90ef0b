#include "report/path_loads.h"

#include <algorithm>

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "verify/columns.h"
#include "verify/wiring.h"

namespace rch::report {
namespace {

using verify::Destination;
using verify::Exit;
using verify::Wiring;

/// Port capabilities do not matter: no path is looked at by VL.
constexpr std::uint8_t kAnyVls = 5;

void add(std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

/// Adds up destinations, one after the other.
class LoadWalk {
 public:
  LoadWalk(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, const Wiring& wiring)
      : fabric_(fabric),
        tables_(tables),
        wiring_(wiring),
        child_(wiring.switch_count()),
        sibling_(wiring.switch_count()),
        depth_(wiring.switch_count()),
        weight_(wiring.switch_count()) {
    loads.by_step.assign(tables.steps.size(), std::vector<std::uint64_t>(fabric.ports().size()));
  }

  void add(const Destination& to) {
    const auto root = static_cast<std::uint32_t>(to.owner.sw.index());
    if (!to.handed_over(root, verify::entry(tables_.lfts, to.owner.sw, to.lid))) return;
    link(to.lid, root);
    order_.assign(1, root);
    depth_[root] = 0;
    for (std::size_t at = 0; at < order_.size(); ++at)
      for (std::uint32_t next = child_[order_[at]]; next != kNone; next = sibling_[next]) {
        depth_[next] = depth_[order_[at]] + 1;
        order_.push_back(next);
      }
    for (const std::uint32_t sw : order_) weight_[sw] = wiring_.sources_of(sw).size();
    weight_[root] -= 1;  // the owner itself
    for (std::size_t at = order_.size(); at-- > 0;) count(order_[at], to.lid, root);
  }

  PathLoads loads;

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  /// Children of a switch are those whose entry leads to it.
  void link(Lid lid, std::uint32_t root) {
    std::ranges::fill(child_, kNone);
    for (std::uint32_t sw = 0; sw < child_.size(); ++sw) {
      if (sw == root) continue;
      const Exit& exit = wiring_.exit(sw, tables_.lfts.at(SwitchId(sw), lid));
      if (exit.kind != Exit::Kind::to_switch || exit.to == sw) continue;
      sibling_[sw] = child_[exit.to];
      child_[exit.to] = sw;
    }
  }

  void count(std::uint32_t sw, Lid lid, std::uint32_t root) {
    const std::uint64_t from_here = wiring_.sources_of(sw).size() - (sw == root ? 1U : 0U);
    const std::size_t cables = depth_[sw] + std::size_t{2};
    if (loads.hops.size() <= cables) loads.hops.resize(cables + 1);
    loads.hops[cables] += from_here;
    loads.pairs += from_here;
    if (sw == root) return;
    const std::uint8_t out = tables_.lfts.at(SwitchId(sw), lid);
    const std::size_t step = tables_.steps.size() == 1 ? 0 : tables_.step_of(SwitchId(sw), lid);
    loads.by_step[step][fabric_.port_id(SwitchId(sw), PortNum(out)).index()] += weight_[sw];
    weight_[wiring_.exit(sw, out).to] += weight_[sw];
  }

  const fabric::Fabric& fabric_;
  const fabric::RoutingTables& tables_;
  const Wiring& wiring_;
  std::vector<std::uint32_t> child_, sibling_, depth_, order_;
  std::vector<std::uint64_t> weight_;  ///< by switch: sources behind it
};

}  // namespace

PathLoads path_loads(const fabric::Fabric& fabric, const fabric::RoutingTables& tables) {
  const Wiring wiring(fabric, kAnyVls);
  const std::vector<Destination> targets = verify::destinations(fabric, wiring);
  constexpr std::size_t kGrain = 512;
  PathLoads none = LoadWalk(fabric, tables, wiring).loads;
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, targets.size(), kGrain), none,
      [&](const tbb::blocked_range<std::size_t>& range, PathLoads loads) {
        LoadWalk walk(fabric, tables, wiring);
        walk.loads = std::move(loads);
        for (std::size_t i = range.begin(); i < range.end(); ++i) walk.add(targets[i]);
        return std::move(walk.loads);
      },
      [](PathLoads a, const PathLoads& b) {
        for (std::size_t step = 0; step < a.by_step.size(); ++step) add(a.by_step[step], b.by_step[step]);
        add(a.hops, b.hops);
        a.pairs += b.pairs;
        return a;
      });
}

}  // namespace rch::report
