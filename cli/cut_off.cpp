#include "cli/cut_off.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "cli/output.h"

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

}  // namespace rch::cli
