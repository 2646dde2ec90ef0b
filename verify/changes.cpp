#include "verify/changes.h"

#include <algorithm>
#include <cstring>

#include <tbb/enumerable_thread_specific.h>

#include "base/bitset.h"
#include "base/parallel.h"
#include "fabric/aggregation_nodes.h"

namespace rch::verify {
namespace {

using fabric::Fabric;
using fabric::ForwardingTables;
using fabric::RoutingTables;

constexpr std::size_t kBlock = ForwardingTables::kBlock;
constexpr std::size_t kLids = 0x10000;

/// Nodes and ports have the same numbers.
bool same_nodes(const Fabric& before, const Fabric& now) {
  return before.switch_count() == now.switch_count() && before.ports().size() == now.ports().size() &&
         std::ranges::equal(before.nodes(), now.nodes(), [](const fabric::Node& a, const fabric::Node& b) {
           return a.guid == b.guid && a.type == b.type && a.num_ports == b.num_ports &&
                  fabric::is_aggregation_node(a) == fabric::is_aggregation_node(b);
         });
}

/// Ports of switches whose link is another one. Nothing if a host, its link or a LID is.
std::optional<std::vector<PortId>> changed_links(const Fabric& before, const Fabric& now) {
  std::vector<PortId> changed;
  for (std::uint32_t p = 0; p < now.ports().size(); ++p) {
    const fabric::Port &was = before.port(PortId(p)), &is = now.port(PortId(p));
    if (was.lid != is.lid || was.lmc != is.lmc) return std::nullopt;
    if (was.peer == is.peer && was.vl_cap == is.vl_cap) continue;
    for (const PortId end : {PortId(p), was.peer, is.peer}) {
      if (end.is_none()) continue;
      if (!now.is_switch(now.port(end).node)) return std::nullopt;
      changed.push_back(end);
    }
  }
  std::ranges::sort(changed);
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  return changed;
}

bool same_dimension(const fabric::SlRule::Dimension& a, const fabric::SlRule::Dimension& b) {
  return a.bit == b.bit && a.radix == b.radix && a.coordinate == b.coordinate && a.crosses == b.crosses;
}

/// Each path has the SL that it had. Of several steps that is known only where all paths have one.
bool same_service_levels(const RoutingTables& before, const RoutingTables& now) {
  const auto level = fabric::common_path_sl(now);
  if (level && level == fabric::common_path_sl(before)) return true;
  if (before.steps.size() != 1 || now.steps.size() != 1) return false;
  const fabric::SlRule &was = before.steps.front().sl, &is = now.steps.front().sl;
  return was.base == is.base && was.border == is.border &&
         std::ranges::equal(was.dimensions, is.dimensions, same_dimension);
}

bool same_maps(const fabric::Sl2VlTables& before, const fabric::Sl2VlTables& now) {
  if (before.empty() || now.empty()) return before.empty() && now.empty();
  if (before.switch_count() != now.switch_count() || before.end_port_id() != now.end_port_id() ||
      !std::ranges::equal(before.maps(), now.maps()) || !std::ranges::equal(before.own_ids(), now.own_ids()))
    return false;
  for (std::uint32_t s = 0; s < now.switch_count(); ++s)
    if (!std::ranges::equal(before.ids(SwitchId(s)), now.ids(SwitchId(s)))) return false;
  return true;
}

/// LIDs for which a switch has another entry.
void add_differences(std::span<const std::uint8_t> before, std::span<const std::uint8_t> now,
                     IdSet<Lid>& lids) {
  if (before.data() == now.data()) return;
  for (std::size_t block = 0; block < now.size(); block += kBlock) {
    if (std::memcmp(before.data() + block, now.data() + block, kBlock) == 0) continue;
    for (std::size_t lid = block; lid < block + kBlock; ++lid)
      if (before[lid] != now[lid]) lids.insert(Lid(static_cast<std::uint16_t>(lid)));
  }
}

/// LIDs for which a switch has this entry.
void add_users(std::span<const std::uint8_t> row, PortNum port, IdSet<Lid>& lids) {
  for (std::size_t lid = 0; lid < row.size(); ++lid)
    if (row[lid] == port.value) lids.insert(Lid(static_cast<std::uint16_t>(lid)));
}

IdSet<Lid> changed_lids(const ForwardingTables& before, const ForwardingTables& now, const Fabric& fabric,
                        std::span<const PortId> ports) {
  tbb::enumerable_thread_specific<IdSet<Lid>> found(kLids);
  parallel_ranges(now.switch_count(), 64, [&](std::size_t first, std::size_t last) {
    IdSet<Lid>& lids = found.local();
    for (std::size_t s = first; s < last; ++s) {
      const SwitchId sw(static_cast<std::uint32_t>(s));
      add_differences(before.row(sw), now.row(sw), lids);
    }
  });
  IdSet<Lid> all(kLids);
  for (const IdSet<Lid>& lids : found) all |= lids;
  for (const PortId port : ports) {
    const SwitchId sw(fabric.port(port).node.value);
    add_users(before.row(sw), fabric.port(port).number, all);
    add_users(now.row(sw), fabric.port(port).number, all);
  }
  return all;
}

std::vector<Destination> among(std::span<const Destination> destinations, const IdSet<Lid>& lids) {
  std::vector<Destination> result;
  for (const Destination& destination : destinations)
    if (lids.contains(destination.lid)) result.push_back(destination);
  return result;
}

}  // namespace

std::optional<Changes> changes_since(const EarlierProof& earlier, const Context& context) {
  const ForwardingTables &before = earlier.tables.lfts, &now = context.tables.lfts;
  if (!same_nodes(earlier.fabric, context.fabric)) return std::nullopt;
  auto ports = changed_links(earlier.fabric, context.fabric);
  if (!ports || before.stride() != now.stride() || before.switch_count() != now.switch_count() ||
      now.switch_count() != context.fabric.switch_count() ||
      !same_service_levels(earlier.tables, context.tables) ||
      !same_maps(earlier.tables.sl2vl, context.tables.sl2vl))
    return std::nullopt;
  IdSet<Lid> lids = changed_lids(before, now, context.fabric, *ports);
  for (const Lid lost : earlier.dependencies.lost_switches) lids.insert(lost);
  return Changes{among(context.destinations, lids), among(context.switches, lids), std::move(*ports)};
}

}  // namespace rch::verify
