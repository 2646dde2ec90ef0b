#include "engines/tree/next_hops.h"

#include <algorithm>
#include <utility>

namespace rch::engines::tree {

NextHops::NextHops(const Tree& tree, const UpDownHops& hops)
    : tree_(tree),
      hops_(hops),
      down_hops_(tree.order().size()),
      sets_(tree.order().size()),
      changes_(tree.order().size()) {
  for (SwitchId sw : tree.order()) rank_.push_back(tree.rank(sw));
}

void NextHops::load(SwitchId sw) {
  const std::uint8_t* own = hops_.row(sw).data();
  // A path down takes one hop per rank, any other path more. Below the switch only down groups count,
  // elsewhere only up groups.
  const std::uint8_t rank = tree_.rank(sw);
  for (std::size_t d = 0; d < down_hops_.size(); ++d)
    down_hops_[d] = static_cast<std::uint8_t>(rank_[d] - rank) == own[d] ? own[d] : HopMatrix::kUnknown;
  std::vector<common::HopRows> rows;
  for (const fabric::Neighbor& n : tree_.up_groups(sw))
    rows.push_back({rows.size(), own, hops_.row(n.sw).data()});
  for (const fabric::Neighbor& n : tree_.down_groups(sw))
    rows.push_back({rows.size(), down_hops_.data(), hops_.row(n.sw).data()});
  sets_.clear(rows.size());
  sets_.add_where_nearer(std::move(rows));
  sets_.mark_changes(changes_);
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
