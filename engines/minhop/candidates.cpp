#include "engines/minhop/candidates.h"

#include <algorithm>

namespace rch::engines::minhop {
namespace {

/// Sets `bit` for every destination that is one hop nearer from the neighbour than from here. The plain loop
/// over three byte arrays is what compilers turn into vector compares. Unknown (255) never matches: a
/// neighbour that is one hop nearer knows the way, and then so does this switch.
void add_plane(std::uint8_t* plane, const std::uint8_t* own, const std::uint8_t* neighbor, std::size_t count,
               std::uint8_t bit) {
  for (std::size_t d = 0; d < count; ++d) {
    const bool nearer = static_cast<std::uint8_t>(neighbor[d] + 1) == own[d] && own[d] != HopMatrix::kUnknown;
    plane[d] = static_cast<std::uint8_t>(plane[d] | (nearer ? bit : 0));
  }
}

}  // namespace

void Candidates::examine(SwitchId sw) {
  const auto neighbors = graph_.neighbors(sw);
  cables_.clear();
  for (std::uint32_t n = 0; n < neighbors.size(); ++n)
    for (const fabric::SwitchLink& link : graph_.links(neighbors[n])) cables_.push_back({link.out, n});
  std::sort(cables_.begin(), cables_.end(), [](const Cable& a, const Cable& b) { return a.port < b.port; });

  const std::size_t count = hops_.switch_count;
  planes_.assign((cables_.size() + 7) / 8 * count, 0);
  for (std::size_t c = 0; c < cables_.size(); ++c)
    add_plane(planes_.data() + c / 8 * count, hops_.hops.data() + sw.index() * count,
              hops_.hops.data() + neighbors[cables_[c].neighbor].sw.index() * count, count,
              static_cast<std::uint8_t>(1U << (c % 8)));
}

}  // namespace rch::engines::minhop
