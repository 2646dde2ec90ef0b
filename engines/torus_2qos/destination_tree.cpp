#include "engines/torus_2qos/destination_tree.h"

#include <algorithm>

namespace rch::engines::torus_2qos {
namespace {

/// VL bit of the hop after an illegal turn.
constexpr unsigned kTurnVlBit = 2;

}  // namespace

DestinationTree::DestinationTree(const Torus& torus, const RingTables& rings, unsigned vl_mask,
                                 ChannelDependencies& dependencies)
    : torus_(torus),
      geometry_(torus.geometry()),
      rings_(rings),
      vl_mask_(vl_mask),
      dependencies_(dependencies),
      branches_(geometry_.size()) {}

std::vector<Position> DestinationTree::add_routes_to(Position to) {
  build(to);
  std::size_t arrived = 0;
  while (!leaves_.empty()) {
    const Position p = leaves_.back();
    leaves_.pop_back();
    if (p == to) continue;
    Branch& branch = branches_[p.index()];
    branch.legal |= service_level_bit(p, to);
    ++branch.sources;
    if (branch.direction == RingTables::kNoDirection) continue;
    const Position next = geometry_.neighbor(p, Direction(branch.direction));
    if (next == to) {
      arrived += branch.sources;
    } else {
      pass_on(branch, next);
    }
    if (--branches_[next.index()].children == 0) leaves_.push_back(next);
  }
  const std::size_t sources = geometry_.size() - torus_.missing_switches().size() - 1;
  return arrived == sources ? std::vector<Position>{} : lost_sources(to);
}

void DestinationTree::build(Position to) {
  std::fill(branches_.begin(), branches_.end(), Branch{});
  leaves_.clear();
  for (const Position p : geometry_.positions()) {
    if (p == to || !torus_.present(p)) continue;
    const std::uint8_t direction = branches_[p.index()].direction = first_direction(p, to);
    if (direction != RingTables::kNoDirection)
      ++branches_[geometry_.neighbor(p, Direction(direction)).index()].children;
  }
  for (const Position p : geometry_.positions())
    if (branches_[p.index()].children == 0 && torus_.present(p)) leaves_.push_back(p);
}

std::uint8_t DestinationTree::first_direction(Position from, Position to) const {
  for (std::size_t d = 0; d < kDimensions; ++d) {
    const std::uint32_t c = geometry_.coordinates(to)[d];
    if (c == geometry_.coordinates(from)[d]) continue;
    if (const std::uint8_t direction = rings_.directions(d, from)[c]; direction != RingTables::kNoDirection)
      return direction;
  }
  return RingTables::kNoDirection;
}

std::uint8_t DestinationTree::service_level_bit(Position from, Position to) const {
  const Coordinates &a = geometry_.coordinates(from), &b = geometry_.coordinates(to);
  unsigned sl = 0;
  for (std::size_t d = 0; d < kDimensions; ++d)
    sl |= (geometry_.crosses_dateline(d, a[d], b[d]) ? 1U : 0U) << d;
  return static_cast<std::uint8_t>(1U << sl);
}

void DestinationTree::pass_on(const Branch& from, Position at) {
  Branch& on = branches_[at.index()];
  on.sources += from.sources;
  if (on.direction == RingTables::kNoDirection) return;
  const Direction in(from.direction), out(on.direction);
  const bool is_illegal = dimension_of(in) > dimension_of(out);
  (is_illegal ? on.illegal : on.legal) |= from.legal | from.illegal;
  for (unsigned sl = 0; sl < 8; ++sl) {
    const unsigned in_vl = sl >> dimension_of(in) & 1U;
    const unsigned out_vl = (sl >> dimension_of(out) & 1U) | (is_illegal ? kTurnVlBit : 0U);
    if ((from.legal >> sl & 1U) != 0) add(at, in, in_vl, out, out_vl);
    if ((from.illegal >> sl & 1U) != 0) add(at, in, in_vl | kTurnVlBit, out, out_vl);
  }
}

void DestinationTree::add(Position at, Direction in, unsigned in_vl, Direction out, unsigned out_vl) {
  dependencies_.add(at, in, static_cast<std::uint8_t>(in_vl & vl_mask_), out,
                    static_cast<std::uint8_t>(out_vl & vl_mask_));
}

/// Sources whose routes loop or end early.
std::vector<Position> DestinationTree::lost_sources(Position to) const {
  std::vector<Position> found;
  for (const Position from : geometry_.positions()) {
    if (from == to || !torus_.present(from)) continue;
    Position p = from;
    for (std::size_t hops = 0; p != to && hops < geometry_.size(); ++hops) {
      const std::uint8_t direction = branches_[p.index()].direction;
      if (direction == RingTables::kNoDirection) break;
      p = geometry_.neighbor(p, Direction(direction));
    }
    if (p != to) found.push_back(from);
  }
  return found;
}

}  // namespace rch::engines::torus_2qos
