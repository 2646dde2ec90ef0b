#include "whatif/withdrawal.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "whatif/damage.h"

namespace rch::whatif {
namespace {

using fabric::Fabric;

std::string name_of(const fabric::Node& node) { return fmt::format("`{}` ({})", node.name(), node.guid); }

/// Switches that are not among the parts and not in what stays.
std::vector<std::string> lost_switches(const Fabric& whole, const Failure& parts, const Fabric& stays) {
  std::vector<std::string> names;
  for (std::uint32_t s = 0; s < whole.switch_count(); ++s) {
    const NodeId id = whole.node_id(SwitchId(s));
    const bool is_part = std::ranges::find(parts.nodes, id) != parts.nodes.end();
    if (!is_part && !stays.find_node(whole.node(id).guid)) names.push_back(name_of(whole.node(id)));
  }
  return names;
}

/// The node from which the fabric is seen is one of the parts, or its cable is.
bool has_origin(const Fabric& whole, const Failure& parts) {
  const auto origin = whole.origin();
  if (!origin) return false;
  const fabric::Port& port = whole.port(*origin);
  const auto is_ours = [&](PortId cable) { return cable == *origin || cable == port.peer; };
  return std::ranges::find(parts.nodes, port.node) != parts.nodes.end() ||
         std::ranges::any_of(parts.cables, is_ours);
}

/// The operator names the cable of that port.
bool is_named(const Fabric& whole, const Failure& parts, PortId port) {
  return std::ranges::any_of(parts.cables,
                             [&](PortId cable) { return cable == port || cable == whole.port(port).peer; });
}

std::string cut_off(const std::vector<std::string>& names, std::string_view noun) {
  constexpr std::size_t kShown = 10;
  const std::size_t shown = std::min(names.size(), kShown);
  return fmt::format("{} {} cut off: {}{}", counted(names.size(), noun), names.size() == 1 ? "is" : "are",
                     fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "");
}

void object(Withdrawal& found, const Fabric& whole, const Failure& parts) {
  const Outcome& outcome = found.outcome;
  std::vector<std::string>& objections = found.objections;
  if (has_origin(whole, parts) || outcome.manager_cut_off)
    objections.emplace_back("the subnet manager runs behind it");
  if (!found.hosts.empty()) objections.push_back(cut_off(found.hosts, "host"));
  if (!found.switches.empty()) objections.push_back(cut_off(found.switches, "switch"));
  if (outcome.routing == Routing::none)
    objections.push_back("the fabric without it cannot be routed: " + outcome.reason);
  if (!outcome.findings.empty())
    objections.push_back(fmt::format("the plan without it is forbidden: {}", outcome.finding));
  else if (outcome.lost_pairs > 0)
    objections.push_back(fmt::format("{} of hosts {} no path without it", counted(outcome.lost_pairs, "pair"),
                                     outcome.lost_pairs == 1 ? "has" : "have"));
  if (outcome.stops_traffic)
    objections.emplace_back("its update is unsafe while traffic flows (static-change)");
}

}  // namespace

Withdrawal judge_withdrawal(const Judge& judge, const Fabric& whole, const Failure& parts) {
  Withdrawal found{.outcome = judge.judge(0, parts)};
  if (const auto damage = damaged(whole, parts)) {
    for (const PortId port : damage->cut_off) {
      if (is_named(whole, parts, port)) continue;
      std::string name = name_of(whole.node(whole.port(port).node));
      if (std::ranges::find(found.hosts, name) == found.hosts.end()) found.hosts.push_back(std::move(name));
    }
    found.switches = lost_switches(whole, parts, damage->fabric);
  }
  object(found, whole, parts);
  return found;
}

}  // namespace rch::whatif
