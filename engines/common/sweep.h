#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/ids.h"
#include "base/parallel.h"
#include "engines/engine.h"

// A sweep visits switches in an acyclic order and settles all hops towards a block of destinations at once.
// Blocks are independent and are the unit of parallel work.

namespace rch::engines::common {

/// A block of columns (destinations) of a matrix with a row per switch.
struct Columns {
  std::size_t begin = 0;
  std::size_t count = 0;

  /// `Matrix` has `hops`, row-major, and `switch_count`, the length of a row.
  template <class Matrix>
  auto* of(Matrix& matrix, SwitchId row) const {
    return matrix.hops.data() + row.index() * matrix.switch_count + begin;
  }
};

/// Calls body(Columns) for blocks of at most `size` destinations, on all threads.
template <class Body>
void for_blocks(std::size_t destinations, std::size_t size, Body&& body) {
  parallel_ranges((destinations + size - 1) / size, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t b = first; b < last; ++b)
      body(Columns{b * size, std::min(size, destinations - b * size)});
  });
}

constexpr std::uint8_t one_more(std::uint8_t hops) {
  return static_cast<std::uint8_t>(hops + (hops != HopMatrix::kUnknown));
}

/// Lowers `own` to one hop more than the least of `rows`, the hops of neighbors. Compilers vectorise plain
/// loops over four rows at a time.
inline void relax(std::uint8_t* own, std::span<const std::uint8_t* const> rows, std::size_t count) {
  for (std::size_t r = 0; r < rows.size(); r += 4) {
    const auto row = [&](std::size_t i) { return rows[std::min(r + i, rows.size() - 1)]; };
    const std::uint8_t *a = row(0), *b = row(1), *c = row(2), *e = row(3);
    for (std::size_t d = 0; d < count; ++d)
      own[d] = std::min(own[d], one_more(std::min(std::min(a[d], b[d]), std::min(c[d], e[d]))));
  }
}

}  // namespace rch::engines::common
