#include "engines/ftree/repair_pass.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "engines/common/path_distribution.h"
#include "engines/common/repair/repair_pass.h"
#include "engines/opensm_compat/ftree.h"
#include "engines/tree/dmodk.h"
#include "engines/tree/next_hops.h"
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
  /// One more destination on a link, or one more flow of a shift, and a tenth more flows of all to all.
  bool almost_as_even_as(const Cost& other) const {
    Cost more = other;
    ++more.by_guid.destinations;
    more.by_guid.flows += more.by_guid.flows / 10;
    ++more.by_guid.worst_shift;
    ++more.by_tuple.worst_shift;
    return no_worse_than(more);
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

/// By output port of a switch, its place in a GroupSet.
class GroupPlaces {
 public:
  GroupPlaces(const Tree& tree, SwitchId sw) {
    places_.fill(kNone);
    std::uint16_t place = 0;
    for (const auto groups : {tree.up_groups(sw), tree.down_groups(sw)})
      for (const fabric::Neighbor& group : groups) {
        for (const fabric::SwitchLink& link : tree.view().graph().links(group))
          places_[link.out.value] = place;
        ++place;
      }
  }
  bool leads(std::uint8_t port, const tree::GroupSet& groups) const {
    return places_[port] != kNone && groups.contains(places_[port]);
  }

 private:
  static constexpr std::uint16_t kNone = 0xFFFF;
  std::array<std::uint16_t, 256> places_;
};

/// Installed entries that lie on minimal up-down paths; the others are those of `lfts`.
ForwardingTables with_installed(const tree::DmodkInput& input, const common::InstalledTables& installed,
                                const ForwardingTables& lfts) {
  ForwardingTables tables = lfts.clone();
  const tree::NextHops next_hops(input.tree, input.hops);
  const auto columns = static_cast<std::uint32_t>(input.tree.order().size());
  for (const SwitchId sw : input.tree.order()) {
    const GroupPlaces places(input.tree, sw);
    const auto before = installed.table(sw);
    const auto row = tables.row(sw);
    for (std::uint32_t c = 0; c < columns; ++c) {
      if (c == input.tree.column(sw)) continue;
      const tree::GroupSet groups = next_hops.towards(sw, c);
      for (const tree::Destination& to : input.destinations.in(c, c + 1))
        if (to.lid.index() < before.size() && places.leads(before[to.lid.index()], groups))
          row[to.lid.index()] = before[to.lid.index()];
    }
  }
  return tables;
}

}  // namespace

ForwardingTables repair(const tree::DmodkInput& input, ForwardingTables lfts,
                        const std::optional<common::InstalledTables>& installed) {
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
  if (auto repaired = common::repair_pass(cost_of(lfts), target, next, cost_of)) lfts = std::move(*repaired);
  if (!installed || !installed->same_rules) return lfts;
  ForwardingTables kept = with_installed(input, *installed, lfts);
  const Cost of_kept = cost_of(kept);
  const bool is_even = of_kept.no_worse_than(target) && of_kept.almost_as_even_as(cost_of(lfts));
  return is_even ? std::move(kept) : std::move(lfts);
}

}  // namespace rch::engines::ftree
