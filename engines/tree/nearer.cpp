#include "engines/tree/nearer.h"

#include <algorithm>

namespace rch::engines::tree {

NearerNeighbors::NearerNeighbors(const Tree& tree, const Ways& ways)
    : tree_(tree), ways_(ways), count_(tree.order().size()), straight_(count_), changes_(count_) {
  for (SwitchId sw : tree.order()) rank_.push_back(tree.rank(sw));
}

void NearerNeighbors::examine(SwitchId sw) {
  const auto up = tree_.up(sw), down = tree_.down(sw);
  planes_.assign((up.size() + down.size() + 7) / 8 * count_, 0);
  const std::uint8_t* own = ways_.row(sw).data();
  // A way down takes one hop a rank, any other more. Where it leads down, no way up counts, and the other way
  // round.
  const std::uint8_t rank = tree_.rank(sw);
  for (std::size_t d = 0; d < count_; ++d)
    straight_[d] = static_cast<std::uint8_t>(rank_[d] - rank) == own[d] ? own[d] : HopMatrix::kUnknown;
  std::size_t bit = 0;
  for (const fabric::Neighbor& n : up) add(bit++, own, ways_.row(n.sw).data());
  for (const fabric::Neighbor& n : down) add(bit++, straight_.data(), ways_.row(n.sw).data());
  mark_changes();
}

/// A plain loop: compilers make vector code of it. Unknown (255) never matches: a neighbour that is one hop
/// nearer knows the way, and then so does this switch.
void NearerNeighbors::add(std::size_t bit, const std::uint8_t* own, const std::uint8_t* neighbor) {
  const std::size_t count = count_;
  std::uint8_t* plane = planes_.data() + bit / 8 * count;
  const auto mask = static_cast<std::uint8_t>(1U << (bit % 8));
  for (std::size_t d = 0; d < count; ++d) {
    const bool nearer = static_cast<std::uint8_t>(neighbor[d] + 1) == own[d] && own[d] != HopMatrix::kUnknown;
    plane[d] = static_cast<std::uint8_t>(plane[d] | (nearer ? mask : 0));
  }
}

void NearerNeighbors::mark_changes() {
  const std::size_t count = count_;
  std::fill(changes_.begin(), changes_.end(), std::uint8_t{0});
  std::uint8_t* changes = changes_.data();
  for (const std::uint8_t* plane = planes_.data(); plane != planes_.data() + planes_.size(); plane += count)
    for (std::size_t d = 1; d < count; ++d)
      changes[d] = static_cast<std::uint8_t>(changes[d] | (plane[d] ^ plane[d - 1]));
}

NeighborSet NearerNeighbors::towards(std::uint32_t column) const {
  NeighborSet found;
  for (std::size_t plane = 0; plane * count_ < planes_.size(); ++plane)
    found.words[plane / 8] |= std::uint64_t{planes_[plane * count_ + column]} << (plane % 8 * 8);
  return found;
}

NeighborSet NearerNeighbors::towards(SwitchId sw, std::uint32_t column) const {
  const std::uint8_t own = ways_.row(sw)[column];
  NeighborSet found;
  if (own == HopMatrix::kUnknown) return found;
  const bool straight = static_cast<std::uint8_t>(rank_[column] - tree_.rank(sw)) == own;
  std::size_t bit = 0;
  const auto add = [&](std::span<const fabric::Neighbor> neighbors, bool open) {
    for (const fabric::Neighbor& n : neighbors) {
      if (open && static_cast<std::uint8_t>(ways_.row(n.sw)[column] + 1) == own)
        found.words[bit / 64] |= std::uint64_t{1} << (bit % 64);
      ++bit;
    }
  };
  add(tree_.up(sw), true);
  add(tree_.down(sw), straight);
  return found;
}

std::uint32_t NearerNeighbors::run_end(std::uint32_t column) const {
  const auto it =
      std::find_if(changes_.begin() + column + 1, changes_.end(), [](std::uint8_t c) { return c != 0; });
  return static_cast<std::uint32_t>(it - changes_.begin());
}

}  // namespace rch::engines::tree
