#include "engines/common/candidates.h"

#include <algorithm>

namespace rch::engines::common {

void Candidates::examine(SwitchId sw) {
  const auto neighbors = graph_.neighbors(sw);
  cables_.clear();
  for (std::uint32_t n = 0; n < neighbors.size(); ++n)
    for (const fabric::SwitchLink& link : graph_.links(neighbors[n])) cables_.push_back({link.out, n});
  std::sort(cables_.begin(), cables_.end(), [](const Cable& a, const Cable& b) { return a.port < b.port; });
  planes_.assign((cables_.size() + 7) / 8 * graph_.switch_count(), 0);
  rule_.add_to(*this, sw);
}

/// The plain loop over three byte arrays is what compilers turn into vector compares. Unknown (255) never
/// matches: a neighbour that is one hop nearer knows the way, and then so does this switch.
void Candidates::add_where_nearer(std::size_t cable, std::span<const std::uint8_t> own_row,
                                  std::span<const std::uint8_t> neighbor_row) {
  const std::size_t count = graph_.switch_count();
  std::uint8_t* plane = planes_.data() + cable / 8 * count;
  const std::uint8_t* own = own_row.data();
  const std::uint8_t* neighbor = neighbor_row.data();
  const auto bit = static_cast<std::uint8_t>(1U << (cable % 8));
  for (std::size_t d = 0; d < count; ++d) {
    const bool nearer = static_cast<std::uint8_t>(neighbor[d] + 1) == own[d] && own[d] != HopMatrix::kUnknown;
    plane[d] = static_cast<std::uint8_t>(plane[d] | (nearer ? bit : 0));
  }
}

void ShortestPaths::add_to(Candidates& candidates, SwitchId sw) const {
  const auto neighbors = graph_.neighbors(sw);
  for (std::size_t c = 0; c < candidates.cables().size(); ++c)
    candidates.add_where_nearer(c, hops_.row(sw), hops_.row(neighbors[candidates.cables()[c].neighbor].sw));
}

}  // namespace rch::engines::common
