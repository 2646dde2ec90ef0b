#include "cli/cut_off.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "cli/accepts.h"
#include "cli/output.h"
#include "hw/assembly.h"
#include "policy/bind/bind_cables.h"

namespace rch::cli {
namespace {

/// Nodes that a message names; the others are counted.
constexpr std::size_t kNamedNodes = 3;

/// "2 hosts and 1 switch of the installed plan: `host000 HCA-1` (0x…), …"
std::string described(const fabric::Fabric& fabric, std::vector<NodeId> nodes) {
  const auto is_host = [&](NodeId node) { return !fabric.is_switch(node); };
  const auto first_switch = std::stable_partition(nodes.begin(), nodes.end(), is_host);
  const auto hosts = static_cast<std::size_t>(first_switch - nodes.begin());
  std::vector<std::string> counts, names;
  if (hosts > 0) counts.push_back(counted(hosts, "host"));
  if (hosts < nodes.size()) counts.push_back(counted(nodes.size() - hosts, "switch"));
  for (const NodeId node : nodes)
    if (names.size() < kNamedNodes) names.push_back(describe(fabric.node(node)));
  return fmt::format("{} of the installed plan: {}{}", fmt::join(counts, " and "), fmt::join(names, ", "),
                     nodes.size() > kNamedNodes ? ", ..." : "");
}

}  // namespace

std::optional<CutOffParts> cut_off(const fabric::Fabric& fabric, const fabric::CablePolicy& cables) {
  const auto nodes = fabric::taken_out(fabric, cables);
  if (!nodes)
    return CutOffParts{fmt::format("{}; it would cut off the whole fabric, {} and {}", nodes.error().message,
                                   counted(fabric.nodes().size() - fabric.switch_count(), "host"),
                                   counted(fabric.switch_count(), "switch")),
                       true};
  if (nodes->empty()) return std::nullopt;
  return CutOffParts{"`topo_config_file` or `held_back_sw_file` cuts off " + described(fabric, *nodes)};
}

bool same_lists(const Loaded& a, const Loaded& b) {
  const auto of_a = policy::cable_policy(*a.policy), of_b = policy::cable_policy(*b.policy);
  return of_a && of_b ? *of_a == *of_b : !of_a && !of_b;
}

std::optional<CutOffParts> new_cut_off(const Loaded& loaded, const Loaded& before,
                                       const chains::Plan* installed) {
  const auto cables = policy::cable_policy(*loaded.policy);
  if (!cables || installed == nullptr || same_lists(loaded, before)) return std::nullopt;
  return cut_off(*installed->fabric, *cables);
}

void judge_lists(Reading& reading, const Loaded& before, const chains::Plan* installed,
                 const hw::LiveFabric* seen, bool accepts_cut_off) {
  if (!reading.loaded || same_lists(*reading.loaded, before)) return;
  const auto cut = new_cut_off(*reading.loaded, before, installed);
  if (cut && cut->is_unfit) return refuse(reading, cut->what);
  if (cut && !accepts_cut_off)
    return refuse(reading, cut->what + fmt::format("; `rch reload --accept {}` accepts it", kCutOff));
  if (cut) warn(reading, cut->what);
  const auto cables = policy::cable_policy(*reading.loaded->policy);
  if (!cables || seen == nullptr) return;
  const std::vector<Guid> absent = hw::absent_switches(*seen->sweep, *cables);
  if (!absent.empty()) warn(reading, absent_held_back(absent));
}

}  // namespace rch::cli
