#include "engines/torus_2qos/intact_planes.h"

#include <array>

namespace rch::engines::torus_2qos {
namespace {

class IntactPlanes {
 public:
  IntactPlanes(const Torus& torus, const RingTables& rings, ChannelDependencies& dependencies)
      : torus_(torus),
        geometry_(torus.geometry()),
        rings_(rings),
        damaged_(torus.damaged_planes()),
        dependencies_(dependencies),
        ends_(geometry_.size()) {}

  void add() {
    for (std::size_t d = geometry_.trunk(); d < kDimensions; ++d)
      for (std::size_t ring = 0; ring < geometry_.ring_count(d); ++ring) add_ring(d, ring);
    for (const Position p : geometry_.positions()) add_turns(p);
  }

 private:
  /// Straight legs of routes that end or begin at a position: bit 2 * direction + VL.
  struct Ends {
    std::array<std::uint16_t, kDimensions> arrivals{}, departures{};
  };

  bool is_destination(Position p) const { return !damaged_[geometry_.plane(p)]; }

  void add_ring(std::size_t d, std::size_t ring) {
    if (d != geometry_.trunk() && !is_destination(geometry_.on_ring(d, ring, 0))) return;
    for (std::uint32_t t = 0; t < geometry_.radix(d); ++t) {
      const Position to = geometry_.on_ring(d, ring, t);
      if (!is_destination(to)) continue;
      for (std::uint32_t s = 0; s < geometry_.radix(d); ++s) {
        const Position from = geometry_.on_ring(d, ring, s);
        if (s != t && torus_.present(from)) add_leg(d, from, to);
      }
    }
  }

  void add_leg(std::size_t d, Position from, Position to) {
    const std::uint32_t c = geometry_.coordinates(to)[d];
    const std::uint8_t vl = geometry_.crosses_dateline(d, geometry_.coordinates(from)[d], c) ? 1 : 0;
    const Direction direction(rings_.directions(d, from)[c]);
    const auto end = static_cast<std::uint16_t>(1U << (2 * direction.value + vl));
    ends_[from.index()].departures[d] |= end;
    ends_[to.index()].arrivals[d] |= end;
    for (Position p = geometry_.neighbor(from, direction); p != to; p = geometry_.neighbor(p, direction))
      dependencies_.add(p, direction, vl, direction, vl);
  }

  void add_turns(Position at) {
    const Ends& ends = ends_[at.index()];
    for (std::size_t d = geometry_.trunk(); d < kDimensions; ++d)
      for (std::size_t e = d + 1; e < kDimensions; ++e)
        for (unsigned in = 0; in < 2 * kDirections; ++in)
          for (unsigned out = 0; out < 2 * kDirections; ++out)
            if ((ends.arrivals[d] >> in & 1U) != 0 && (ends.departures[e] >> out & 1U) != 0)
              dependencies_.add(
                  at, Direction(static_cast<std::uint8_t>(in / 2)), static_cast<std::uint8_t>(in % 2),
                  Direction(static_cast<std::uint8_t>(out / 2)), static_cast<std::uint8_t>(out % 2));
  }

  const Torus& torus_;
  const Geometry& geometry_;
  const RingTables& rings_;
  std::vector<bool> damaged_;
  ChannelDependencies& dependencies_;
  std::vector<Ends> ends_;  ///< by position
};

}  // namespace

void add_routes_to_intact_planes(const Torus& torus, const RingTables& rings,
                                 ChannelDependencies& dependencies) {
  IntactPlanes(torus, rings, dependencies).add();
}

}  // namespace rch::engines::torus_2qos
