#include "engines/tree/installed_tree.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/parallel.h"

namespace rch::engines::tree {
namespace {

/// True when both trees rank and index their switches alike, which must be the same; links may differ.
bool have_same_structure(const Tree& a, const Tree& b) {
  return a.leaf_rank() == b.leaf_rank() && std::ranges::equal(a.leaves(), b.leaves()) &&
         std::ranges::all_of(
             a.order(), [&](SwitchId sw) { return a.rank(sw) == b.rank(sw) && a.tuple(sw) == b.tuple(sw); });
}

/// By rank, the most up groups of a switch: the radix of its digit.
std::array<std::size_t, 256> radices(const Tree& tree) {
  std::array<std::size_t, 256> most{};
  for (SwitchId sw : tree.order())
    most[tree.rank(sw)] = std::max(most[tree.rank(sw)], tree.up_groups(sw).size());
  return most;
}

}  // namespace

InstalledTree::InstalledTree(const DmodkInput& target,
                             const std::optional<common::InstalledTables>& installed,
                             const std::optional<DmodkInput>& before)
    : target_(target) {
  if (!before || !installed->changes->switches().is_identity() ||
      before->tree.view().fabric().max_lid() != target.tree.view().fabric().max_lid() ||
      !have_same_structure(before->tree, target.tree) || radices(before->tree) != radices(target.tree) ||
      before->destinations != target.destinations || before->hops.sibling_hops != target.hops.sibling_hops)
    return;
  installed_ = installed;
  compare_hops(before->hops);
}

void InstalledTree::compare_hops(const UpDownHops& before) {
  changed_.resize(before.switch_count);
  parallel_ranges(before.switch_count, 32, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const auto then = before.row(SwitchId(static_cast<std::uint32_t>(s)));
      const auto now = target_.hops.row(SwitchId(static_cast<std::uint32_t>(s)));
      if (std::memcmp(then.data(), now.data(), now.size()) == 0) continue;
      for (std::uint32_t c = 0; c < now.size(); ++c)
        if (then[c] != now[c]) changed_[s].push_back(c);
    }
  });
}

std::vector<std::uint32_t> InstalledTree::changed_columns(SwitchId sw) const {
  std::vector<std::uint32_t> columns = changed_[sw.index()];
  for (const fabric::Neighbor& n : target_.tree.view().graph().neighbors(sw))
    columns.insert(columns.end(), changed_[n.sw.index()].begin(), changed_[n.sw.index()].end());
  std::ranges::sort(columns);
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

}  // namespace rch::engines::tree
