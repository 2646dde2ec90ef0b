#include "chains/carry.h"

#include <algorithm>

#include "fabric/difference.h"
#include "fabric/fabric_builder.h"

namespace rch::chains {
namespace {

using fabric::ArbitrationTables;
using fabric::Fabric;
using fabric::Port;

bool takes_part(const Fabric& fabric, const Port& port) {
  return fabric.is_switch(port.node) || !port.peer.is_none();
}

/// The LIDs of the plan, for the end ports that are left.
std::vector<fabric::LidAssignment> lids_left(const Fabric& planned, const Fabric& seen) {
  std::vector<fabric::LidAssignment> lids;
  for (const Port& port : planned.ports()) {
    if (port.lid == kUnassignedLid) continue;
    if (const auto now = fabric::counterpart(seen, planned, port); now && takes_part(seen, seen.port(*now)))
      lids.push_back({*now, port.lid, port.lmc});
  }
  return lids;
}

/// Ports by the ids of the fabric as it is now, without those that lead nowhere now.
std::vector<PortId> ports_left(const Fabric& planned, const Fabric& seen, const std::vector<PortId>& ports) {
  std::vector<PortId> left;
  for (const PortId id : ports) {
    const auto now = fabric::counterpart(seen, planned, planned.port(id));
    if (now && (seen.port(*now).number == PortNum(0) || !seen.port(*now).peer.is_none()))
      left.push_back(*now);
  }
  std::ranges::sort(left);
  return left;
}

/// The same without those that lead to another port than before: cables were exchanged. What is forwarded
/// there meets paths that nobody has proven it beside.
std::vector<PortId> group_ports_left(const Fabric& planned, const Fabric& seen,
                                     const std::vector<PortId>& ports) {
  std::vector<PortId> left = ports_left(planned, seen, ports);
  std::erase_if(left, [&](PortId id) {
    const Port& now = seen.port(id);
    const auto then = fabric::counterpart(planned, seen, now);
    if (now.peer.is_none() || !then) return false;
    const PortId before = planned.port(*then).peer;
    return before.is_none() || fabric::counterpart(seen, planned, planned.port(before)) != now.peer;
  });
  return left;
}

/// The rows of PortTables for ports that are still there.
template <class Tables>
Tables tables_left(const Fabric& planned, const Fabric& seen, const Tables& tables) {
  if (tables.empty()) return {};
  Tables left(seen.ports().size());
  for (std::uint32_t p = 0; p < seen.ports().size(); ++p) {
    const auto then = fabric::counterpart(planned, seen, seen.port(PortId(p)));
    if (const auto* at = then ? tables.at(*then) : nullptr) left.set(PortId(p), left.intern(*at));
  }
  return left;
}

}  // namespace

std::vector<fabric::MulticastGroup> groups_left(const Fabric& planned, const Fabric& seen,
                                                std::vector<fabric::MulticastGroup> groups) {
  for (fabric::MulticastGroup& group : groups) {
    group.members = ports_left(planned, seen, group.members);
    group.senders = ports_left(planned, seen, group.senders);
    group.ports = group_ports_left(planned, seen, group.ports);
  }
  return groups;
}

ArbitrationTables arbitration_left(const Fabric& planned, const Fabric& seen,
                                   const ArbitrationTables& tables) {
  return tables_left(planned, seen, tables);
}

fabric::RateLimitTables rate_limits_left(const Fabric& planned, const Fabric& seen,
                                         const fabric::RateLimitTables& tables) {
  return tables_left(planned, seen, tables);
}

fabric::PKeyTables pkeys_left(const Fabric& planned, const Fabric& seen, const fabric::PKeyTables& tables) {
  if (tables.empty()) return {};
  fabric::PKeyTables left{.ports = {},
                          .begin = {0},
                          .keys = {},
                          .enforcement = tables.enforcement,
                          .keep_indexes = tables.keep_indexes};
  for (std::uint32_t p = 0; p < seen.ports().size(); ++p) {
    const auto then = fabric::counterpart(planned, seen, seen.port(PortId(p)));
    const auto at = then ? std::ranges::lower_bound(tables.ports, *then) : tables.ports.end();
    if (at == tables.ports.end() || *at != *then) continue;
    const auto keys = tables.of(static_cast<std::size_t>(at - tables.ports.begin()));
    left.ports.push_back(PortId(p));
    left.keys.insert(left.keys.end(), keys.begin(), keys.end());
    left.begin.push_back(static_cast<std::uint32_t>(left.keys.size()));
  }
  return left;
}

std::optional<Plan> without_lost_end_ports(const Plan& plan, const Fabric& seen) {
  const Fabric& planned = *plan.fabric;
  if (!fabric::only_lost_end_ports(planned, seen)) return std::nullopt;
  auto labelled = fabric::with_lids(seen, lids_left(planned, seen));
  if (!labelled) return std::nullopt;
  const fabric::RoutingTables& before = *plan.tables;
  fabric::RoutingTables tables{.lfts = before.lfts.clone(),
                               .sl2vl = before.sl2vl,
                               .steps = before.steps,
                               .groups = groups_left(planned, seen, before.groups),
                               .arbitration = tables_left(planned, seen, before.arbitration),
                               .rate_limits = tables_left(planned, seen, before.rate_limits),
                               .pkeys = pkeys_left(planned, seen, before.pkeys),
                               .adaptive = before.adaptive,
                               .sl2vl_of_options = before.sl2vl_of_options};
  Plan carried = plan;
  carried.fabric = std::make_shared<const Fabric>(std::move(*labelled));
  carried.tables = std::make_shared<const fabric::RoutingTables>(std::move(tables));
  carried.channels = nullptr;
  carried.dependencies = nullptr;
  return carried;
}

}  // namespace rch::chains
