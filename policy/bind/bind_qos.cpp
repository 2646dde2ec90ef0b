#include "policy/bind/bind_qos.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/common/bounded.h"
#include "policy/lint/rules/bind.h"
#include "policy/lint/rules/enhanced_qos.h"
#include "policy/lint/rules/qos.h"

namespace rch::policy {
namespace {

using enhanced_qos::RuleRates;

/// The first node of each description, as OpenSM has it.
using NodeNames = std::unordered_map<std::string_view, NodeId>;

NodeNames node_names(const fabric::Fabric& fabric) {
  NodeNames names;
  for (std::uint32_t n = 0; n < fabric.nodes().size(); ++n)
    names.try_emplace(fabric.nodes()[n].description, NodeId(n));
  return names;
}

void check_port_name(const qos::NodePort& name, const NodeNames& nodes, const fabric::Fabric& fabric,
                     Diagnostics& diagnostics) {
  const auto node = nodes.find(name.node);
  if (node == nodes.end()) {
    diagnostics.add(qos::kNoSuchPort, name.span, fmt::format("no node is described as `{}`", name.node));
    return;
  }
  const unsigned ports = fabric.node(node->second).num_ports;
  if (name.port <= ports) return;
  Diagnostic& d =
      diagnostics.add(qos::kNoSuchPort, name.span,
                      fmt::format("`{}` has {}, not {}", name.node, counted(ports, "port"), name.port));
  d.severity = Severity::error;
  d.hint = "OpenSM drops the whole policy for a port number that is too large";
}

/// Each GUID, and each range, has a port of the fabric.
void check_guids(std::span<const qos::NamedGuids> named, const fabric::Fabric& fabric,
                 Diagnostics& diagnostics) {
  if (named.empty()) return;
  std::vector<std::uint64_t> known;
  for (const fabric::Port& port : fabric.ports())
    if (fabric.is_switch(port.node) || port.number != PortNum(0)) known.push_back(port.guid.value);
  std::sort(known.begin(), known.end());
  parsers::Bounded report(diagnostics);
  for (const qos::NamedGuids& range : named) {
    const auto at = std::lower_bound(known.begin(), known.end(), range.low);
    if (at != known.end() && *at <= range.high) continue;
    const bool node = range.low == range.high && fabric.find_node(Guid(range.low));
    Diagnostic& d = report.next().add(
        kGuidNotInFabric, range.span,
        range.low != range.high ? fmt::format("no port of the fabric has a GUID in this range")
        : node                  ? fmt::format("{} is a node, not a port", Guid(range.low))
                                : fmt::format("no port of the fabric has the GUID {}", Guid(range.low)));
    if (node) d.hint = "name the GUIDs of its ports";
  }
  report.finish(named.front().span.source);
}

/// Mbit/s of a link; nothing if it is not known.
std::optional<std::uint32_t> link_mbps(const fabric::Port& port) {
  constexpr std::uint32_t kLane[] = {0,      2'500,  5'000,  10'000,  10'000,
                                     14'000, 25'000, 50'000, 100'000, 200'000};
  constexpr std::pair<fabric::LinkWidth, std::uint32_t> kLanes[] = {{fabric::LinkWidth::x1, 1},
                                                                    {fabric::LinkWidth::x2, 2},
                                                                    {fabric::LinkWidth::x4, 4},
                                                                    {fabric::LinkWidth::x8, 8},
                                                                    {fabric::LinkWidth::x12, 12}};
  const std::uint32_t lane = kLane[static_cast<std::size_t>(port.speed)];
  for (const auto& [width, lanes] : kLanes)
    if (width == port.width && lane > 0) return lane * lanes;
  return std::nullopt;
}

class RateCheck {
 public:
  RateCheck(const BoundPolicy& bound, Diagnostics& diagnostics)
      : bound_(bound),
        fabric_(*bound.fabric),
        policy_(*bound.policy->enhanced_qos),
        diagnostics_(diagnostics) {}

  void run() {
    for (const auto& rule : policy_.ports.guids) check_port(rule);
    for (const auto& rule : policy_.vports.guids)
      if (const auto node = fabric_.find_node(rule.port); node && fabric_.is_switch(*node))
        report_switch(rule);
    check_groups();
  }

 private:
  void report_switch(const enhanced_qos::GuidRule& rule) {
    diagnostics_.add(enhanced_qos::kSwitchGuid, rule.span, fmt::format("{} is a switch", rule.port));
  }

  void check_port(const enhanced_qos::GuidRule& rule) {
    const auto node = fabric_.find_node(rule.port);
    if (node && fabric_.is_switch(*node)) return report_switch(rule);
    const auto port = fabric_.find_port(rule.port);
    if (!port) {
      diagnostics_.add(kGuidNotInFabric, rule.span,
                       fmt::format("no port of the fabric has the GUID {}", rule.port));
      return;
    }
    if (const auto mbps = link_mbps(fabric_.port(*port))) check_rates(rule.rates, *mbps, rule.span);
  }

  void check_rates(const RuleRates& rates, std::uint32_t link, Span span) {
    std::uint32_t highest = 0;
    for (const auto& rate : rates) highest = std::max(highest, rate.value_or(0));
    if (highest > link)
      diagnostics_.add(enhanced_qos::kAboveLinkRate, span,
                       fmt::format("a limit of {} Mbit/s, and the link has {}", highest, link));
  }

  /// Ports with rules of several groups, told once for each pair of rules. A rule of their own settles it.
  void check_groups() {
    constexpr std::uint32_t kNone = 0xFFFFFFFF;
    const auto& rules = policy_.ports.groups;
    std::vector<std::uint32_t> rule_of(fabric_.ports().size(), kNone);
    for (const auto& rule : policy_.ports.guids)
      if (const auto port = fabric_.find_port(rule.port)) rule_of[port->index()] = kNone - 1;
    for (std::uint32_t r = 0; r < rules.size(); ++r) {
      std::map<std::uint32_t, std::size_t> shared;
      bound_.groups[rules[r].group.index()].for_each([&](PortId port) {
        std::uint32_t& rule = rule_of[port.index()];
        if (rule == kNone - 1) return;
        if (rule != kNone) ++shared[rule];
        rule = r;
      });
      for (const auto& [earlier, ports] : shared) report_shared(rules[earlier], rules[r], ports);
    }
  }

  void report_shared(const enhanced_qos::GroupRule& earlier, const enhanced_qos::GroupRule& later,
                     std::size_t ports) {
    const auto& groups = bound_.policy->groups;
    diagnostics_
        .add(enhanced_qos::kTwoGroups, earlier.span,
             fmt::format("{} of `{}` {} in `{}` too, whose later rule wins", counted(ports, "port"),
                         groups[earlier.group.index()].name.text, ports == 1 ? "is" : "are",
                         groups[later.group.index()].name.text))
        .labels.push_back({later.span, "the later rule"});
  }

  const BoundPolicy& bound_;
  const fabric::Fabric& fabric_;
  const enhanced_qos::EnhancedQos& policy_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_qos(const BoundPolicy& bound, Diagnostics& diagnostics) {
  if (bound.policy->qos) {
    check_guids(bound.policy->qos->guids, *bound.fabric, diagnostics);
    NodeNames nodes;
    for (const qos::PortSet& group : bound.policy->qos->groups) {
      if (!group.names.empty() && nodes.empty()) nodes = node_names(*bound.fabric);
      for (const qos::NodePort& name : group.names) check_port_name(name, nodes, *bound.fabric, diagnostics);
    }
  }
  if (bound.policy->enhanced_qos) RateCheck(bound, diagnostics).run();
}

}  // namespace rch::policy
