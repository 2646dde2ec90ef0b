#include "engines/tree/next_hops.h"

#include <algorithm>

namespace rch::engines::tree {

NextHops::NextHops(const Tree& tree, const UpDownHops& hops)
    : tree_(tree), hops_(hops), count_(tree.order().size()), down_hops_(count_), changes_(count_) {
  for (SwitchId sw : tree.order()) rank_.push_back(tree.rank(sw));
}

void NextHops::load(SwitchId sw) {
  const auto up = tree_.up_groups(sw), down = tree_.down_groups(sw);
  planes_.assign((up.size() + down.size() + 7) / 8 * count_, 0);
  const std::uint8_t* own = hops_.row(sw).data();
  // A path down takes one hop per rank, any other path more. Below the switch only down groups count,
  // elsewhere only up groups.
  const std::uint8_t rank = tree_.rank(sw);
  for (std::size_t d = 0; d < count_; ++d)
    down_hops_[d] = static_cast<std::uint8_t>(rank_[d] - rank) == own[d] ? own[d] : HopMatrix::kUnknown;
  std::size_t bit = 0;
  for (const fabric::Neighbor& n : up) add(bit++, own, hops_.row(n.sw).data());
  for (const fabric::Neighbor& n : down) add(bit++, down_hops_.data(), hops_.row(n.sw).data());
  mark_changes();
}

/// A plain loop, so that compilers vectorise it. Unknown (255) never matches: a neighbour one hop nearer has
/// a path, and then so has this switch.
void NextHops::add(std::size_t bit, const std::uint8_t* own, const std::uint8_t* neighbor) {
  const std::size_t count = count_;
  std::uint8_t* plane = planes_.data() + bit / 8 * count;
  const auto mask = static_cast<std::uint8_t>(1U << (bit % 8));
  for (std::size_t d = 0; d < count; ++d) {
    const bool nearer = static_cast<std::uint8_t>(neighbor[d] + 1) == own[d] && own[d] != HopMatrix::kUnknown;
    plane[d] = static_cast<std::uint8_t>(plane[d] | (nearer ? mask : 0));
  }
}

void NextHops::mark_changes() {
  const std::size_t count = count_;
  std::fill(changes_.begin(), changes_.end(), std::uint8_t{0});
  std::uint8_t* changes = changes_.data();
  for (const std::uint8_t* plane = planes_.data(); plane != planes_.data() + planes_.size(); plane += count)
    for (std::size_t d = 1; d < count; ++d)
      changes[d] = static_cast<std::uint8_t>(changes[d] | (plane[d] ^ plane[d - 1]));
}

GroupSet NextHops::towards(std::uint32_t column) const {
  GroupSet found;
  for (std::size_t plane = 0; plane * count_ < planes_.size(); ++plane)
    found.words[plane / 8] |= std::uint64_t{planes_[plane * count_ + column]} << (plane % 8 * 8);
  return found;
}

GroupSet NextHops::towards(SwitchId sw, std::uint32_t column) const {
  const std::uint8_t own = hops_.row(sw)[column];
  GroupSet found;
  if (own == HopMatrix::kUnknown) return found;
  const bool below = static_cast<std::uint8_t>(rank_[column] - tree_.rank(sw)) == own;
  std::size_t bit = 0;
  const auto add = [&](std::span<const fabric::Neighbor> groups, bool usable) {
    for (const fabric::Neighbor& n : groups) {
      if (usable && static_cast<std::uint8_t>(hops_.row(n.sw)[column] + 1) == own)
        found.words[bit / 64] |= std::uint64_t{1} << (bit % 64);
      ++bit;
    }
  };
  add(tree_.up_groups(sw), true);
  add(tree_.down_groups(sw), below);
  return found;
}

std::uint32_t NextHops::run_end(std::uint32_t column) const {
  const auto it =
      std::find_if(changes_.begin() + column + 1, changes_.end(), [](std::uint8_t c) { return c != 0; });
  return static_cast<std::uint32_t>(it - changes_.begin());
}

}  // namespace rch::engines::tree
