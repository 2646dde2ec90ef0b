#include "chains/missing_paths.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "verify/reached_lids.h"

namespace rch::chains {
namespace {

using engines::common::Channels;
using fabric::Fabric;
using fabric::RoutingTables;

/// Switches that are tried as the one over which all new paths lead: of small fabrics, and of large ones,
/// which have more LIDs times switches than kSmallFabric.
constexpr std::size_t kMostOver = 24, kMostOverOfLarge = 2;
constexpr std::size_t kSmallFabric = 1'000'000;

/// Switches with hosts that have a LID, those with most first.
std::vector<SwitchId> fullest_switches(const Fabric& fabric) {
  std::vector<SwitchId> found;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const auto hosts = fabric.end_ports_of(SwitchId(s));
    if (!hosts.empty() && hosts.front().lid != kUnassignedLid) found.emplace_back(s);
  }
  std::ranges::stable_sort(found, std::greater(),
                           [&](SwitchId sw) { return fabric.end_ports_of(sw).size(); });
  return found;
}

/// The tables of this fabric with their dependencies by `options`, which have no cycle.
CarriedTables carried_from(const Fabric& fabric, const Channels& channels, const verify::Options& options,
                           const RoutingTables& tables) {
  CarriedTables carried;
  carried.tables.lfts = tables.lfts.clone();
  carried.tables.sl2vl = tables.sl2vl;
  carried.tables.steps = tables.steps;
  carried.moved.assign(channels.size(), false);
  const auto lane = [&](PortId port, std::uint8_t vl) {
    const fabric::Port& at = fabric.port(port);
    return lane_of(channels.at(*fabric.switch_id(at.node), at.number.value), vl);
  };
  for (const verify::ChannelDependency& d : verify::channel_dependencies(fabric, tables, options))
    carried.dependencies.emplace_back(lane(d.from, d.from_vl), lane(d.to, d.to_vl));
  return carried;
}

/// Repairs the paths to `lids` in `tables` of this fabric, which have no cycle by `options`.
RepairedPaths reach(const Fabric& fabric, const verify::Options& options, IdSet<Lid> lids, bool answers,
                    RoutingTables& tables) {
  const Channels channels(fabric.graph());
  CarriedTables carried = carried_from(fabric, channels, options, tables);
  carried.unsure = std::move(lids);
  carried.whole = verify::reached_lids(fabric, tables);
  carried.answers = answers;
  carried.all_or_none = !answers;
  // Paths over one switch leave the most room for a multicast tree. They need not be the shortest.
  std::optional<RepairedPaths> best;
  const auto is_whole = [&] { return best && best->unreached.empty(); };
  const auto repair_over = [&](Lid over) {
    fabric::ForwardingTables found = std::exchange(carried.tables.lfts, tables.lfts.clone());
    carried.over = over;
    RepairedPaths other = repair_paths(fabric, channels, carried);
    if (!best || other.unreached.size() < best->unreached.size())
      best = std::move(other);
    else
      carried.tables.lfts = std::move(found);
  };
  const std::size_t most =
      carried.unsure.count() * fabric.switch_count() <= kSmallFabric ? kMostOver : kMostOverOfLarge;
  std::vector<SwitchId> leaves = answers ? std::vector<SwitchId>() : fullest_switches(fabric);
  leaves.resize(std::min(leaves.size(), most));
  for (const SwitchId sw : leaves)
    if (!is_whole() && carried.work_left > 0) repair_over(fabric.end_ports_of(sw).front().lid);
  if (!is_whole()) repair_over(Lid::none());
  if (best->entries > 0) tables.lfts = std::move(carried.tables.lfts);
  return *best;
}

std::vector<Lid> lids_of_hosts(const Fabric& fabric) {
  std::vector<Lid> lids;
  for (std::size_t l = 1; l <= fabric.max_lid().index(); ++l) {
    const Lid lid(static_cast<std::uint16_t>(l));
    if (const auto owner = fabric.lid_owner(lid); owner && !fabric.is_switch(fabric.port(*owner).node))
      lids.push_back(lid);
  }
  return lids;
}

/// By entry of a switch, 0 included: whether it leads to something.
std::vector<bool> leading_entries(const Fabric& fabric, SwitchId sw) {
  std::vector<bool> leads(fabric.node(sw).num_ports + std::size_t{1}, true);
  for (std::size_t out = 1; out < leads.size(); ++out)
    leads[out] = !fabric.port(fabric.port_id(sw, PortNum(static_cast<std::uint8_t>(out)))).peer.is_none();
  return leads;
}

/// True if an entry is above `most`. Looks at eight at a time: a byte above `most` < 128 carries into its
/// highest bit when 127 - most is added, or has it set.
bool has_above(std::span<const std::uint8_t> entries, std::uint8_t most) {
  if (most >= 128) return true;  // perhaps
  constexpr std::uint64_t kEach = 0x0101010101010101, kHighest = 0x8080808080808080;
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= entries.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, &entries[at], sizeof word);
    const std::uint64_t sum = (word & ~kHighest) + kEach * (127U - most);
    if (((sum | word) & kHighest) != 0) return true;
  }
  return std::any_of(entries.begin() + static_cast<std::ptrdiff_t>(at), entries.end(),
                     [most](std::uint8_t entry) { return entry > most; });
}

}  // namespace

