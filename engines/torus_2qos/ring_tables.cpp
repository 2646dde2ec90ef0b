#include "engines/torus_2qos/ring_tables.h"

#include <optional>

namespace rch::engines::torus_2qos {
namespace {

/// True when every two adjacent members are linked.
bool intact(const Torus& torus, std::size_t d, std::size_t ring) {
  const Geometry& geometry = torus.geometry();
  for (std::uint32_t c = 0; c < geometry.radix(d); ++c) {
    const Position p = geometry.on_ring(d, ring, c);
    if (!geometry.neighbor(p, plus(d)).is_none() && !torus.linked(p, plus(d))) return false;
  }
  return true;
}

/// Consecutive links from `from`, at most a whole ring.
std::uint32_t run_length(const Torus& torus, Position from, Direction direction) {
  const std::uint32_t most = torus.geometry().radix(dimension_of(direction));
  std::uint32_t links = 0;
  for (Position p = from; links < most && torus.linked(p, direction); ++links)
    p = torus.geometry().neighbor(p, direction);
  return links;
}

/// One member of a ring as source.
class RingSource {
 public:
  RingSource(const Torus& torus, std::size_t d, Position from)
      : torus_(torus),
        d_(d),
        from_(from),
        coordinate_(torus.geometry().coordinates(from)[d]),
        run_plus_(run_length(torus, from, plus(d))),
        run_minus_(run_length(torus, from, minus(d))) {}

  /// The hop rule of torus-2QoS(8) for one dimension.
  std::uint8_t direction_to(std::size_t ring, std::uint32_t target) const {
    const Geometry& geometry = torus_.geometry();
    if (target == coordinate_) return RingTables::kNoDirection;
    const Direction first = geometry.preferred(d_, coordinate_, target);
    if (torus_.present(geometry.on_ring(d_, ring, target))) {
      if (reaches(target, first)) return first.value;
      if (reaches(target, opposite(first))) return opposite(first).value;
    } else if (d_ + 1 < kDimensions && torus_.linked(from_, first)) {
      return first.value;  // towards the missing switch; the early turn follows
    }
    return RingTables::kNoDirection;
  }

 private:
  bool reaches(std::uint32_t target, Direction direction) const {
    const std::uint32_t n = torus_.geometry().radix(d_);
    return is_plus(direction) ? (target + n - coordinate_) % n <= run_plus_
                              : (coordinate_ + n - target) % n <= run_minus_;
  }

  const Torus& torus_;
  std::size_t d_;
  Position from_;
  std::uint32_t coordinate_;
  std::uint32_t run_plus_;
  std::uint32_t run_minus_;
};

}  // namespace

RingTables::RingTables(const Torus& torus) : geometry_(&torus.geometry()) {
  for (std::size_t d = 0; d < kDimensions; ++d) {
    std::optional<std::size_t> shared;
    for (std::size_t ring = 0; ring < geometry_->ring_count(d); ++ring) {
      const bool is_intact = intact(torus, d, ring);
      table_of_[d].push_back(is_intact && shared ? *shared : tables_.size());
      if (is_intact && shared) continue;
      if (is_intact) shared = tables_.size();
      append(torus, d, ring);
    }
  }
}

void RingTables::append(const Torus& torus, std::size_t d, std::size_t ring) {
  for (std::uint32_t from = 0; from < geometry_->radix(d); ++from) {
    const RingSource source(torus, d, geometry_->on_ring(d, ring, from));
    for (std::uint32_t to = 0; to < geometry_->radix(d); ++to)
      tables_.push_back(source.direction_to(ring, to));
  }
}

std::vector<Segment> segments(const Torus& torus, std::size_t d, std::size_t ring) {
  const Geometry& geometry = torus.geometry();
  std::vector<Segment> found;
  for (std::uint32_t c = 0; c < geometry.radix(d); ++c) {
    const Position first = geometry.on_ring(d, ring, c);
    if (!torus.present(first) || torus.linked(first, minus(d))) continue;
    Position last = first;
    while (torus.linked(last, plus(d))) last = geometry.neighbor(last, plus(d));
    found.push_back({first, last});
  }
  return found;
}

}  // namespace rch::engines::torus_2qos
