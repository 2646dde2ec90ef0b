#include "fabric/aggregation_nodes.h"

#include <algorithm>

#include "fabric/equipment.h"

namespace rch::fabric {
namespace {

constexpr std::uint32_t kAggregationVendor = 0x2C9;
/// Devices of this vendor below are adapters, those from here on are switch silicon (pci.ids).
constexpr std::uint32_t kFirstSwitchDevice = 0xB000;

bool is_for_aggregation(const Fabric& fabric, const EndPort& end) {
  return is_aggregation_node(fabric.node(fabric.port(end.port).node));
}

/// Hops to the nearest switch with a host; 0xFFFFFFFF if none can be reached.
std::vector<std::uint32_t> heights_above_hosts(const Fabric& fabric) {
  std::vector<std::uint32_t> heights(fabric.switch_count(), 0xFFFFFFFF);
  std::vector<SwitchId> queue;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    if (!std::ranges::all_of(fabric.end_ports_of(SwitchId(s)),
                             [&](const EndPort& end) { return is_for_aggregation(fabric, end); })) {
      heights[s] = 0;
      queue.push_back(SwitchId(s));
    }
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Neighbor& n : fabric.graph().neighbors(queue[i])) {
      if (heights[n.sw.index()] != 0xFFFFFFFF) continue;
      heights[n.sw.index()] = heights[queue[i].index()] + 1;
      queue.push_back(n.sw);
    }
  return heights;
}

}  // namespace

bool is_aggregation_node(const Node& node) {
  if (node.type != NodeType::ca || (node.vendor_id != kAggregationVendor && node.vendor_id != 0))
    return false;
  if (node.vendor_id == kAggregationVendor && node.device_id == kAggregationDevice) return true;
  return node.description == kAggregationNode &&
         (node.device_id == 0 || node.device_id >= kFirstSwitchDevice);
}

AggregationNodes::AggregationNodes(const Fabric& fabric) {
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const auto ends = fabric.end_ports_of(SwitchId(s));
    const auto aggregates = [&](const EndPort& end) { return is_for_aggregation(fabric, end); };
    if (!ends.empty() && std::ranges::all_of(ends, aggregates)) bare_.push_back(SwitchId(s));
  }
  if (bare_.empty()) return;
  place_.assign(fabric.switch_count(), kNone);
  for (std::uint32_t i = 0; i < bare_.size(); ++i) place_[bare_[i].index()] = i;
  joined_.assign((bare_.size() * bare_.size() + 63) / 64, 0);
  join(fabric.graph(), heights_above_hosts(fabric));
}

/// From each destination backwards: to switches that lead down to it, and to switches that lead up to it.
void AggregationNodes::join(const SwitchGraph& graph, const std::vector<std::uint32_t>& heights) {
  std::vector<std::uint32_t> met(graph.switch_count(), kNone);  // by the last walk that met it
  std::vector<SwitchId> queue;
  for (std::uint32_t to = 0; to < bare_.size(); ++to)
    for (const bool down : {true, false}) {
      const std::uint32_t walk = 2 * to + (down ? 0 : 1);
      queue.assign(1, bare_[to]);
      met[bare_[to].index()] = walk;
      for (std::size_t i = 0; i < queue.size(); ++i) {
        const std::uint32_t height = heights[queue[i].index()];
        set_needed(queue[i], to);
        if (height == kNone) continue;
        for (const Neighbor& n : graph.neighbors(queue[i])) {
          if (heights[n.sw.index()] != (down ? height + 1 : height - 1) || met[n.sw.index()] == walk)
            continue;
          met[n.sw.index()] = walk;
          queue.push_back(n.sw);
        }
      }
    }
}

void AggregationNodes::set_needed(SwitchId from, std::uint32_t to) {
  if (place_[from.index()] == kNone) return;
  const std::size_t bit = place_[from.index()] * bare_.size() + to;
  joined_[bit / 64] |= std::uint64_t{1} << bit % 64;
}

}  // namespace rch::fabric
