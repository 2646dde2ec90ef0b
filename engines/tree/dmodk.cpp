#include "engines/tree/dmodk.h"

#include <algorithm>

#include "base/parallel.h"
#include "engines/tree/digits.h"
#include "engines/tree/next_hops.h"
#include "fabric/switch_order.h"

namespace rch::engines::tree {
namespace {

/// Makes rows of the tables, one switch after the other.
class RowBuilder {
 public:
  RowBuilder(const DmodkInput& input, const PortSelection& selection)
      : tree_(input.tree),
        graph_(input.tree.view().graph()),
        hops_(input.hops),
        destinations_(input.destinations),
        selection_(selection),
        next_hops_(input.tree, input.hops) {}

  /// All entries of a row, padding included.
  void build(SwitchId sw, std::span<std::uint8_t> row) {
    std::fill(row.begin(), row.end(), kNoPath);
    if (!tree_.is_ranked(sw)) return;
    begin(sw);
    next_hops_.load(sw);
    const auto columns = static_cast<std::uint32_t>(tree_.order().size());
    const std::uint32_t start = end_of_own_leaves();
    route_columns(sw, start, columns, row.data());
    route_columns(sw, 0, start, row.data());
    const std::uint32_t own = tree_.column(sw);
    for (const Destination& to : destinations_.in(own, own + 1)) row[to.lid.index()] = to.attach.value;
  }

  /// The entries of some columns alone.
  void update(SwitchId sw, std::span<const std::uint32_t> columns, std::uint8_t* row) {
    begin(sw);
    for (const std::uint32_t c : columns) {
      if (c == tree_.column(sw)) continue;
      for (const Destination& to : destinations_.in(c, c + 1)) row[to.lid.index()] = kNoPath;
      route_run(sw, next_hops_.towards(sw, c), c, c + 1, row);
    }
  }

 private:
  void begin(SwitchId sw) {
    round_robin_.assign(tree_.up_groups(sw).size() + tree_.down_groups(sw).size(), {});
  }

  /// Round robin starts after the leaves below a switch. No shift sends to both sides of them at once, so a
  /// jump in the NIDs does no harm there.
  std::uint32_t end_of_own_leaves() const {
    const std::uint32_t first = tree_.column(tree_.leaves().front());
    std::uint32_t column = tree_.column(tree_.leaves().back()) + 1;
    while (column > first && !next_hops_.is_below(column - 1)) --column;
    return column;
  }

  void route_columns(SwitchId sw, std::uint32_t begin, std::uint32_t limit, std::uint8_t* row) {
    for (std::uint32_t c = begin, end = 0; c < limit; c = end) {
      end = std::min(next_hops_.run_end(c), limit);
      route_run(sw, next_hops_.towards(c), c, end, row);
    }
  }

  /// Columns [begin, end), which share their next hops.
  void route_run(SwitchId sw, const GroupSet& groups, std::uint32_t begin, std::uint32_t end,
                 std::uint8_t* row) {
    if (groups.none()) {
      for (std::uint32_t c = begin; c < end; ++c) route_by_sibling(sw, c, row);
      return;
    }
    list_candidates(sw, groups);
    selection_.select(tree_.rank(sw), tree_.column(sw), groups.first() < tree_.up_groups(sw).size(),
                      range(begin, end), candidates_, row);
  }

  void list_candidates(SwitchId sw, const GroupSet& groups) {
    const auto up = tree_.up_groups(sw), down = tree_.down_groups(sw);
    const std::size_t digit = std::min<std::size_t>(tree_.rank(sw), kNoTuple.size() - 1);
    candidates_.clear();
    groups.for_each([&](std::size_t i) {
      if (i < up.size())
        candidates_.push_back({graph_.links(up[i]), &round_robin_[i], tree_.tuple(up[i].sw)[digit]});
      else
        candidates_.push_back({graph_.links(down[i - up.size()]), &round_robin_[i]});
    });
  }

  void route_by_sibling(SwitchId sw, std::uint32_t column, std::uint8_t* row) const {
    if (hops_.sibling_hops.empty()) return;
    const auto next = hops_.next_sibling(sw, column);
    if (!next) return;
    RoundRobin fresh;
    const auto group = std::ranges::find(tree_.sibling_groups(sw), *next, &fabric::Neighbor::sw);
    selection_.select_sibling(range(column, column + 1), {graph_.links(*group), &fresh}, row);
  }

  PortSelection::Range range(std::uint32_t begin_column, std::uint32_t end_column) const {
    return {destinations_.first[begin_column], destinations_.first[end_column]};
  }

  const Tree& tree_;
  const fabric::SwitchGraph& graph_;
  const UpDownHops& hops_;
  const Destinations& destinations_;
  const PortSelection& selection_;
  NextHops next_hops_;
  std::vector<RoundRobin> round_robin_;  ///< by place in a GroupSet
  std::vector<Candidate> candidates_;
};

/// With single links, no entry of a row depends on another.
bool has_parallel_links(const Tree& tree, SwitchId sw) {
  const auto is_parallel = [](const fabric::Neighbor& n) { return n.link_count > 1; };
  return std::ranges::any_of(tree.up_groups(sw), is_parallel) ||
         std::ranges::any_of(tree.down_groups(sw), is_parallel);
}

}  // namespace

fabric::ForwardingTables route_dmodk(const DmodkInput& input, const InstalledTree* installed,
                                     std::uint32_t rotation) {
  const Tree& tree = input.tree;
  auto lfts =
      fabric::ForwardingTables::uninitialised(tree.view().switch_count(), tree.view().fabric().max_lid());
  const PortSelection selection(tree, input.destinations, rotation);
  // Switches one after the other that have neighbours in common: rows of hops are read from caches.
  const std::vector<SwitchId> order = fabric::breadth_first_order(tree.view().graph());
  parallel_ranges(order.size(), 4, [&](std::size_t begin, std::size_t end) {
    RowBuilder builder(input, selection);
    std::vector<std::uint32_t> changed;
    for (const SwitchId sw : std::span(order).subspan(begin, end - begin)) {
      const bool keeps_links = installed != nullptr && installed->has_same_links(sw);
      if (keeps_links) changed = installed->changed_columns(sw);
      if (!keeps_links || (!changed.empty() && has_parallel_links(tree, sw))) {
        builder.build(sw, lfts.row(sw));
        continue;
      }
      installed->tables().copy_to(lfts, sw);
      if (!changed.empty()) builder.update(sw, changed, lfts.row(sw).data());
    }
  });
  return lfts;
}

}  // namespace rch::engines::tree
