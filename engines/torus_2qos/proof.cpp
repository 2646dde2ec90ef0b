#include "engines/torus_2qos/proof.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.h"
#include "engines/torus_2qos/dependencies.h"

namespace rch::engines::torus_2qos {
namespace {

// The early turn that leads around a missing switch is made only on the way to its slab: all positions with
// its coordinate in the first dimension (torus-2qos 2.3). So the dependencies come in two lots.
//
//  - Routes to undamaged slabs take each dimension straight to its target, one after the other. What they do
//    on a ring depends on that ring alone, and where two rings meet any arrival meets any departure. Their
//    dependencies are laid ring by ring, without looking at pairs of switches (torus-2qos 8).
//  - Routes to a damaged slab are followed one destination at a time, all sources together: from the leaves
//    of the tree they form towards its root, each branch with the set of service levels that use it.

/// Lane bit of the hop after a turn against the order.
constexpr unsigned kTurnLane = 2;

/// First dimension there is.
std::size_t trunk(const Lattice& lattice) {
  std::size_t d = 0;
  while (d + 1 < kDimensions && lattice.radix(d) == 1) ++d;
  return d;
}

/// By coordinate of the first dimension: does a switch miss there?
std::vector<bool> damaged_slabs(const Torus& torus, std::size_t first) {
  std::vector<bool> damaged(torus.lattice().radix(first), false);
  for (Position p : torus.missing()) damaged[torus.lattice().coordinates(p)[first]] = true;
  return damaged;
}

class Undamaged {
 public:
  Undamaged(const Torus& torus, const RingTables& rings, Dependencies& dependencies)
      : torus_(torus),
        lattice_(torus.lattice()),
        rings_(rings),
        first_(trunk(lattice_)),
        damaged_(damaged_slabs(torus, first_)),
        dependencies_(dependencies),
        ends_(lattice_.size()) {}

  void add() {
    for (std::size_t d = first_; d < kDimensions; ++d)
      for (std::size_t ring = 0; ring < lattice_.ring_count(d); ++ring) add_ring(d, ring);
    for (std::size_t p = 0; p < lattice_.size(); ++p) add_turns(Position(static_cast<std::uint16_t>(p)));
  }

 private:
  /// Legs of routes that end or begin at a position: bit 2 * direction + lane.
  struct Ends {
    std::array<std::uint16_t, kDimensions> arrivals{}, departures{};
  };

  bool is_target(Position p) const { return !damaged_[lattice_.coordinates(p)[first_]]; }

  void add_ring(std::size_t d, std::size_t ring) {
    if (d != first_ && !is_target(lattice_.on_ring(d, ring, 0))) return;
    for (std::uint32_t t = 0; t < lattice_.radix(d); ++t) {
      const Position to = lattice_.on_ring(d, ring, t);
      if (!is_target(to)) continue;
      for (std::uint32_t s = 0; s < lattice_.radix(d); ++s) {
        const Position from = lattice_.on_ring(d, ring, s);
        if (s != t && torus_.present(from)) add_leg(d, from, to);
      }
    }
  }

  void add_leg(std::size_t d, Position from, Position to) {
    const std::uint32_t target = lattice_.coordinates(to)[d];
    const std::uint8_t lane = lattice_.crosses(d, lattice_.coordinates(from)[d], target) ? 1 : 0;
    const Direction way(rings_.ways(d, from)[target]);
    const auto end = static_cast<std::uint16_t>(1U << (2 * way.value + lane));
    ends_[from.index()].departures[d] |= end;
    ends_[to.index()].arrivals[d] |= end;
    for (Position p = lattice_.neighbor(from, way); p != to; p = lattice_.neighbor(p, way))
      dependencies_.add(p, way, lane, way, lane);
  }

  void add_turns(Position at) {
    const Ends& ends = ends_[at.index()];
    for (std::size_t d = first_; d < kDimensions; ++d)
      for (std::size_t e = d + 1; e < kDimensions; ++e)
        for (unsigned in = 0; in < 2 * kDirections; ++in)
          for (unsigned out = 0; out < 2 * kDirections; ++out)
            if ((ends.arrivals[d] >> in & 1U) != 0 && (ends.departures[e] >> out & 1U) != 0)
              dependencies_.add(
                  at, Direction(static_cast<std::uint8_t>(in / 2)), static_cast<std::uint8_t>(in % 2),
                  Direction(static_cast<std::uint8_t>(out / 2)), static_cast<std::uint8_t>(out % 2));
  }

