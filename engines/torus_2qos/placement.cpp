#include "engines/torus_2qos/placement.h"

#include <algorithm>

namespace rch::engines::torus_2qos {
namespace {

// Two rules place every switch of a pristine torus and nearly all of a damaged one (torus-2qos 1.6,
// recommended method), each applied to the whole frontier at once so that the order of switches does not
// matter:
//
//  corner   a switch with several placed neighbours stands next to all of them; when only one empty position
//  is
//           adjacent to them all, that is its place. Fills squares and closes rings.
//  new row  when no corner is left: the neighbour w of a placed switch a continues a row that leaves a. A
//  square
//           of links through a, w and a placed neighbour of a along dimension e proves that w is not in line
//           with e; the one dimension that is not excluded is the row's. In a looped dimension of radix 4 the
//           ring is itself a square and proves nothing, so such rows come from the seed alone.
//
// A position claimed by two switches with equal support goes to neither.

/// A switch that wants a position, and how many placed neighbours speak for it.
struct Proposal {
  Position at;
  SwitchId sw;
  std::uint32_t support;
};

/// The proposal with most support for a position; no switch when several have as much.
struct Claim {
  SwitchId sw = SwitchId::none();
  std::uint32_t support = 0;
};

class Placer {
 public:
  Placer(const fabric::SwitchGraph& graph, const Lattice& lattice, Placement seeded)
      : graph_(graph),
        lattice_(lattice),
        placement_(std::move(seeded)),
        claims_(lattice.size()),
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
        if (const Position at = sole_common_gap(sw); !at.is_none()) proposals.push_back({at, sw, support});
    return proposals;
  }

  /// The only empty position adjacent to all placed neighbours; none when there is no such or more than one.
  Position sole_common_gap(SwitchId sw) const {
    const auto around = graph_.neighbors(sw);
    const auto is_placed = [&](const fabric::Neighbor& n) { return placement_.placed(n.sw); };
    const auto at = [&](const fabric::Neighbor& n) { return placement_.position_of[n.sw.index()]; };
    const Position first = at(*std::ranges::find_if(around, is_placed));
    Position sole = Position::none();
    for (std::uint8_t way = 0; way < kDirections; ++way) {
      const Position gap = gap_at(first, Direction(way));
      if (gap.is_none() || !std::ranges::all_of(around, [&](const fabric::Neighbor& n) {
            return !is_placed(n) || !lattice_.direction(at(n), gap).is_none();
          }))
        continue;
      if (!sole.is_none()) return Position::none();
      sole = gap;
    }
    return sole;
  }

  /// The adjacent position that way if it exists and is empty, else none.
  Position gap_at(Position at, Direction way) const {
    const Position p = lattice_.neighbor(at, way);
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

  /// Where w stands, judged from its placed neighbour `a` alone; none when that does not tell.
  Position row_position(SwitchId a, SwitchId w) const {
    const Position at = placement_.position_of[a.index()];
    Position found = Position::none();
    std::size_t candidates = 0;
    for (std::size_t d = 0; d < kDimensions; ++d) {
      const Position low = gap_at(at, down(d));
      const Position high = gap_at(at, up(d));
      if ((low.is_none() && high.is_none()) || !can_be_in(a, w, d)) continue;
      ++candidates;
      found = low.is_none() ? high : (high.is_none() || high == low ? low : Position::none());
    }
    return candidates == 1 ? found : Position::none();
  }

  bool can_be_in(SwitchId a, SwitchId w, std::size_t d) const {
    const Position at = placement_.position_of[a.index()];
    for (std::size_t e = 0; e < kDimensions; ++e) {
      if (e == d || (gap_at(at, down(e)).is_none() && gap_at(at, up(e)).is_none())) continue;
      if (ring_is_square(e) || !has_square(a, w, e)) return false;
    }
    return ring_is_square(d) || !has_square(a, w, d);
  }

  bool ring_is_square(std::size_t d) const { return lattice_.looped(d) && lattice_.radix(d) == 4; }

  /// True when a square of links leads through w, a, and a placed neighbour of `a` along dimension e.
  bool has_square(SwitchId a, SwitchId w, std::size_t e) const {
    const Position at = placement_.position_of[a.index()];
    for (const Direction way : {down(e), up(e)}) {
      const Position p = lattice_.neighbor(at, way);
      if (p.is_none() || placement_.empty(p)) continue;
      const SwitchId b = placement_.switch_at[p.index()];
      if (linked(a, b) && share_neighbor(b, w, a)) return true;
    }
    return false;
  }

  bool linked(SwitchId a, SwitchId b) const {
    const auto around = graph_.neighbors(a);
    return std::any_of(around.begin(), around.end(), [&](const fabric::Neighbor& n) { return n.sw == b; });
  }

  bool share_neighbor(SwitchId b, SwitchId w, SwitchId besides) const {
    const auto around = graph_.neighbors(b);
    return std::any_of(around.begin(), around.end(),
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
  const Lattice& lattice_;
  Placement placement_;
  std::vector<Claim> claims_;           ///< by position, of the proposals at hand
  std::vector<SwitchId> frontier_;      ///< unplaced switches next to placed ones
  std::vector<std::uint32_t> support_;  ///< by switch: placed neighbours
};

}  // namespace

Placement place_all(const fabric::SwitchGraph& graph, const Lattice& lattice, Placement seeded) {
  return Placer(graph, lattice, std::move(seeded)).run();
}

}  // namespace rch::engines::torus_2qos
