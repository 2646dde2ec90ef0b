#include "engines/torus_2qos/ring_tables.h"

#include <optional>

namespace rch::engines::torus_2qos {
namespace {

/// True when every two adjacent members are linked.
bool intact(const Torus& torus, std::size_t d, std::size_t ring) {
  const Lattice& lattice = torus.lattice();
  for (std::uint32_t c = 0; c < lattice.radix(d); ++c) {
    const Position p = lattice.on_ring(d, ring, c);
    if (!lattice.neighbor(p, up(d)).is_none() && !torus.linked(p, up(d))) return false;
  }
  return true;
}

/// Links in a row from `from`, at most a whole ring.
std::uint32_t run_length(const Torus& torus, Position from, Direction way) {
  const std::uint32_t most = torus.lattice().radix(dimension_of(way));
  std::uint32_t links = 0;
  for (Position p = from; links < most && torus.linked(p, way); ++links) p = torus.lattice().neighbor(p, way);
  return links;
}

/// Everything that decides the way from one member of a ring.
class RingSource {
 public:
  RingSource(const Torus& torus, std::size_t d, Position from)
      : torus_(torus),
        d_(d),
        from_(from),
        coordinate_(torus.lattice().coordinates(from)[d]),
        run_up_(run_length(torus, from, up(d))),
        run_down_(run_length(torus, from, down(d))) {}

  /// The hop rule of torus-2qos 2.3 for one dimension.
  std::uint8_t way_to(std::size_t ring, std::uint32_t target) const {
    const Lattice& lattice = torus_.lattice();
    if (target == coordinate_) return RingTables::kNoWay;
    const Direction first = lattice.preferred(d_, coordinate_, target);
    if (torus_.present(lattice.on_ring(d_, ring, target))) {
      if (reaches(target, first)) return first.value;
      if (reaches(target, opposite(first))) return opposite(first).value;
    } else if (d_ + 1 < kDimensions && torus_.linked(from_, first)) {
      return first.value;  // towards the missing switch, to turn early in front of it
    }
    return RingTables::kNoWay;
  }

 private:
  bool reaches(std::uint32_t target, Direction way) const {
    const std::uint32_t n = torus_.lattice().radix(d_);
    return is_up(way) ? (target + n - coordinate_) % n <= run_up_
                      : (coordinate_ + n - target) % n <= run_down_;
  }

  const Torus& torus_;
  std::size_t d_;
  Position from_;
  std::uint32_t coordinate_;
  std::uint32_t run_up_;
  std::uint32_t run_down_;
};

}  // namespace

RingTables::RingTables(const Torus& torus) : lattice_(&torus.lattice()) {
  for (std::size_t d = 0; d < kDimensions; ++d) {
    std::optional<std::size_t> shared;
    for (std::size_t ring = 0; ring < lattice_->ring_count(d); ++ring) {
      const bool whole = intact(torus, d, ring);
      table_of_[d].push_back(whole && shared ? *shared : tables_.size());
      if (whole && shared) continue;
      if (whole) shared = tables_.size();
      append(torus, d, ring);
    }
  }
}

void RingTables::append(const Torus& torus, std::size_t d, std::size_t ring) {
  for (std::uint32_t from = 0; from < lattice_->radix(d); ++from) {
    const RingSource source(torus, d, lattice_->on_ring(d, ring, from));
    for (std::uint32_t to = 0; to < lattice_->radix(d); ++to) tables_.push_back(source.way_to(ring, to));
  }
}

std::vector<Segment> segments(const Torus& torus, std::size_t d, std::size_t ring) {
  const Lattice& lattice = torus.lattice();
  std::vector<Segment> found;
  for (std::uint32_t c = 0; c < lattice.radix(d); ++c) {
    const Position first = lattice.on_ring(d, ring, c);
    if (!torus.present(first) || torus.linked(first, down(d))) continue;
    Position last = first;
    while (torus.linked(last, up(d))) last = lattice.neighbor(last, up(d));
    found.push_back({first, last});
  }
  return found;
}

}  // namespace rch::engines::torus_2qos