  const Torus& torus_;
  const Lattice& lattice_;
  const RingTables& rings_;
  std::size_t first_;
  std::vector<bool> damaged_;
  Dependencies& dependencies_;
  std::vector<Ends> ends_;
};

/// The routes from all switches to one. Reusable, so that memory is asked for once.
class Tree {
 public:
  Tree(const Torus& torus, const RingTables& rings, unsigned lane_mask, Dependencies& dependencies)
      : torus_(torus),
        lattice_(torus.lattice()),
        rings_(rings),
        lane_mask_(lane_mask),
        dependencies_(dependencies),
        branches_(lattice_.size()) {}

  /// Adds what depends on what. Returns the sources that do not arrive.
  std::vector<Position> follow(Position to) {
    plant(to);
    std::size_t arrived = 0;
    while (!tips_.empty()) {
      const Position p = tips_.back();
      tips_.pop_back();
      if (p == to) continue;
      Branch& branch = branches_[p.index()];
      branch.legal |= level_bit(p, to);
      ++branch.sources;
      if (branch.way == RingTables::kNoWay) continue;
      const Position next = lattice_.neighbor(p, Direction(branch.way));
      if (next == to) {
        arrived += branch.sources;
      } else {
        pass_on(branch, next);
      }
      if (--branches_[next.index()].children == 0) tips_.push_back(next);
    }
    return arrived == torus_.lattice().size() - torus_.missing().size() - 1 ? std::vector<Position>{}
                                                                            : strays(to);
  }

 private:
  /// Routes that leave a position; levels are sets of service levels, of 3 bits each.
  struct Branch {
    std::uint8_t way = RingTables::kNoWay;
    std::uint8_t legal = 0;    ///< levels that leave in order or straight on,
    std::uint8_t illegal = 0;  ///< and those that turn against the order here
    std::uint32_t children = 0;
    std::uint32_t sources = 0;
  };

  void plant(Position to) {
    std::fill(branches_.begin(), branches_.end(), Branch{});
    tips_.clear();
    for (std::size_t i = 0; i < lattice_.size(); ++i) {
      const Position p(static_cast<std::uint16_t>(i));
      if (p == to || !torus_.present(p)) continue;
      const std::uint8_t way = branches_[i].way = way_to(p, to);
      if (way != RingTables::kNoWay) ++branches_[lattice_.neighbor(p, Direction(way)).index()].children;
    }
    for (std::size_t i = 0; i < lattice_.size(); ++i) {
      const Position p(static_cast<std::uint16_t>(i));
      if (branches_[i].children == 0 && torus_.present(p)) tips_.push_back(p);
    }
  }

  std::uint8_t way_to(Position from, Position to) const {
    for (std::size_t d = 0; d < kDimensions; ++d) {
      const std::uint32_t target = lattice_.coordinates(to)[d];
      if (target == lattice_.coordinates(from)[d]) continue;
      if (const std::uint8_t way = rings_.ways(d, from)[target]; way != RingTables::kNoWay) return way;
    }
    return RingTables::kNoWay;
  }

  std::uint8_t level_bit(Position from, Position to) const {
    const Coordinates &a = lattice_.coordinates(from), &b = lattice_.coordinates(to);
    unsigned level = 0;
    for (std::size_t d = 0; d < kDimensions; ++d) level |= (lattice_.crosses(d, a[d], b[d]) ? 1U : 0U) << d;
    return static_cast<std::uint8_t>(1U << level);
  }

  void pass_on(const Branch& from, Position at) {
    Branch& on = branches_[at.index()];
    on.sources += from.sources;
    if (on.way == RingTables::kNoWay) return;
    const Direction in(from.way), out(on.way);
    const bool turns = dimension_of(in) > dimension_of(out);
    (turns ? on.illegal : on.legal) |= from.legal | from.illegal;
    for (unsigned level = 0; level < 8; ++level) {
      const unsigned in_side = level >> dimension_of(in) & 1U;
      const unsigned out_lane = (level >> dimension_of(out) & 1U) | (turns ? kTurnLane : 0U);
      if ((from.legal >> level & 1U) != 0) add(at, in, in_side, out, out_lane);
      if ((from.illegal >> level & 1U) != 0) add(at, in, in_side | kTurnLane, out, out_lane);
    }
  }

  void add(Position at, Direction in, unsigned in_lane, Direction out, unsigned out_lane) {
    dependencies_.add(at, in, static_cast<std::uint8_t>(in_lane & lane_mask_), out,
                      static_cast<std::uint8_t>(out_lane & lane_mask_));
  }

  /// Switches from which routes go in circles or end early.
  std::vector<Position> strays(Position to) const {
    std::vector<Position> found;
    for (std::size_t i = 0; i < lattice_.size(); ++i) {
      const Position from(static_cast<std::uint16_t>(i));
      if (from == to || !torus_.present(from)) continue;
      Position p = from;
      for (std::size_t hops = 0; p != to && hops < lattice_.size(); ++hops) {
        const std::uint8_t way = branches_[p.index()].way;
        if (way == RingTables::kNoWay) break;
        p = lattice_.neighbor(p, Direction(way));
      }
      if (p != to) found.push_back(from);
    }
    return found;
  }

