#include "policy/bind/bind.h"

#include <algorithm>

#include <fmt/format.h>

#include "policy/bind/bind_cables.h"
#include "policy/bind/bind_groups.h"
#include "policy/bind/bind_hosts.h"
#include "policy/bind/bind_links.h"
#include "policy/bind/bind_qos.h"
#include "policy/bind/bind_roots.h"
#include "policy/bind/bind_seeds.h"
#include "policy/bind/bind_side_files.h"
#include "policy/bind/bind_topologies.h"
#include "policy/bind/partitions/layout.h"
#include "policy/lint/rules/bind.h"

namespace rch::policy {
namespace {

/// LIDs the end ports need against those there are (docs/diagnostics.md).
void check_lid_space(const Policy& policy, const fabric::Fabric& fabric, Diagnostics& diagnostics) {
  constexpr std::uint64_t kUnicastLids = 0xBFFF;
  const unsigned lmc = policy.options.lids.lmc;
  const std::uint64_t switches = fabric.switch_count() << (policy.options.lids.lmc_esp0 ? lmc : 0);
  const std::uint64_t needed = switches + (static_cast<std::uint64_t>(fabric.end_ports().size()) << lmc);
  if (needed > kUnicastLids)
    diagnostics.add(kLidSpace, {},
                    fmt::format("lmc {} needs {} LIDs; there are {}", lmc, needed, kUnicastLids));
}

std::vector<Topology>::const_iterator find_topology(const Policy& policy, TopologyId id) {
  return std::find_if(policy.topologies.begin(), policy.topologies.end(),
                      [&](const Topology& topology) { return topology.id == id; });
}

}  // namespace

bool BoundPolicy::is_placed(const Step& step) const {
  if (step.topology == TopologyId(0)) return true;
  const auto at = find_topology(*policy, step.topology);
  return at != policy->topologies.end() && !at->switches.is_none() && !at->hosts.is_none();
}

std::optional<fabric::Scope> BoundPolicy::scope(const Step& step) const {
  if (step.topology == TopologyId(0)) {
    if (!step.path_bit) return std::nullopt;
    return fabric::Scope{IdSet<PortId>(fabric->ports().size(), true), step.path_bit};
  }
  const auto at = find_topology(*policy, step.topology);
  return fabric::Scope{topologies[static_cast<std::size_t>(at - policy->topologies.begin())], step.path_bit};
}

const StepFiles& BoundPolicy::files_of(const Step& step) const {
  const auto& steps = policy->steps;
  const auto at = std::find_if(steps.begin(), steps.end(), [&](const Step& s) { return s.id == step.id; });
  return files[static_cast<std::size_t>(at - steps.begin())];
}

BoundPolicy bind(std::shared_ptr<const Policy> shared_policy,
                 std::shared_ptr<const fabric::Fabric> shared_fabric, Diagnostics& diagnostics) {
  BoundPolicy bound{std::move(shared_policy), std::move(shared_fabric), {}, {}, {}};
  const Policy& policy = *bound.policy;
  const fabric::Fabric& fabric = *bound.fabric;
  bound.groups = bind_groups(policy, fabric, diagnostics);
  bound.topologies = bind_topologies(policy, fabric, bound.groups, diagnostics);
  bound.files = bind_side_files(bound, diagnostics);
  check_cables(*bound.policy, *bound.fabric, diagnostics);
  check_hosts(bound, diagnostics);
  check_links(bound, diagnostics);
  check_roots(bound, diagnostics);
  check_seeds(bound, diagnostics);
  partitions::check_on_fabric(policy.partitions,
                              {fabric, fabric.origin().value_or(PortId::none()), bound.groups}, diagnostics);
  check_qos(bound, diagnostics);
  check_lid_space(policy, fabric, diagnostics);
  return bound;
}

}  // namespace rch::policy
