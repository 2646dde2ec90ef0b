#include "layer_judge.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "fabric/fabric_builder.h"
#include "fabric/lids.h"
#include "table_judge.h"
#include "verify/verify.h"

namespace rch::test {
namespace {

using engines::HopMatrix;
using engines::StepTables;
using fabric::Fabric;

/// Calls body(LID, its switch) for every LID of an end port.
template <class Body>
void for_each_lid(const Fabric& fabric, Body&& body) {
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (const Lid own = switch_lid(fabric, s); own != kUnassignedLid) body(own, SwitchId(s));
    for (const fabric::EndPort& host : fabric.end_ports_of(SwitchId(s)))
      for (std::uint32_t bit = 0; bit < 1U << host.lmc; ++bit)
        body(Lid(static_cast<std::uint16_t>(host.lid.value + bit)), SwitchId(s));
  }
}

/// The service levels of the paths from switches with hosts.
std::set<std::uint8_t> service_levels(const Fabric& fabric, const StepTables& tables) {
  std::set<std::uint8_t> sls;
  for (std::uint32_t from = 0; from < fabric.switch_count(); ++from)
    for (std::uint32_t to = 0; to < fabric.switch_count() && !fabric.end_ports_of(SwitchId(from)).empty();
         ++to)
      sls.insert(tables.sl.sl(SwitchId(from), SwitchId(to)));
  return sls;
}

/// A cycle in the CDG of what hosts send on one SL, to hosts and switches.
std::string layer_cycle(const Fabric& fabric, const StepTables& tables, std::uint8_t sl) {
  std::map<Lid, SwitchId> switch_of;
  for_each_lid(fabric, [&](Lid lid, SwitchId to) { switch_of[lid] = to; });
  return credit_cycle(fabric, tables.lfts, [&](SwitchId from, Lid lid) {
    const auto to = switch_of.find(lid);
    return to != switch_of.end() && !fabric.end_ports_of(from).empty() &&
           tables.sl.sl(from, to->second) == sl;
  });
}

}  // namespace

Fabric with_ascending_lids(const Fabric& fabric) {
  const auto plan = fabric::plan_lids(fabric, {});
  if (!plan) throw std::runtime_error(plan.error().message);
  return *fabric::with_lids(fabric, plan->lids);
}

fabric::RoutingTables whole_routing(const Fabric& fabric, const StepTables& tables) {
  fabric::RoutingTables routing;
  routing.lfts = tables.lfts.clone();
  routing.sl2vl = tables.sl2vl;
  routing.steps.push_back({.id = StepId(1),
                           .engine = "dfsssp",
                           .switches = IdSet<SwitchId>(fabric.switch_count(), true),
                           .lids = IdSet<Lid>(fabric.max_lid().index() + 1, true),
                           .holes = {},
                           .sl = tables.sl});
  return routing;
}

std::size_t layer_count(const Fabric& fabric, const StepTables& tables) {
  return service_levels(fabric, tables).size();
}

bool is_minimal(const Fabric& fabric, const StepTables& tables) {
  bool minimal = true;
  for_each_lid(fabric, [&](Lid lid, SwitchId to) {
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      if (fabric.end_ports_of(SwitchId(s)).empty()) continue;
      const auto visited = path(fabric, tables.lfts, SwitchId(s), lid);
      if (visited && visited->size() - 1 != tables.hops->at(SwitchId(s), to)) minimal = false;
    }
  });
  return minimal;
}

bool has_detours(const StepTables& tables) {
  return std::ranges::any_of(tables.remarks, [](const std::string& remark) {
    return remark.find("non-minimal paths") != std::string::npos;
  });
}

std::string layer_faults(const Fabric& fabric, const StepTables& tables) {
  std::string faults;
  bool all_connected = true;
  for_each_lid(fabric, [&](Lid lid, SwitchId to) {
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const bool connected = tables.hops->at(SwitchId(s), to) != HopMatrix::kUnknown;
      all_connected = all_connected && connected;
      if (path(fabric, tables.lfts, SwitchId(s), lid).has_value() != connected)
        faults += fmt::format("switch {} and LID {}\n", s, lid);
    }
  });
  for (std::uint8_t sl : service_levels(fabric, tables))
    if (const std::string cycle = layer_cycle(fabric, tables, sl); !cycle.empty())
      faults += fmt::format("SL {}: {}\n", sl, cycle);
  for (const verify::Finding& finding : verify::verify(fabric, whole_routing(fabric, tables)).findings)
    if (all_connected || (finding.kind != verify::FindingKind::unreachable &&
                          finding.kind != verify::FindingKind::disconnected))
      faults += finding.message + "\n";
  return faults;
}

}  // namespace rch::test
