#include "engines/common/incremental/changed_hops.h"

#include <algorithm>
#include <utility>

#include "engines/common/distances.h"
#include "engines/common/sweep.h"

// A cable more makes ways shorter, never longer. A destination to which no cable of the few new ones makes
// its own switch nearer keeps all its distances; the others are searched from those cables on, as far as
// something changes. What a lost cable was good for is found by putting it back.

namespace rch::engines::common {
namespace {

/// An entry as it was.
struct Change {
  std::size_t place;
  ChangedHop pair;
  std::uint8_t was;
};

/// Puts cables into a graph whose distances are known.
class Shortening {
 public:
  /// `arcs` by `to`. Keeps references.
  Shortening(const fabric::SwitchGraph& graph, const PortContext& costs, std::span<const Arc> arcs,
             HopMatrix& hops)
      : graph_(graph), costs_(costs), arcs_(arcs), hops_(hops) {}

  /// What it has changed, in order.
  std::vector<Change> run() && {
    if (arcs_.empty()) return {};
    for (std::uint32_t d : destinations()) search(SwitchId(d));
    return std::move(changes_);
  }

 private:
  /// To which an arc makes the switch that it leaves nearer.
  std::vector<std::uint32_t> destinations() const {
    std::vector<std::uint8_t> nearer(hops_.switch_count);
    for (const Arc& arc : arcs_) {
      const auto from = hops_.row(arc.from), to = hops_.row(arc.to);
      for (std::size_t d = 0; d < nearer.size(); ++d)
        nearer[d] = static_cast<std::uint8_t>(nearer[d] | (to[d] + arc.weight < from[d]));
    }
    std::vector<std::uint32_t> found;
    for (std::uint32_t d = 0; d < nearer.size(); ++d)
      if (nearer[d] != 0) found.push_back(d);
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
    const std::size_t place = from.index() * hops_.switch_count + to.index();
    if (hops >= hops_.hops[place]) return;
    changes_.push_back({place, {from, to}, hops_.hops[place]});
    hops_.hops[place] = static_cast<std::uint8_t>(hops);
    reached_.push_back(from);
  }

  /// Of the cheapest cable by which a neighbour sends here.
  int weight_from(const fabric::Neighbor& n) const {
    if (costs_.weights().empty()) return 1;
    int least = HopMatrix::kUnknown;
    for (const fabric::SwitchLink& link : graph_.links(n))
      least = std::min<int>(least, costs_.weight(n.sw, link.in));
    return least;
  }

  const fabric::SwitchGraph& graph_;
  const PortContext& costs_;
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

HopsSince distances(const EarlierPlan& earlier) {
  const PortContext& costs = earlier.now();
  HopsSince since{distances(earlier.common(), costs), {}};
  const auto shorten = [&](std::span<const Arc> arcs) {
    std::vector<Change> changes = Shortening(earlier.common(), costs, arcs, since.now).run();
    for (const Change& change : changes) since.moved.push_back(change.pair);
    return changes;
  };
  const std::vector<Change> undone = shorten(earlier.lost());
  for (auto change = undone.rbegin(); change != undone.rend(); ++change)
    since.now.hops[change->place] = change->was;
  shorten(earlier.gained());
  since.now = first_switches(std::move(since.now), costs.graph().switch_count());
  return since;
}

}  // namespace rch::engines::common
