#include "engines/torus_2qos/multicast_tree.h"

#include <algorithm>
#include <tuple>

namespace rch::engines::torus_2qos {
namespace {

/// The adjacent position over a link; none without a link.
Position step(const Torus& torus, Position p, Direction direction) {
  return torus.linked(p, direction) ? torus.geometry().neighbor(p, direction) : Position::none();
}

class TreeBuilder {
 public:
  TreeBuilder(const Torus& torus, const std::vector<bool>& damaged) : torus_(torus), damaged_(damaged) {
    const std::size_t switches = torus.placement().position_of.size();
    tree_.parent.resize(switches, SwitchId::none());
    tree_.order.reserve(switches);
    members_.reserve(switches);
    in_.resize(torus.geometry().size());
  }

  SpanningTree build(Position root) && {
    const Geometry& geometry = torus_.geometry();
    add(root, SwitchId::none());
    add_branch(root, geometry.trunk());
    for (std::size_t d = geometry.trunk() + 1; d < kDimensions; ++d)
      for (const Position p : std::vector(members_))
        if (!damaged_[geometry.plane(p)]) add_branch(p, d);
    while (attach_damaged_planes(geometry.trunk())) {
    }
    return std::move(tree_);
  }

 private:
  SwitchId at(Position p) const { return torus_.switch_at(p); }
  bool has(Position p) const { return in_[p.index()]; }

  void add(Position p, SwitchId parent) {
    in_[p.index()] = true;
    members_.push_back(p);
    tree_.parent[at(p).index()] = parent;
    tree_.order.push_back(at(p));
  }

  /// One end of a branch along a ring.
  struct Tip {
    Position at;
    Direction direction;
    bool stopped = false;
  };

  bool at_dateline(const Tip& tip, std::size_t d) const {
    return torus_.geometry().coordinates(tip.at)[d] ==
           (is_plus(tip.direction) ? torus_.geometry().radix(d) - 1 : 0);
  }
  void advance(Tip& tip) {
    const Position next = step(torus_, tip.at, tip.direction);
    tip.stopped = tip.stopped || next.is_none() || has(next);
    if (tip.stopped) return;
    add(next, at(tip.at));
    tip.at = next;
  }

  /// Extends a branch in both directions up to the dateline, and across it only if the ring is broken
  /// (OpenSM's osm_torus.c).
  void add_branch(Position from, std::size_t d) {
    std::array<Tip, 2> tips{Tip{from, minus(d)}, Tip{from, plus(d)}};
    for (Tip& tip : tips)
      while (!tip.stopped && !at_dateline(tip, d)) advance(tip);
    if (!tips[0].stopped && !tips[1].stopped) return;
    while (!tips[0].stopped || !tips[1].stopped)
      for (Tip& tip : tips) advance(tip);
  }

  /// Attaches switches of damaged planes to the plane next to theirs. Adjacent damaged planes need several
  /// rounds. False if nothing was attached.
  bool attach_damaged_planes(std::size_t trunk) {
    const std::vector<bool> before = in_;
    for (const Position p : torus_.geometry().positions()) {
      if (!torus_.present(p) || has(p)) continue;
      for (const Direction direction : {minus(trunk), plus(trunk)}) {
        const Position parent = step(torus_, p, direction);
        if (parent.is_none() || !before[parent.index()] || has(p)) continue;
        add(p, at(parent));
      }
    }
    return before != in_;
  }

  const Torus& torus_;
  const std::vector<bool>& damaged_;
  std::vector<bool> in_;  ///< by position
  std::vector<Position> members_;
  SpanningTree tree_;
};

/// Positions with a switch, the best roots first.
std::vector<Position> roots(const Torus& torus, std::size_t count) {
  const Geometry& geometry = torus.geometry();
  const auto rank = [&](Position p) {
    std::size_t broken = 0, distance = 0;
    for (std::size_t d = 0; d < kDimensions; ++d) {
      const auto radix = static_cast<int>(geometry.radix(d)), off = geometry.coordinates(p)[d] - radix / 2;
      distance += static_cast<std::size_t>(std::abs(off));
      broken += d + 1 < kDimensions && std::ranges::any_of(torus.missing_switches(), [&](Position missing) {
                  return geometry.ring(d, missing) == geometry.ring(d, p);
                });
    }
    return std::tuple(broken, distance, p);
  };
  std::vector<std::tuple<std::size_t, std::size_t, Position>> ranked;
  for (const Position p : geometry.positions())
    if (torus.present(p)) ranked.push_back(rank(p));
  count = std::min(count, ranked.size());
  std::ranges::partial_sort(ranked, ranked.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<Position> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(std::get<2>(ranked[i]));
  return result;
}

}  // namespace

std::vector<SpanningTree> multicast_trees(const Torus& torus, std::size_t count) {
  const std::vector<bool> damaged = torus.damaged_planes();
  const std::size_t present = torus.geometry().size() - torus.missing_switches().size();
  std::vector<SpanningTree> trees;
  for (Position root : roots(torus, count))
    if (SpanningTree tree = TreeBuilder(torus, damaged).build(root); tree.order.size() == present)
      trees.push_back(std::move(tree));
  return trees;
}

}  // namespace rch::engines::torus_2qos
