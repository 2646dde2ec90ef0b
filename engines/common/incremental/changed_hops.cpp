#include "engines/common/incremental/changed_hops.h"

#include <algorithm>
#include <utility>

#include "engines/common/distances.h"

// An added link makes distances shorter, never longer. A destination to which no added link brings its own
// switch nearer keeps all its distances. The others are searched from these links on, as far as a distance
// changes. What a lost link was good for is found by adding it again.

namespace rch::engines::common {
namespace {

/// An entry as it was.
struct Change {
  std::size_t index;
  ChangedHop hop;
  std::uint8_t was;
};

/// Adds links to a graph whose distances are known.
class DistanceUpdate {
 public:
  /// `arcs` by `to`. Keeps references.
  DistanceUpdate(const fabric::SwitchGraph& graph, const WeightedGraph& weights, std::span<const Arc> arcs,
                 HopMatrix& hops)
      : graph_(graph), weights_(weights), arcs_(arcs), hops_(hops) {}

  /// Returns what it has changed, in order.
  std::vector<Change> run() && {
    if (arcs_.empty()) return {};
    for (SwitchId to : nearer_destinations()) search(to);
    return std::move(changes_);
  }

 private:
  /// Destinations that some arc brings nearer to the switch that it leaves.
  std::vector<SwitchId> nearer_destinations() const {
    std::vector<std::uint8_t> nearer(hops_.switch_count);
    for (const Arc& arc : arcs_) {
      const auto from = hops_.row(arc.from), to = hops_.row(arc.to);
      for (std::size_t d = 0; d < nearer.size(); ++d)
        nearer[d] = static_cast<std::uint8_t>(nearer[d] | (to[d] + arc.weight < from[d]));
    }
    std::vector<SwitchId> found;
    for (std::uint32_t d = 0; d < nearer.size(); ++d)
      if (nearer[d] != 0) found.push_back(SwitchId(d));
    return found;
  }

  void search(SwitchId to) {
    reached_.clear();
    for (const Arc& arc : arcs_) offer(arc.from, to, hops_.at(arc.to, to) + arc.weight);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      const SwitchId near = reached_[i];
      const int hops = hops_.at(near, to);
      for (const fabric::Neighbor& n : graph_.neighbors(near)) offer(n.sw, to, hops + weight_from(n));
      for (const Arc& arc : arcs_at<&Arc::to>(arcs_, near)) offer(arc.from, to, hops + arc.weight);
    }
  }

  void offer(SwitchId from, SwitchId to, int hops) {
    const std::size_t index = from.index() * hops_.switch_count + to.index();
    if (hops >= hops_.hops[index]) return;
    changes_.push_back({index, {from, to}, hops_.hops[index]});
    hops_.hops[index] = static_cast<std::uint8_t>(hops);
    reached_.push_back(from);
  }

  /// The weight of the cheapest link by which a neighbor sends here.
  int weight_from(const fabric::Neighbor& n) const {
    if (weights_.weights().empty()) return 1;
    int least = HopMatrix::kUnknown;
    for (const fabric::SwitchLink& link : graph_.links(n))
      least = std::min<int>(least, weights_.weight(n.sw, link.in));
    return least;
  }

  const fabric::SwitchGraph& graph_;
  const WeightedGraph& weights_;
  std::span<const Arc> arcs_;
  HopMatrix& hops_;
  std::vector<SwitchId> reached_;
  std::vector<Change> changes_;
};

}  // namespace

HopMatrix first_switches(HopMatrix matrix, std::size_t count) {
  if (count == matrix.switch_count) return matrix;
  for (std::size_t s = 0; s < count; ++s)
    std::copy_n(matrix.hops.begin() + static_cast<std::ptrdiff_t>(s * matrix.switch_count), count,
                matrix.hops.begin() + static_cast<std::ptrdiff_t>(s * count));
  matrix.hops.resize(count * count);
  matrix.switch_count = count;
  return matrix;
}

UpdatedHops update_distances(const Rerouting& rerouting) {
  const WeightedGraph& weights = rerouting.now().links();
  UpdatedHops updated{distances(rerouting.common(), weights), {}};
  const auto add = [&](std::span<const Arc> arcs) {
    std::vector<Change> changes = DistanceUpdate(rerouting.common(), weights, arcs, updated.now).run();
    for (const Change& change : changes) updated.changed.push_back(change.hop);
    return changes;
  };
  const std::vector<Change> undone = add(rerouting.lost());
  for (auto change = undone.rbegin(); change != undone.rend(); ++change)
    updated.now.hops[change->index] = change->was;
  add(rerouting.added());
  updated.now = first_switches(std::move(updated.now), weights.graph().switch_count());
  return updated;
}

}  // namespace rch::engines::common
