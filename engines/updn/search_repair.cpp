#include "engines/updn/search_repair.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engines/common/path_distribution.h"
#include "engines/common/repair/acyclic_repair.h"
#include "engines/common/repair/repair_pass.h"
#include "engines/updn/orientation.h"

// Between switches of one rank, any order of switches avoids credit loops as well as another. The load
// differs: a switch with one neighbor above it sends to that one all that is not below it, which is half of a
// hypercube. OpenSM's search uses all output ports on shortest paths, and mostly closes a cycle.
// AcyclicRepair removes these cycles. Its result need not be better, so both routings are measured.

namespace rch::engines::updn {
namespace {

using common::AcyclicTables;
using common::PathDistribution;
using common::PortContext;

constexpr std::size_t kMostHosts = 1024;
constexpr std::size_t kMostSwitches = 1024;
/// Links on all paths between hosts, if all were as long as the longest: of all tables that are tried.
constexpr std::size_t kMostSteps = std::size_t{1} << 24;

std::size_t longest_path(const HopMatrix& hops) {
  std::uint8_t longest = 0;
  for (std::uint8_t h : hops.hops)
    if (h != HopMatrix::kUnknown) longest = std::max(longest, h);
  return longest;
}

bool joins_all_of(const HopMatrix& hops, const HopMatrix& other) {
  return std::ranges::equal(hops.hops, other.hops, [](std::uint8_t own, std::uint8_t theirs) {
    return own != HopMatrix::kUnknown || theirs == HopMatrix::kUnknown;
  });
}

/// Installed entries that would change; of as many, the better distribution counts.
struct ChangeCost {
  std::size_t entries = 0;
  PathDistribution distribution = {};

  bool no_worse_than(const ChangeCost& other) const {
    return entries != other.entries ? entries < other.entries
                                    : distribution.no_worse_than(other.distribution);
  }
};

std::size_t changed_entries(const PortContext& context, const fabric::ForwardingTables& lfts) {
  std::size_t changed = 0;
  for (std::uint32_t s = 0; s < lfts.switch_count(); ++s) {
    const auto before = context.options().installed->table(SwitchId(s));
    for (const common::Destination& to : context.destinations().all)
      changed += to.base.index() < before.size() && before[to.base.index()] != lfts.at(SwitchId(s), to.base);
  }
  return changed;
}

/// Takes back the installed ports on shortest paths. AcyclicRepair uses all of these, the search only those
/// that it came by.
void keep_installed(const PortContext& context, const common::Channels& channels, StepTables& searched) {
  for (std::uint32_t s = 0; s < channels.switch_count(); ++s) {
    const auto before = context.options().installed->table(SwitchId(s));
    for (const common::DestinationGroup& group : context.destinations().groups)
      for (const common::Destination& to : context.destinations().destinations(group)) {
        const std::size_t lid = to.base.index();
        if (SwitchId(s) == group.sw || lid >= before.size()) continue;
        const common::ChannelId c = channels.at(SwitchId(s), before[lid]);
        if (!c.is_none() &&
            searched.hops->at(channels.to(c), group.sw) + 1 == searched.hops->at(SwitchId(s), group.sw))
          searched.lfts.row(SwitchId(s))[lid] = before[lid];
      }
  }
}

std::optional<AcyclicTables> repair(const PortContext& context, const StepTables& ordered,
                                    StepTables& searched, std::size_t roots) {
  const common::Channels channels(context.view().graph());
  if (context.options().installed) keep_installed(context, channels, searched);
  common::AcyclicRepair candidates(context, searched, roots);
  const auto next = [&] { return candidates.next(); };
  const auto hosts = common::hosts_by_guid(context.view());
  const auto distribution = [&](const auto& tables) {
    return common::path_distribution(channels, tables.lfts, hosts);
  };
  const auto change = [&](const auto& tables) {
    return ChangeCost{changed_entries(context, tables.lfts), distribution(tables)};
  };
  if (context.options().installed) return common::repair_pass(change(ordered), ChangeCost{}, next, change);
  return common::repair_pass(distribution(ordered), distribution(searched), next, distribution);
}

}  // namespace

bool can_repair(const common::WeightedGraph& links, std::span<const std::uint32_t> ranks) {
  return links.view().end_ports().size() <= kMostHosts && links.view().switch_count() <= kMostSwitches &&
         common::has_single_lids(links.view()) && !is_graded(links.graph(), ranks);
}

StepTables repair_search(const PortContext& context, StepTables ordered, StepTables searched) {
  const std::size_t hosts = context.view().end_ports().size();
  const std::size_t longest = std::max(longest_path(*ordered.hops), longest_path(*searched.hops));
  const std::size_t roots = std::min(common::AcyclicRepair::kMostRoots,
                                     kMostSteps / std::max<std::size_t>(1, hosts * hosts * longest));
  if (roots == 0 || !joins_all_of(*searched.hops, *ordered.hops)) return ordered;
  std::optional<AcyclicTables> repaired = repair(context, ordered, searched, roots);
  if (!repaired) return ordered;
  searched.lfts = std::move(repaired->lfts);
  searched.trees.push_back(std::move(repaired->tree));
  return searched;
}

}  // namespace rch::engines::updn
