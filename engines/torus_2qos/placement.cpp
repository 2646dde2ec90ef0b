#include "engines/torus_2qos/placement.h"

#include <algorithm>
#include <optional>
#include <tuple>

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

class Placer {
 public:
  Placer(const fabric::SwitchGraph& graph, const Lattice& lattice, Placement seeded)
      : graph_(graph), lattice_(lattice), placement_(std::move(seeded)), in_frontier_(graph.switch_count()) {
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
    for (SwitchId sw : frontier_) {
      std::uint32_t support = 0;
      for (const fabric::Neighbor& n : graph_.neighbors(sw)) support += placement_.placed(n.sw) ? 1 : 0;
      if (support < 2) continue;
      if (const Position at = sole_common_gap(sw); !at.is_none()) proposals.push_back({at, sw, support});
    }
    return proposals;
  }

  /// The only empty position adjacent to all placed neighbours; none when there is no such or more than one.
  Position sole_common_gap(SwitchId sw) const {
    std::optional<std::vector<Position>> common;
    for (const fabric::Neighbor& n : graph_.neighbors(sw)) {
      if (!placement_.placed(n.sw)) continue;
      const Position at = placement_.position_of[n.sw.index()];
      if (!common) {
        common = gaps_around(at);
      } else {
        std::erase_if(*common, [&](Position gap) { return lattice_.direction(at, gap).is_none(); });
      }
    }
    return common && common->size() == 1 ? common->front() : Position::none();
  }

  std::vector<Position> gaps_around(Position at) const {
    std::vector<Position> gaps;
    for (std::uint8_t way = 0; way < kDirections; ++way)
      if (const Position gap = gap_at(at, Direction(way)); !gap.is_none()) gaps.push_back(gap);
    return gaps;
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
  bool accept(std::vector<Proposal> proposals) {
    std::sort(proposals.begin(), proposals.end(), [](const Proposal& a, const Proposal& b) {
      return std::tie(a.at, b.support, a.sw) < std::tie(b.at, a.support, b.sw);
    });
    std::vector<SwitchId> accepted;
    for (std::size_t i = 0; i < proposals.size(); ++i) {
      const Proposal& best = proposals[i];
      if (i > 0 && proposals[i - 1].at == best.at) continue;
      const bool tied = i + 1 < proposals.size() && proposals[i + 1].at == best.at &&
                        proposals[i + 1].support == best.support;
      if (tied) continue;
      placement_.put(best.sw, best.at);
      accepted.push_back(best.sw);
    }
    std::erase_if(frontier_, [&](SwitchId sw) { return placement_.placed(sw); });
    for (SwitchId sw : accepted) widen_frontier(sw);
    return !accepted.empty();
  }

  void widen_frontier(SwitchId placed) {
    for (const fabric::Neighbor& n : graph_.neighbors(placed)) {
      if (placement_.placed(n.sw) || in_frontier_[n.sw.index()]) continue;
      in_frontier_[n.sw.index()] = true;
      frontier_.push_back(n.sw);
    }
  }

  const fabric::SwitchGraph& graph_;
  const Lattice& lattice_;
  Placement placement_;
  std::vector<SwitchId> frontier_;  ///< unplaced switches next to placed ones
  std::vector<bool> in_frontier_;   ///< by switch: is or was in the frontier
};

}  // namespace

Placement place_all(const fabric::SwitchGraph& graph, const Lattice& lattice, Placement seeded) {
  return Placer(graph, lattice, std::move(seeded)).run();
}

}  // namespace rch::engines::torus_2qos