bool reach_switches(const Fabric& fabric, std::uint8_t max_op_vls, RoutingTables& tables) {
  IdSet<Lid> lids(fabric.max_lid().index() + 1);
  for (std::size_t lid = 1; lid <= fabric.max_lid().index(); ++lid)
    lids.insert(Lid(static_cast<std::uint16_t>(lid)));
  return reach(fabric, {.max_op_vls = max_op_vls}, std::move(lids), true, tables).entries > 0;
}

RepairedPaths reach_hosts(const Fabric& fabric, std::uint8_t max_op_vls, bool switch_lids,
                          RoutingTables& tables) {
  IdSet<Lid> lids(fabric.max_lid().index() + 1);
  for (const fabric::EndPort& end : fabric.end_ports())
    for (unsigned k = 0; end.lid != kUnassignedLid && k < 1U << end.lmc; ++k)
      lids.insert(Lid(static_cast<std::uint16_t>(end.lid.value + k)));
  const verify::Options options{.max_op_vls = max_op_vls, .switch_lids = switch_lids};
  return reach(fabric, options, std::move(lids), false, tables);
}

bool has_gaps(const Fabric& fabric, const fabric::ForwardingTables& lfts) {
  const std::vector<Lid> hosts = lids_of_hosts(fabric);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const SwitchId sw(s);
    const std::vector<bool> leads = leading_entries(fabric, sw);
    const auto row = lfts.row(sw);
    const bool all_lead = std::ranges::find(leads, false) == leads.end() &&
                          !has_above(row.subspan(1, fabric.max_lid().index()), fabric.node(sw).num_ports);
    const auto leads_nowhere = [&](Lid lid) {
      return row[lid.index()] >= leads.size() || !leads[row[lid.index()]];
    };
    if (!all_lead && std::ranges::any_of(hosts, leads_nowhere)) return true;
  }
  return false;
}

bool can_complete(const policy::BoundPolicy& bound, const verify::Verdict& verdict) {
  const bool is_free = std::ranges::all_of(bound.policy->steps, [](const policy::Step& step) {
    return step.mode != policy::EngineMode::compat && step.engine != "file";
  });
  return is_free && !verdict.clean() && std::ranges::all_of(verdict.findings, [](const verify::Finding& f) {
           return f.accepted || f.kind == verify::FindingKind::unreachable ||
                  f.kind == verify::FindingKind::multicast_unrouted;
         });
}

}  // namespace rch::chains
