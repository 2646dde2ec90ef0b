#include "policy/bind/bind_seeds.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "policy/bind/bind_cables.h"
#include "policy/bind/bind_torus.h"
#include "policy/lint/rules/bind.h"

namespace rch::policy {
namespace {

using fabric::Fabric;

/// One thing wrong with a seed.
struct Finding {
  const Rule* rule;
  Span span;
  std::string message;
  bool bearable = false;  ///< the engine takes the seed anyway if no other is whole
};

/// Checks the seeds of one step.
class SeedCheck {
 public:
  SeedCheck(const Policy& policy, const Fabric& fabric, std::optional<fabric::Scope> scope)
      : policy_(policy), fabric_(fabric), scope_(std::move(scope)) {}

  std::vector<Finding> run(const fabric::TorusSeed& seed, const TorusPlaces::Seed& places) {
    findings_.clear();
    named_.clear();
    std::array<bool, 3> holds{};                            // by axis
    std::vector<std::pair<std::size_t, Finding>> unlinked;  // by axis
    for (const TorusPlaces::Link& place : places.links) {
      const auto& link = (place.plus ? seed.plus : seed.minus)[place.axis];
      if (!link) continue;
      const auto from = find_switch(link->from, place.from);
      const auto to = find_switch(link->to, place.to);
      if (!from || !to) continue;
      if (linked(*from, *to))
        holds[place.axis] = true;
      else
        unlinked.push_back(
            {place.axis,
             {&kSeedNotNeighbours, place.to,
              fmt::format("{} and {} are not linked{}", describe(*from), describe(*to), where())}});
    }
    for (auto& [axis, finding] : unlinked) {
      finding.bearable = holds[axis];
      findings_.push_back(std::move(finding));
    }
    return findings_;
  }

 private:
  /// The switch a seed names; a GUID that was reported in this seed is not reported again.
  std::optional<NodeId> find_switch(Guid guid, Span span) {
    const auto node = fabric_.find_node(guid);
    const bool first_time = named_.insert(guid).second;
    const auto report = [&](const Rule& rule, std::string message) {
      if (first_time) findings_.push_back({&rule, span, std::move(message)});
      return std::nullopt;
    };
    if (!node) {
      const auto port = fabric_.find_port(guid);
      if (!port) return report(kSeedNotInFabric, fmt::format("{}{}", guid, absence(policy_, guid)));
      return report(kSeedNotASwitch,
                    fmt::format("{} is the GUID of a port of {}; a seed names switches by node GUID", guid,
                                describe(fabric_.port(*port).node)));
    }
    if (!fabric_.is_switch(*node)) {
      const bool router = fabric_.node(*node).type == fabric::NodeType::router;
      return report(kSeedNotASwitch, fmt::format("{} is a {}, not a switch", describe(*node),
                                                 router ? "router" : "channel adapter"));
    }
    if (scope_ && !scope_->ports.contains(fabric_.port_id(*node, PortNum(0))))
      return report(kSeedOutsideTopology, fmt::format("{} is outside the step's topology", describe(*node)));
    return node;
  }

  bool linked(NodeId from, NodeId to) const {
    for (unsigned p = 1; p <= fabric_.node(from).num_ports; ++p) {
      const PortId port = fabric_.port_id(from, PortNum(static_cast<std::uint8_t>(p)));
      const PortId peer = fabric_.port(port).peer;
      if (peer.is_none() || fabric_.port(peer).node != to) continue;
      if (!scope_ || (scope_->ports.contains(port) && scope_->ports.contains(peer))) return true;
    }
    return false;
  }

  std::string describe(NodeId node) const {
    return fmt::format("`{}` ({})", fabric_.node(node).name(), fabric_.node(node).guid);
  }
  std::string where() const { return scope_ ? " inside the step's topology" : ""; }

  const Policy& policy_;
  const Fabric& fabric_;
  std::optional<fabric::Scope> scope_;
  std::set<Guid> named_;
  std::vector<Finding> findings_;
};

using Findings = std::vector<Finding>;

/// The seed that the engine takes first: a whole one; one with a link in each dimension; one whose switches
/// are all there. The end if there is none.
std::vector<Findings>::const_iterator find_usable(const std::vector<Findings>& seeds) {
  const auto is_bearable = [](const Finding& f) { return f.bearable; };
  const auto is_unlinked = [](const Finding& f) { return f.rule == &kSeedNotNeighbours; };
  auto usable = std::ranges::find_if(seeds, [](const Findings& f) { return f.empty(); });
  if (usable == seeds.end())
    usable =
        std::ranges::find_if(seeds, [&](const Findings& f) { return std::ranges::all_of(f, is_bearable); });
  if (usable == seeds.end())
    usable =
        std::ranges::find_if(seeds, [&](const Findings& f) { return std::ranges::all_of(f, is_unlinked); });
  return usable;
}

std::string without_a_seed(const BoundPolicy& bound, const Step& step) {
  const auto& steps = bound.policy->steps;
  const auto fallback = std::ranges::find(steps, std::optional(step.id), &Step::fallback_to);
  return fmt::format("no seed of this file is usable: step {} fails, and {}", step.id,
                     fallback == steps.end() ? "no fallback is declared"
                                             : fmt::format("step {} takes its place", fallback->id));
}

/// True when a seed is usable.
bool check_step(const BoundPolicy& bound, const Step& step, Diagnostics& diagnostics) {
  SeedCheck check(*bound.policy, *bound.fabric, bound.scope(step));
  std::vector<Findings> findings;
  for (std::size_t i = 0; i < step.torus->seeds.size(); ++i)
    findings.push_back(check.run(step.torus->seeds[i], step.torus_places.seeds[i]));
  const auto usable = find_usable(findings);
  const bool is_linked = usable == findings.end() || std::ranges::all_of(*usable, &Finding::bearable);
  for (const Findings& of_seed : findings)
    for (const Finding& finding : of_seed) {
      Diagnostic& d = diagnostics.add(*finding.rule, finding.span, finding.message);
      if (usable == findings.end()) {
        if (d.severity != Severity::error) d.hint = without_a_seed(bound, step);
        continue;
      }
      d.severity = Severity::warning;
      d.hint =
          fmt::format("seed {} is {}", usable - findings.begin() + 1,
                      is_linked ? "usable and will be taken"
                                : "used as it is written: the step fails if the other switches do not fit");
    }
  return usable != findings.end();
}

/// Ports that `port_order` names and no switch has; the engine passes over them (docs/torus.md).
void check_port_order(const Fabric& fabric, const Step& step, Diagnostics& diagnostics) {
  unsigned most = 0;
  for (std::size_t s = 0; s < fabric.switch_count(); ++s)
    most = std::max<unsigned>(most, fabric.nodes()[s].num_ports);
  const auto& order = step.torus->port_order;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] > most)
      diagnostics.add(kPortOrderBeyondPorts, step.torus_places.port_order[i],
                      fmt::format("no switch has a port {}; the largest has {}", order[i], most));
}

}  // namespace

void check_seeds(const BoundPolicy& bound, Diagnostics& diagnostics) {
  std::set<std::tuple<SourceId, std::uint32_t, TopologyId>>
      checked;  ///< one file on one topology is checked once
  for (const Step& step : bound.policy->steps) {
    if (!step.torus || !bound.is_placed(step) ||
        !checked.insert({step.torus_places.size.source, step.torus_places.size.begin, step.topology}).second)
      continue;
    if (check_step(bound, step, diagnostics)) check_torus(bound, step, diagnostics);
    check_port_order(*bound.fabric, step, diagnostics);
  }
}

}  // namespace rch::policy
