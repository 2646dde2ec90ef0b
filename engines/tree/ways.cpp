#include "engines/tree/ways.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/parallel.h"
#include "engines/common/sweep.h"

// Ranks are settled, so there is nothing to search: one sweep over the switches from the bottom up finds the
// ways down, one from the top down all others. A step of a sweep takes the minimum of two rows, for many
// destinations at once; pieces of rows (blocks of destinations) are independent and are the unit of parallel
// work (routing-engines 14.2). A way down is never longer than another: it takes one hop a rank.
//
// Sideways. A switch that is left without a way takes one by neighbours of its rank. To keep that free of
// credit loops, switches of one rank that hang together get an order (breadth first, so that they form a
// tree whatever the cables are), and routes among them first go against the order, then along it, and end at
// a switch that goes on up or down. Channels then depend on each other in one direction only: up to a rank,
// against its order, along its order, up to the next rank, ..., down.

namespace rch::engines::tree {
namespace {

constexpr std::uint8_t kUnknown = HopMatrix::kUnknown;
using common::Columns;
using common::one_more;
using common::relax;

constexpr std::size_t kBlock = 256;  ///< destinations

/// Switches of one rank joined by cables among each other, in the order that sideways routes keep.
using Siblings = std::vector<SwitchId>;

/// By rank, the groups of two and more.
std::vector<std::vector<Siblings>> find_siblings(const Tree& tree) {
  std::vector<std::vector<Siblings>> by_rank(tree.lowest_rank() + std::size_t{1});
  std::vector<std::uint8_t> seen(tree.view().switch_count());
  for (std::uint32_t s = 0; s < seen.size(); ++s) {
    if (seen[s] != 0 || tree.beside(SwitchId(s)).empty()) continue;
    Siblings group{SwitchId(s)};
    seen[s] = 1;
    for (std::size_t i = 0; i < group.size(); ++i)
      for (const fabric::Neighbor& n : tree.beside(group[i]))
        if (std::exchange(seen[n.sw.index()], std::uint8_t{1}) == 0) group.push_back(n.sw);
    by_rank[tree.rank(SwitchId(s))].push_back(std::move(group));
  }
  return by_rank;
}

class Sweeps {
 public:
  Sweeps(const Tree& tree, bool step_aside, Ways& ways)
      : tree_(tree), ways_(ways), place_(tree.view().switch_count()) {
    for (std::uint32_t s = 0; s < place_.size(); ++s)
      if (tree.is_ranked(SwitchId(s))) order_.push_back(SwitchId(s));
    std::stable_sort(order_.begin(), order_.end(),
                     [&](SwitchId a, SwitchId b) { return tree.rank(a) < tree.rank(b); });
    siblings_.resize(tree.lowest_rank() + std::size_t{1});
    if (step_aside) siblings_ = find_siblings(tree);
    for (const auto& groups : siblings_)
      for (const Siblings& group : groups)
        for (std::uint32_t i = 0; i < group.size(); ++i) place_[group[i].index()] = i;
  }

  void run(const Columns& columns) {
    std::vector<const std::uint8_t*> found;
    const auto rows =
        [&](std::span<const fabric::Neighbor> neighbors) -> std::span<const std::uint8_t* const> {
      found.clear();
      for (const fabric::Neighbor& n : neighbors) found.push_back(columns.of(ways_, n.sw));
      return found;
    };
    for (auto v = order_.rbegin(); v != order_.rend(); ++v) {
      std::uint8_t* own = columns.of(ways_, *v);
      if (const std::size_t at = tree_.column(*v) - columns.begin; at < columns.count) own[at] = 0;
      relax(own, rows(tree_.down(*v)), columns.count);
    }
    for (auto v = order_.begin(); v != order_.end();) {
      const std::uint8_t rank = tree_.rank(*v);
      for (; v != order_.end() && tree_.rank(*v) == rank; ++v)
        relax(columns.of(ways_, *v), rows(tree_.up(*v)), columns.count);
      for (const Siblings& group : siblings_[rank]) step_aside(group, columns);
    }
  }

 private:
  void step_aside(const Siblings& group, const Columns& columns) {
    std::vector<Ways::StepAside> found;
    for (std::size_t d = 0; d < columns.count; ++d) {
      for (auto v = group.rbegin(); v != group.rend(); ++v) step_aside(*v, true, columns, d, found);
      for (SwitchId v : group) step_aside(v, false, columns, d, found);
    }
    const std::scoped_lock lock(mutex_);
    ways_.aside.insert(ways_.aside.end(), found.begin(), found.end());
  }

  /// By the neighbour with the shortest way, one behind `v` in the order or one before it.
  void step_aside(SwitchId v, bool along, const Columns& columns, std::size_t d,
                  std::vector<Ways::StepAside>& found) {
    std::uint8_t& own = columns.of(ways_, v)[d];
    if (own != kUnknown) return;
    SwitchId next = SwitchId::none();
    for (const fabric::Neighbor& n : tree_.beside(v)) {
      const std::uint8_t hops = one_more(columns.of(ways_, n.sw)[d]);
      if ((place_[n.sw.index()] > place_[v.index()]) != along || hops >= own) continue;
      own = hops;
      next = n.sw;
    }
    if (!next.is_none()) found.push_back({v, static_cast<std::uint32_t>(columns.begin + d), next});
  }

  const Tree& tree_;
  Ways& ways_;
  std::vector<SwitchId> order_;                  ///< by rank
  std::vector<std::vector<Siblings>> siblings_;  ///< by rank
  std::vector<std::uint32_t> place_;             ///< by switch, among its siblings
  std::mutex mutex_;                             ///< of ways_.aside
};

}  // namespace

Ways find_ways(const Tree& tree, bool step_aside) {
  const std::size_t count = tree.view().switch_count();
  Ways ways{count, std::vector<std::uint8_t>(count * count, kUnknown), {}};
  Sweeps sweeps(tree, step_aside, ways);
  common::for_blocks(count, kBlock, [&](const Columns& columns) { sweeps.run(columns); });
  std::ranges::sort(ways.aside);
  return ways;
}

HopMatrix hop_matrix(const Tree& tree, const Ways& ways) {
  HopMatrix matrix{ways.switch_count, std::vector<std::uint8_t>(ways.hops.size())};
  parallel_ranges(ways.switch_count, 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const auto row = ways.row(SwitchId(static_cast<std::uint32_t>(s)));
      std::uint8_t* const out = matrix.hops.data() + s * ways.switch_count;
      for (std::size_t c = 0; c < row.size(); ++c) out[tree.order()[c].index()] = row[c];
    }
  });
  return matrix;
}

std::optional<SwitchId> Ways::next_aside(SwitchId from, std::uint32_t column) const {
  const auto it = std::ranges::lower_bound(aside, StepAside{from, column, SwitchId(0)});
  if (it == aside.end() || it->from != from || it->column != column) return std::nullopt;
  return it->next;
}

}  // namespace rch::engines::tree
