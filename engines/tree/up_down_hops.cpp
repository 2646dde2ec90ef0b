#include "engines/tree/up_down_hops.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/parallel.h"
#include "engines/common/sweep.h"

// Ranks are known, so no search is needed. A sweep from the leaves to the roots finds the paths down; a sweep
// from the roots to the leaves finds all others. A step of a sweep takes the minimum of two rows. Blocks of
// destinations are independent: they are the unit of parallel work. A path down takes
// one hop per rank, so no other path is shorter.
//
// Sibling hops. A switch without an up-down path goes by switches of its rank. Each component of siblings has
// an order (breadth first). Paths inside a component first go against the order, then along it, and leave it
// up or down. So channels depend on each other in one direction only, and no credit loop can close.

namespace rch::engines::tree {
namespace {

constexpr std::uint8_t kUnknown = HopMatrix::kUnknown;
using common::Columns;
using common::one_more;
using common::relax;

constexpr std::size_t kBlock = 256;  ///< destinations

/// Siblings that links among them connect, in breadth-first order.
using Component = std::vector<SwitchId>;

/// By rank, the components of two switches and more.
std::vector<std::vector<Component>> sibling_components(const Tree& tree) {
  std::vector<std::vector<Component>> by_rank(tree.max_rank() + std::size_t{1});
  std::vector<std::uint8_t> seen(tree.view().switch_count());
  for (std::uint32_t s = 0; s < seen.size(); ++s) {
    if (seen[s] != 0 || tree.sibling_groups(SwitchId(s)).empty()) continue;
    Component component{SwitchId(s)};
    seen[s] = 1;
    for (std::size_t i = 0; i < component.size(); ++i)
      for (const fabric::Neighbor& n : tree.sibling_groups(component[i]))
        if (std::exchange(seen[n.sw.index()], std::uint8_t{1}) == 0) component.push_back(n.sw);
    by_rank[tree.rank(SwitchId(s))].push_back(std::move(component));
  }
  return by_rank;
}

class Sweeps {
 public:
  Sweeps(const Tree& tree, bool use_siblings, UpDownHops& result)
      : tree_(tree), result_(result), place_(tree.view().switch_count()) {
    for (std::uint32_t s = 0; s < place_.size(); ++s)
      if (tree.is_ranked(SwitchId(s))) order_.push_back(SwitchId(s));
    std::stable_sort(order_.begin(), order_.end(),
                     [&](SwitchId a, SwitchId b) { return tree.rank(a) < tree.rank(b); });
    components_.resize(tree.max_rank() + std::size_t{1});
    if (use_siblings) components_ = sibling_components(tree);
    for (const auto& components : components_)
      for (const Component& component : components)
        for (std::uint32_t i = 0; i < component.size(); ++i) place_[component[i].index()] = i;
  }

  void run(const Columns& columns) {
    std::vector<const std::uint8_t*> found;
    const auto rows = [&](std::span<const fabric::Neighbor> groups) -> std::span<const std::uint8_t* const> {
      found.clear();
      for (const fabric::Neighbor& n : groups) found.push_back(columns.of(result_, n.sw));
      return found;
    };
    for (auto v = order_.rbegin(); v != order_.rend(); ++v) {
      std::uint8_t* own = columns.of(result_, *v);
      if (const std::size_t at = tree_.column(*v) - columns.begin; at < columns.count) own[at] = 0;
      relax(own, rows(tree_.down_groups(*v)), columns.count);
    }
    for (auto v = order_.begin(); v != order_.end();) {
      const std::uint8_t rank = tree_.rank(*v);
      for (; v != order_.end() && tree_.rank(*v) == rank; ++v)
        relax(columns.of(result_, *v), rows(tree_.up_groups(*v)), columns.count);
      for (const Component& component : components_[rank]) add_sibling_hops(component, columns);
    }
  }

 private:
  void add_sibling_hops(const Component& component, const Columns& columns) {
    std::vector<UpDownHops::SiblingHop> found;
    for (std::size_t d = 0; d < columns.count; ++d) {
      for (auto v = component.rbegin(); v != component.rend(); ++v)
        add_sibling_hop(*v, true, columns, d, found);
      for (SwitchId v : component) add_sibling_hop(v, false, columns, d, found);
    }
    const std::scoped_lock lock(mutex_);
    result_.sibling_hops.insert(result_.sibling_hops.end(), found.begin(), found.end());
  }

  /// By the sibling with the shortest path: one after `v` in the order (`along`), or one before it.
  void add_sibling_hop(SwitchId v, bool along, const Columns& columns, std::size_t d,
                       std::vector<UpDownHops::SiblingHop>& found) {
    std::uint8_t& own = columns.of(result_, v)[d];
    if (own != kUnknown) return;
    SwitchId next = SwitchId::none();
    for (const fabric::Neighbor& n : tree_.sibling_groups(v)) {
      const std::uint8_t hops = one_more(columns.of(result_, n.sw)[d]);
      if ((place_[n.sw.index()] > place_[v.index()]) != along || hops >= own) continue;
      own = hops;
      next = n.sw;
    }
    if (!next.is_none()) found.push_back({v, static_cast<std::uint32_t>(columns.begin + d), next});
  }

  const Tree& tree_;
  UpDownHops& result_;
  std::vector<SwitchId> order_;                     ///< by rank
  std::vector<std::vector<Component>> components_;  ///< by rank
  std::vector<std::uint32_t> place_;                ///< by switch: in its component
  std::mutex mutex_;                                ///< of result_.sibling_hops
};

}  // namespace

UpDownHops up_down_hops(const Tree& tree, bool use_siblings) {
  const std::size_t count = tree.view().switch_count();
  UpDownHops result{count, std::vector<std::uint8_t>(count * count, kUnknown), {}};
  Sweeps sweeps(tree, use_siblings, result);
  common::for_blocks(count, kBlock, [&](const Columns& columns) { sweeps.run(columns); });
  std::ranges::sort(result.sibling_hops);
  for (SwitchId sw : tree.order())
    if (!tree.is_ranked(sw)) result.hops[sw.index() * count + tree.column(sw)] = 0;
  return result;
}

HopMatrix hop_matrix(const Tree& tree, const UpDownHops& hops) {
  HopMatrix matrix{hops.switch_count, std::vector<std::uint8_t>(hops.hops.size())};
  parallel_ranges(hops.switch_count, 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const auto row = hops.row(SwitchId(static_cast<std::uint32_t>(s)));
      std::uint8_t* const out = matrix.hops.data() + s * hops.switch_count;
      for (std::size_t c = 0; c < row.size(); ++c) out[tree.order()[c].index()] = row[c];
    }
  });
  return matrix;
}

std::optional<SwitchId> UpDownHops::next_sibling(SwitchId from, std::uint32_t column) const {
  const auto it = std::ranges::lower_bound(sibling_hops, SiblingHop{from, column, SwitchId(0)});
  if (it == sibling_hops.end() || it->from != from || it->column != column) return std::nullopt;
  return it->next;
}

}  // namespace rch::engines::tree
