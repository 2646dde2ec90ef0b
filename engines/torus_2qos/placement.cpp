#include "engines/torus_2qos/placement.h"

#include <algorithm>

namespace rch::engines::torus_2qos {
namespace {

// Two rules place the switches (docs/torus.md). Each is applied to the whole frontier at
// once, so the order of switches does not matter.
//
// Corner: a switch with several placed neighbours is adjacent to all of them. If only one empty position is,
// that is its place. Fills squares and closes rings.
//
// New row: used when no corner is left. The neighbour w of a placed switch a continues a row that leaves a. A
// square of links through a, w and a placed neighbour of a along dimension e proves that w is not in line
// with e. The one dimension that is not excluded is the row's. A ring of four is itself a square and proves
// nothing, so such rows come from the seed alone.
//
// A position that two switches claim with equal support goes to neither.

/// A switch that claims a position.
struct Proposal {
  Position at;
  SwitchId sw;
  std::uint32_t support;  ///< placed neighbours that agree
};

/// The proposal with most support for a position; no switch in case of a tie.
struct Claim {
  SwitchId sw = SwitchId::none();
  std::uint32_t support = 0;
};

class Placer {
 public:
  Placer(const fabric::SwitchGraph& graph, const Geometry& geometry, Placement seeded)
      : graph_(graph),
        geometry_(geometry),
        placement_(std::move(seeded)),
        claims_(geometry.size()),
        support_(graph.switch_count()) {
    for (SwitchId sw : placement_.switch_at)
      if (!sw.is_none()) widen_frontier(sw);
  }

  Placement run() && {
    while (accept(corners()) || accept(new_rows())) {
    }
    return std::move(placement_);
  }

 private:
  std::vector<Proposal> corners() const {
    std::vector<Proposal> proposals;
    for (SwitchId sw : frontier_)
      if (const std::uint32_t support = support_[sw.index()]; support > 1)
        if (const Position at = sole_common_empty(sw); !at.is_none()) proposals.push_back({at, sw, support});
    return proposals;
  }

  /// The only empty position adjacent to all placed neighbours; none if there are more, or none.
  Position sole_common_empty(SwitchId sw) const {
    const auto neighbors = graph_.neighbors(sw);
    const auto is_placed = [&](const fabric::Neighbor& n) { return placement_.placed(n.sw); };
    const auto at = [&](const fabric::Neighbor& n) { return placement_.position_of[n.sw.index()]; };
    const Position first = at(*std::ranges::find_if(neighbors, is_placed));
    Position sole = Position::none();
    for (const Direction direction : kAllDirections) {
      const Position empty = empty_at(first, direction);
      if (empty.is_none() || !std::ranges::all_of(neighbors, [&](const fabric::Neighbor& n) {
            return !is_placed(n) || !geometry_.direction_to(at(n), empty).is_none();
          }))
        continue;
      if (!sole.is_none()) return Position::none();
      sole = empty;
    }
    return sole;
  }

  /// The adjacent position if it exists and is empty, else none.
  Position empty_at(Position at, Direction direction) const {
    const Position p = geometry_.neighbor(at, direction);
    return p.is_none() || placement_.empty(p) ? p : Position::none();
  }

  std::vector<Proposal> new_rows() const {
    std::vector<Proposal> proposals;
    for (SwitchId w : frontier_) {
      Position claim = Position::none();
      bool one_claim = true;
      for (const fabric::Neighbor& a : graph_.neighbors(w)) {
        if (!placement_.placed(a.sw)) continue;
        const Position at = row_position(a.sw, w);
        if (at.is_none()) continue;
        one_claim = one_claim && (claim.is_none() || claim == at);
        claim = at;
      }
      if (!claim.is_none() && one_claim) proposals.push_back({claim, w, 1});
    }
    return proposals;
  }

