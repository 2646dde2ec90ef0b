#include "engines/torus_2qos/slab_tree.h"

#include <algorithm>
#include <tuple>

namespace rch::engines::torus_2qos {
namespace {

/// Dimensions that are there, the first one being that of the trunk.
std::vector<std::size_t> dimensions(const Lattice& lattice) {
  std::vector<std::size_t> result;
  for (std::size_t d = 0; d < kDimensions; ++d)
    if (lattice.radix(d) > 1) result.push_back(d);
  return result;
}

/// The switch next to a position, over a cable; none if there is no such cable.
Position step(const Torus& torus, Position p, Direction way) {
  return torus.linked(p, way) ? torus.lattice().neighbor(p, way) : Position::none();
}

class Tree {
 public:
  Tree(const Torus& torus, const std::vector<bool>& damaged) : torus_(torus), damaged_(damaged) {
    const std::size_t switches = torus.placement().position_of.size();
    tree_.parent.resize(switches, SwitchId::none());
    tree_.order.reserve(switches);
    members_.reserve(switches);
    in_.resize(torus.lattice().size());
  }

  SpanningTree from(Position root) && {
    const std::vector<std::size_t> dims = dimensions(torus_.lattice());
    add(root, SwitchId::none());
    if (!dims.empty()) grow(root, dims.front());
    for (std::size_t i = 1; i < dims.size(); ++i)
      for (Position p : std::vector(members_))
        if (!damaged_[slab(p, dims.front())]) grow(p, dims[i]);
    while (!dims.empty() && hang_on(dims.front())) {
    }
    return std::move(tree_);
  }

 private:
  std::size_t slab(Position p, std::size_t trunk) const { return torus_.lattice().coordinates(p)[trunk]; }
  SwitchId at(Position p) const { return torus_.placement().switch_at[p.index()]; }
  bool has(Position p) const { return in_[p.index()]; }

  void add(Position p, SwitchId parent) {
    in_[p.index()] = true;
    members_.push_back(p);
    tree_.parent[at(p).index()] = parent;
    tree_.order.push_back(at(p));
  }

  /// One end of a branch that grows along a ring.
  struct Tip {
    Position at;
    Direction way;
    bool stopped = false;
  };

  bool at_dateline(const Tip& tip, std::size_t d) const {
    return torus_.lattice().coordinates(tip.at)[d] == (is_up(tip.way) ? torus_.lattice().radix(d) - 1 : 0);
  }
  void advance(Tip& tip) {
    const Position next = step(torus_, tip.at, tip.way);
    tip.stopped = tip.stopped || next.is_none() || has(next);
    if (tip.stopped) return;
    add(next, at(tip.at));
    tip.at = next;
  }

  /// Grows both ways up to the dateline; across it only when one of the ways met a gap (torus-2qos 6.2).
  void grow(Position from, std::size_t d) {
    std::array<Tip, 2> tips{Tip{from, down(d)}, Tip{from, up(d)}};
    for (Tip& tip : tips)
      while (!tip.stopped && !at_dateline(tip, d)) advance(tip);
    if (!tips[0].stopped && !tips[1].stopped) return;
    while (!tips[0].stopped || !tips[1].stopped)
      for (Tip& tip : tips) advance(tip);
  }

  /// Switches of damaged slabs that are not on the trunk, on what has grown beside them. False if none has:
  /// several rounds do where such slabs lie side by side.
  bool hang_on(std::size_t trunk) {
    const std::vector<bool> grown = in_;
    for (std::uint32_t i = 0; i < in_.size(); ++i) {
      const Position p(static_cast<std::uint16_t>(i));
      if (!torus_.present(p) || in_[i]) continue;
      for (Direction way : {down(trunk), up(trunk)}) {
        const Position beside = step(torus_, p, way);
        if (beside.is_none() || !grown[beside.index()] || has(p)) continue;
        add(p, at(beside));
      }
    }
    return grown != in_;
  }

  const Torus& torus_;
  const std::vector<bool>& damaged_;
  std::vector<bool> in_;  ///< by position
  std::vector<Position> members_;
  SpanningTree tree_;
};

/// By coordinate of the trunk: a switch is missing there.
std::vector<bool> damaged_slabs(const Torus& torus) {
  const std::vector<std::size_t> dims = dimensions(torus.lattice());
  if (dims.empty()) return {false};
  std::vector<bool> damaged(torus.lattice().radix(dims.front()));
  for (Position p : torus.missing()) damaged[torus.lattice().coordinates(p)[dims.front()]] = true;
  return damaged;
}

/// Positions with a switch, the best roots first.
std::vector<Position> roots(const Torus& torus, std::size_t count) {
  const Lattice& lattice = torus.lattice();
  const auto rank = [&](Position p) {
    std::size_t broken = 0, distance = 0;
    for (std::size_t d = 0; d < kDimensions; ++d) {
      const auto radix = static_cast<int>(lattice.radix(d)), off = lattice.coordinates(p)[d] - radix / 2;
      distance += static_cast<std::size_t>(std::abs(off));
      broken += d + 1 < kDimensions && std::ranges::any_of(torus.missing(), [&](Position gone) {
                  return lattice.ring(d, gone) == lattice.ring(d, p);
                });
    }
    return std::tuple(broken, distance, p);
  };
  std::vector<std::tuple<std::size_t, std::size_t, Position>> ranked;
  for (std::uint32_t i = 0; i < lattice.size(); ++i)
    if (const Position p(static_cast<std::uint16_t>(i)); torus.present(p)) ranked.push_back(rank(p));
  count = std::min(count, ranked.size());
  std::ranges::partial_sort(ranked, ranked.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<Position> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(std::get<2>(ranked[i]));
  return result;
}

}  // namespace

std::vector<SpanningTree> slab_trees(const Torus& torus, std::size_t count) {
  const std::vector<bool> damaged = damaged_slabs(torus);
  const std::size_t present = torus.lattice().size() - torus.missing().size();
  std::vector<SpanningTree> trees;
  for (Position root : roots(torus, count))
    if (SpanningTree tree = Tree(torus, damaged).from(root); tree.order.size() == present)
      trees.push_back(std::move(tree));
  return trees;
}

}  // namespace rch::engines::torus_2qos
