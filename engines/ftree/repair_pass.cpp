#include "engines/ftree/repair_pass.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "engines/common/path_distribution.h"
#include "engines/common/repair/repair_pass.h"
#include "engines/opensm_compat/ftree.h"
#include "engines/tree/dmodk.h"
#include "engines/tree/regularity.h"

// D-Mod-K selects ports switch by switch. Destinations that a missing link displaces on different switches
// may meet on one link further on; only following all paths shows it. Whether another rotation avoids it is
// chance, so a few are tried, and OpenSM's tables last. Each table takes time for hosts^2 paths, twice.

namespace rch::engines::ftree {
namespace {

using fabric::ForwardingTables;
using tree::Tree;

constexpr std::uint32_t kRotations = 8;

/// OpenSM's search routes one LID per port, and may close credit loops over links between siblings. On a
/// regular tree nothing is better than D-Mod-K.
bool is_comparable(const Tree& tree) {
  const fabric::SubFabric& view = tree.view();
  return std::ranges::all_of(tree.order(), [&](SwitchId sw) { return tree.sibling_groups(sw).empty(); }) &&
         std::ranges::all_of(view.end_ports(), [](const fabric::EndPort& end) { return end.lmc == 0; }) &&
         tree::check_regularity(tree);
}

bool has_all_entries_of(const ForwardingTables& tables, const ForwardingTables& other) {
  for (std::uint32_t s = 0; s < tables.switch_count(); ++s) {
    const auto row = tables.row(SwitchId(s)), others = other.row(SwitchId(s));
    for (std::size_t lid = 0; lid < row.size(); ++lid)
      if (row[lid] == kNoPath && others[lid] != kNoPath) return false;
  }
  return true;
}

/// Path distribution of tables for both orders of hosts: by GUID, and compute nodes in tuple order.
struct Cost {
  common::PathDistribution by_guid, by_tuple;

  bool no_worse_than(const Cost& other) const {
    return by_guid.no_worse_than(other.by_guid) && by_tuple.worst_shift <= other.by_tuple.worst_shift;
  }
};

class CostFunction {
 public:
  explicit CostFunction(const Tree& tree)
      : channels_(tree.view().graph()), by_guid_(common::hosts_by_guid(tree.view())) {
    for (SwitchId leaf : tree.leaves())
      for (const fabric::EndPort& end : tree.view().end_ports_of(leaf))
        if (tree.role(end) == tree::Role::compute && end.lid != kUnassignedLid) by_tuple_.push_back(end);
    is_same_order_ =
        std::ranges::equal(by_tuple_, by_guid_, {}, &fabric::EndPort::port, &fabric::EndPort::port);
  }

  Cost operator()(const ForwardingTables& lfts) const {
    const auto by_guid = common::path_distribution(channels_, lfts, by_guid_);
    return {by_guid, is_same_order_ ? by_guid : common::path_distribution(channels_, lfts, by_tuple_)};
  }

 private:
  common::Channels channels_;
  std::vector<fabric::EndPort> by_guid_, by_tuple_;
  bool is_same_order_ = false;
};

}  // namespace

ForwardingTables repair(const tree::DmodkInput& input, ForwardingTables lfts) {
  if (!is_comparable(input.tree)) return lfts;
  ForwardingTables searched = opensm_compat::route_ftree(input.tree, 0);
  if (!has_all_entries_of(searched, lfts)) return lfts;
  const CostFunction cost_of(input.tree);
  const Cost target = cost_of(searched);
  std::uint32_t rotation = 0;
  const auto next = [&]() -> std::optional<ForwardingTables> {
    if (++rotation < kRotations) return tree::route_dmodk(input, nullptr, rotation);
    if (rotation == kRotations) return std::move(searched);
    return std::nullopt;
  };
  auto repaired = common::repair_pass(cost_of(lfts), target, next, cost_of);
  return repaired ? std::move(*repaired) : std::move(lfts);
}

}  // namespace rch::engines::ftree