  /// Position of w by its placed neighbour `a` alone; none when that does not tell.
  Position row_position(SwitchId a, SwitchId w) const {
    const Position at = placement_.position_of[a.index()];
    Position found = Position::none();
    std::size_t candidates = 0;
    for (std::size_t d = 0; d < kDimensions; ++d) {
      const Position low = empty_at(at, minus(d));
      const Position high = empty_at(at, plus(d));
      if ((low.is_none() && high.is_none()) || !can_be_in(a, w, d)) continue;
      ++candidates;
      found = low.is_none() ? high : (high.is_none() || high == low ? low : Position::none());
    }
    return candidates == 1 ? found : Position::none();
  }

  bool can_be_in(SwitchId a, SwitchId w, std::size_t d) const {
    const Position at = placement_.position_of[a.index()];
    for (std::size_t e = 0; e < kDimensions; ++e) {
      if (e == d || (empty_at(at, minus(e)).is_none() && empty_at(at, plus(e)).is_none())) continue;
      if (ring_is_square(e) || !has_square(a, w, e)) return false;
    }
    return ring_is_square(d) || !has_square(a, w, d);
  }

  bool ring_is_square(std::size_t d) const { return geometry_.wraps(d) && geometry_.radix(d) == 4; }

  /// True when a square of links leads through w, a, and a placed neighbour of `a` along dimension e.
  bool has_square(SwitchId a, SwitchId w, std::size_t e) const {
    const Position at = placement_.position_of[a.index()];
    for (const Direction direction : {minus(e), plus(e)}) {
      const Position p = geometry_.neighbor(at, direction);
      if (p.is_none() || placement_.empty(p)) continue;
      const SwitchId b = placement_.switch_at[p.index()];
      if (linked(a, b) && share_neighbor(b, w, a)) return true;
    }
    return false;
  }

  bool linked(SwitchId a, SwitchId b) const {
    const auto neighbors = graph_.neighbors(a);
    return std::ranges::find(neighbors, b, &fabric::Neighbor::sw) != neighbors.end();
  }

  bool share_neighbor(SwitchId b, SwitchId w, SwitchId besides) const {
    return std::ranges::any_of(graph_.neighbors(b),
                               [&](const fabric::Neighbor& n) { return n.sw != besides && linked(w, n.sw); });
  }

  /// Places every proposal that has strictly most support for its position. True when something was placed.
  bool accept(const std::vector<Proposal>& proposals) {
    for (const Proposal& p : proposals) {
      Claim& best = claims_[p.at.index()];
      if (p.support > best.support) {
        best = {p.sw, p.support};
      } else if (p.support == best.support) {
        best.sw = SwitchId::none();
      }
    }
    std::vector<SwitchId> accepted;
    for (const Proposal& p : proposals) {
      if (claims_[p.at.index()].sw != p.sw) continue;
      placement_.put(p.sw, p.at);
      accepted.push_back(p.sw);
    }
    for (const Proposal& p : proposals) claims_[p.at.index()] = {};
    std::erase_if(frontier_, [&](SwitchId sw) { return placement_.placed(sw); });
    for (SwitchId sw : accepted) widen_frontier(sw);
    return !accepted.empty();
  }

  void widen_frontier(SwitchId placed) {
    for (const fabric::Neighbor& n : graph_.neighbors(placed))
      if (support_[n.sw.index()]++ == 0 && !placement_.placed(n.sw)) frontier_.push_back(n.sw);
  }

  const fabric::SwitchGraph& graph_;
  const Geometry& geometry_;
  Placement placement_;
  std::vector<Claim> claims_;           ///< by position, of the current proposals
  std::vector<SwitchId> frontier_;      ///< unplaced switches next to placed ones
  std::vector<std::uint32_t> support_;  ///< by switch: placed neighbours
};

}  // namespace

Placement place_all(const fabric::SwitchGraph& graph, const Geometry& geometry, Placement seeded) {
  return Placer(graph, geometry, std::move(seeded)).run();
}

}  // namespace rch::engines::torus_2qos
