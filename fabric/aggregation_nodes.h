#pragma once

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace rch::fabric {

/// True for an aggregation node: a CA inside a switch that combines the data of collective operations
/// (SHARP). Its port is the last one of the switch. It is told by its description and its device: a host that
/// gives its adapter this description has another device.
bool is_aggregation_node(const Node& node);

/// Switches that carry aggregation nodes and no hosts, and which of their pairs need paths.
///
/// An aggregation tree joins hosts to the node of their leaf, and that one to nodes of switches above it. So
/// its packets only go up, towards the root of the aggregation tree, or only down. Nodes of two spines send
/// nothing to each other; a path between them goes down and up again, and such paths close credit loops on a
/// fat tree. Up is away from the hosts. A leaf that has lost its hosts lies above its spines by this measure,
/// so a path that turns around at the top is not needed either: it might turn around at such a leaf.
class AggregationNodes {
 public:
  explicit AggregationNodes(const Fabric& fabric);

  /// All end ports of the switch are aggregation nodes, and it has some.
  bool is_bare(SwitchId sw) const { return !place_.empty() && place_[sw.index()] != kNone; }
  const std::vector<SwitchId>& bare_switches() const { return bare_; }
  /// False for two bare switches that no path joins which leads away from the hosts all the way, or towards
  /// them all the way.
  bool needs_path(SwitchId from, SwitchId to) const {
    if (!is_bare(from) || !is_bare(to)) return true;
    const std::size_t bit = place_[from.index()] * bare_.size() + place_[to.index()];
    return (joined_[bit / 64] >> bit % 64 & 1U) != 0;
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  void join(const SwitchGraph& graph, const std::vector<std::uint32_t>& heights);
  /// `to` is an index into bare_.
  void set_needed(SwitchId from, std::uint32_t to);

  std::vector<std::uint32_t> place_;   ///< by switch: index into bare_; empty if there are none
  std::vector<SwitchId> bare_;         ///< ascending
  std::vector<std::uint64_t> joined_;  ///< [from * bare + to], as bits
};

}  // namespace rch::fabric
