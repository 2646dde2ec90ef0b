#include "engines/tree/earlier_tree.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/parallel.h"

namespace rch::engines::tree {
namespace {

/// Ranks and numbers of everything, but for the cables between.
bool alike(const Tree& a, const Tree& b) {
  const fabric::SubFabric &x = a.view(), &y = b.view();
  if (x.switch_count() != y.switch_count() || x.fabric().max_lid() != y.fabric().max_lid()) return false;
  for (std::uint32_t s = 0; s < x.switch_count(); ++s)
    if (x.node(SwitchId(s)).guid != y.node(SwitchId(s)).guid || a.rank(SwitchId(s)) != b.rank(SwitchId(s)))
      return false;
  return a.leaf_rank() == b.leaf_rank() && std::ranges::equal(a.order(), b.order()) &&
         std::ranges::equal(a.leaves(), b.leaves());
}

/// The most neighbours above of a switch of each rank.
std::array<std::size_t, 256> widths(const Tree& tree) {
  std::array<std::size_t, 256> most{};
  for (SwitchId sw : tree.order()) most[tree.rank(sw)] = std::max(most[tree.rank(sw)], tree.up(sw).size());
  return most;
}

bool same_neighbors(const Tree& a, std::span<const fabric::Neighbor> of_a, const Tree& b,
                    std::span<const fabric::Neighbor> of_b) {
  return std::ranges::equal(of_a, of_b, [&](const fabric::Neighbor& x, const fabric::Neighbor& y) {
    return x.sw == y.sw && std::ranges::equal(a.view().graph().links(x), b.view().graph().links(y));
  });
}

}  // namespace

EarlierTree::EarlierTree(const Tree& now, const Ways& ways, const Targets& targets,
                         const std::optional<common::InstalledTables>& installed, std::optional<Grown> before)
    : now_(now), ways_now_(ways) {
  if (!before || !alike(before->tree, now) || widths(before->tree) != widths(now) ||
      before->targets != targets || before->ways.aside != ways.aside)
    return;
  before_ = std::move(before->tree);
  installed_ = *installed;
  compare(before->ways);
}

void EarlierTree::compare(const Ways& before) {
  moved_.resize(before.switch_count);
  parallel_ranges(before.switch_count, 32, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const auto then = before.row(SwitchId(static_cast<std::uint32_t>(s)));
      const auto now = ways_now_.row(SwitchId(static_cast<std::uint32_t>(s)));
      if (std::memcmp(then.data(), now.data(), now.size()) == 0) continue;
      for (std::uint32_t c = 0; c < now.size(); ++c)
        if (then[c] != now[c]) moved_[s].push_back(c);
    }
  });
}

bool EarlierTree::same_cables(SwitchId sw) const {
  return same_neighbors(*before_, before_->up(sw), now_, now_.up(sw)) &&
         same_neighbors(*before_, before_->beside(sw), now_, now_.beside(sw)) &&
         same_neighbors(*before_, before_->down(sw), now_, now_.down(sw));
}

void EarlierTree::list(SwitchId sw, std::vector<std::uint32_t>& columns) const {
  columns = moved_[sw.index()];
  for (const auto neighbors : {now_.up(sw), now_.beside(sw), now_.down(sw)})
    for (const fabric::Neighbor& n : neighbors)
      columns.insert(columns.end(), moved_[n.sw.index()].begin(), moved_[n.sw.index()].end());
  std::ranges::sort(columns);
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
}

}  // namespace rch::engines::tree