  const Torus& torus_;
  const Lattice& lattice_;
  const RingTables& rings_;
  unsigned lane_mask_;
  Dependencies& dependencies_;
  std::vector<Branch> branches_;  ///< by position
  std::vector<Position> tips_;    ///< positions whose branches have all been followed
};

/// What the routes around the missing switches come to.
struct Outcome {
  Dependencies dependencies;
  std::size_t unroutable = 0;                                               ///< ordered pairs of switches
  std::pair<Position, Position> first{Position::none(), Position::none()};  ///< the first of them
};

void follow_damaged(const Torus& torus, const RingTables& rings, unsigned lane_mask, Outcome& outcome) {
  const Lattice& lattice = torus.lattice();
  const std::size_t first = trunk(lattice);
  const std::vector<bool> damaged = damaged_slabs(torus, first);
  std::vector<Position> targets;
  for (std::size_t i = 0; i < lattice.size(); ++i) {
    const Position p(static_cast<std::uint16_t>(i));
    if (damaged[lattice.coordinates(p)[first]] && torus.present(p)) targets.push_back(p);
  }
  std::mutex merging;
  parallel_ranges(targets.size(), 32, [&](std::size_t begin, std::size_t end) {
    Dependencies piece(lattice);
    Tree tree(torus, rings, lane_mask, piece);
    std::size_t unroutable = 0;
    std::pair<Position, Position> witness{Position::none(), Position::none()};
    for (std::size_t i = begin; i < end; ++i) {
      const std::vector<Position> strays = tree.follow(targets[i]);
      if (strays.empty()) continue;
      unroutable += strays.size();
      witness = std::min(witness, {strays.front(), targets[i]});
    }
    const std::scoped_lock lock(merging);
    outcome.dependencies |= piece;
    outcome.unroutable += unroutable;
    outcome.first = std::min(outcome.first, witness);
  });
}

Outcome follow_all(const Torus& torus, const RingTables& rings, std::uint8_t vls) {
  Outcome outcome{Dependencies(torus.lattice())};
  Undamaged(torus, rings, outcome.dependencies).add();
  follow_damaged(torus, rings, vls < 4 ? 1 : 3, outcome);
  return outcome;
}

std::string missing_names(const Torus& torus) {
  std::vector<std::string> names;
  for (Position p : torus.missing()) names.push_back(torus.lattice().name(p));
  return list_some(names, " ");
}

tl::unexpected<EngineFailure> refuse_unroutable(const fabric::SubFabric& view, const Torus& torus,
                                                const Outcome& outcome) {
  const Lattice& lattice = torus.lattice();
  const auto [from, to] = outcome.first;
  const SwitchId a = torus.placement().switch_at[from.index()], b = torus.placement().switch_at[to.index()];
  return refuse(
      "unroutable",
      fmt::format("{} of switches {} no way around the positions without switch, {}: {} to {} "
                  "among them, from {} to {}",
                  counted(outcome.unroutable, "pair"), outcome.unroutable == 1 ? "has" : "have",
                  missing_names(torus), lattice.name(from), lattice.name(to), title(view, a), title(view, b)),
      {view.node(a).guid, view.node(b).guid});
}

tl::unexpected<EngineFailure> refuse_circle(const fabric::SubFabric& view, const Torus& torus,
                                            const std::vector<Channel>& circle) {
  std::vector<std::string> names;
  std::vector<Guid> guids;
  for (const Channel& channel : circle) {
    names.push_back(torus.lattice().name(channel.from));
    guids.push_back(view.node(torus.placement().switch_at[channel.from.index()]).guid);
  }
  return refuse("credit-loop",
                fmt::format("there is no switch at {}, and the ways around would wait for each other in a "
                            "circle of {}: {}",
                            missing_names(torus), counted(circle.size(), "cable"), fmt::join(names, " ")),
                std::move(guids));
}

}  // namespace

Attempt<void> prove(const fabric::SubFabric& view, const Torus& torus, const RingTables& rings,
                    const VlCounts& vls, const Options& options) {
  if (torus.missing().empty()) return {};
  const Outcome outcome = follow_all(torus, rings, vls.between_switches);
  if (outcome.unroutable > 0) return refuse_unroutable(view, torus, outcome);
  const std::vector<Channel> circle = outcome.dependencies.circle();
  if (circle.empty()) return {};
  if (vls.between_switches < 4 && follow_all(torus, rings, 4).dependencies.circle().empty())
    return refuse_few_vls(view, vls, options, 4);
  return refuse_circle(view, torus, circle);
}

}  // namespace rch::engines::torus_2qos
