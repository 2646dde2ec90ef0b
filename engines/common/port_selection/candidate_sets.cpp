#include "engines/common/port_selection/candidate_sets.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engines/engine.h"

namespace rch::engines::common {
namespace {

constexpr std::uint8_t kUnknown = HopMatrix::kUnknown;

/// Some neighbors that may be candidates of one plane; the hops of the switch and the weight are the same.
struct PlaneRows {
  const std::uint8_t* own;
  std::uint8_t weight;
  std::size_t count;
  std::array<const std::uint8_t*, 8> neighbor;
  std::array<std::uint8_t, 8> bit;
};

/// Reads the rows side by side: they are far from each other, and one after the other each would be waited
/// for.
template <std::size_t... I>
void mark_nearer(std::uint8_t* __restrict plane, std::size_t count, const PlaneRows& rows,
                 std::index_sequence<I...>) {
  for (std::size_t d = 0; d < count; ++d) {
    const std::uint8_t own = rows.own[d];
    const bool has_path = (own >= rows.weight) & (own != kUnknown);
    const auto nearer = static_cast<std::uint8_t>(own - rows.weight);
    const auto bits =
        static_cast<std::uint8_t>((... | (rows.neighbor[I][d] == nearer ? rows.bit[I] : std::uint8_t{0})));
    plane[d] = static_cast<std::uint8_t>(plane[d] | (has_path ? bits : std::uint8_t{0}));
  }
}

template <std::size_t... N>
void mark_nearer_of(std::uint8_t* plane, std::size_t count, const PlaneRows& rows,
                    std::index_sequence<N...>) {
  ((rows.count == N + 1 ? mark_nearer(plane, count, rows, std::make_index_sequence<N + 1>()) : void()), ...);
}

}  // namespace

void CandidateSets::clear(std::size_t candidates, std::span<const SwitchId> only) {
  only_ = only;
  planes_.resize((candidates + 63) / 64 * 64 / kPlane * destinations_);
  if (only.empty()) std::ranges::fill(planes_, std::uint8_t{0});
  for (std::size_t plane = 0; plane < planes_.size(); plane += destinations_)
    for (SwitchId d : only) planes_[plane + d.index()] = 0;
}

void CandidateSets::add_where_nearer(std::vector<HopRows> rows) {
  if (!only_.empty()) {
    for (const HopRows& row : rows)
      for (SwitchId d : only_) {
        const std::uint8_t own = row.own[d.index()];
        if (own >= row.weight && own != kUnknown && own - row.weight == row.neighbor[d.index()])
          add(d.index(), row.candidate);
      }
    return;
  }
  const auto place = [](const HopRows& row) {
    return std::tuple(row.candidate / kPlane, row.own, row.weight);
  };
  std::ranges::sort(rows, {}, place);
  for (std::size_t r = 0; r < rows.size();) {
    PlaneRows together{rows[r].own, rows[r].weight, 0, {}, {}};
    const std::size_t first = r, plane = rows[r].candidate / kPlane;
    for (; r < rows.size() && together.count < kPlane && place(rows[r]) == place(rows[first]); ++r) {
      together.neighbor[together.count] = rows[r].neighbor;
      together.bit[together.count++] = static_cast<std::uint8_t>(1U << (rows[r].candidate % kPlane));
    }
    mark_nearer_of(planes_.data() + plane * destinations_, destinations_, together,
                   std::make_index_sequence<kPlane>());
  }
}

void CandidateSets::keep_first_neighbor(std::span<const std::uint8_t> neighbors) {
  constexpr std::uint8_t kNone = 255;  // a switch has fewer ports
  std::vector<std::uint8_t> first_neighbors(destinations_, kNone);
  std::uint8_t* first = first_neighbors.data();
  for (std::size_t c = 0; c < neighbors.size(); ++c) {
    std::uint8_t* plane = planes_.data() + c / kPlane * destinations_;
    const auto bit = static_cast<std::uint8_t>(1U << (c % kPlane));
    const std::uint8_t neighbor = neighbors[c];
    for_each_destination([=](std::size_t d) {
      const std::uint8_t was = first[d], outputs = plane[d];
      const bool candidate = (outputs & bit) != 0;
      const bool other = (was != kNone) & (was != neighbor);
      const std::uint8_t drop = (candidate & other) ? bit : std::uint8_t{0};
      first[d] = (candidate & !other) ? neighbor : was;
      plane[d] = static_cast<std::uint8_t>(outputs & ~drop);
    });
  }
}

void CandidateSets::mark_changes(std::span<std::uint8_t> changes) const {
  std::ranges::fill(changes, std::uint8_t{0});
  const std::size_t count = destinations_;
  std::uint8_t* const marked = changes.data();
  for (const std::uint8_t* plane = planes_.data(); plane != planes_.data() + planes_.size(); plane += count)
    for (std::size_t d = 1; d < count; ++d)
      marked[d] = static_cast<std::uint8_t>(marked[d] | (plane[d] ^ plane[d - 1]));
}

}  // namespace rch::engines::common
