#include "engines/common/candidates.h"

#include <algorithm>

namespace rch::engines::common {

void Candidates::examine(SwitchId sw) {
  const auto neighbors = plan_.graph().neighbors(sw);
  cables_.clear();
  for (std::uint32_t n = 0; n < neighbors.size(); ++n)
    for (const fabric::SwitchLink& link : plan_.graph().links(neighbors[n]))
      cables_.push_back({link.out, plan_.place(sw, link.out), plan_.weight(sw, link.out), n});
  std::ranges::sort(cables_, {}, &Cable::place);
  planes_.assign((cables_.size() + 7) / 8 * switches_, 0);
  rule_.add_to(*this, sw);
}

/// A plain loop over three byte arrays, without branches and with its bound in a register (stores of bytes
/// may alias any member), is what compilers turn into vector compares.
void Candidates::add_where_nearer(std::size_t cable, std::span<const std::uint8_t> own_row,
                                  std::span<const std::uint8_t> neighbor_row, std::uint8_t weight) {
  std::uint8_t* plane = planes_.data() + cable / 8 * switches_;
  const std::uint8_t* own = own_row.data();
  const std::uint8_t* neighbor = neighbor_row.data();
  const auto bit = static_cast<std::uint8_t>(1U << (cable % 8));
  const std::size_t count = switches_;
  for (std::size_t d = 0; d < count; ++d) {
    const bool nearer = (static_cast<std::uint8_t>(own[d] - weight) == neighbor[d]) & (own[d] >= weight) &
                        (own[d] != HopMatrix::kUnknown);
    plane[d] = static_cast<std::uint8_t>(plane[d] | (nearer ? bit : 0));
  }
}

void Candidates::keep_first_neighbor() {
  constexpr std::uint8_t kNone = 255;  // a switch has fewer ports
  std::vector<std::uint8_t> first(switches_, kNone);
  for (std::size_t c = 0; c < cables_.size(); ++c) {
    std::uint8_t* plane = planes_.data() + c / 8 * switches_;
    const auto bit = static_cast<std::uint8_t>(1U << (c % 8));
    const auto neighbor = static_cast<std::uint8_t>(cables_[c].neighbor);
    for (std::size_t d = 0; d < switches_; ++d) {
      const bool candidate = (plane[d] & bit) != 0;
      const bool keep = candidate && (first[d] == kNone || first[d] == neighbor);
      first[d] = keep ? neighbor : first[d];
      plane[d] = static_cast<std::uint8_t>(plane[d] & (candidate && !keep ? ~bit : 0xFF));
    }
  }
}

void ShortestPaths::add_to(Candidates& candidates, SwitchId sw) const {
  const auto neighbors = graph_.neighbors(sw);
  for (std::size_t c = 0; c < candidates.cables().size(); ++c) {
    const Candidates::Cable& cable = candidates.cables()[c];
    candidates.add_where_nearer(c, hops_.row(sw), hops_.row(neighbors[cable.neighbor].sw), cable.weight);
  }
}

}  // namespace rch::engines::common
