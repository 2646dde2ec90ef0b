#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fabric/routing_tables.h"
#include "hw/image.h"
#include "hw/live_fabric.h"
#include "hw/multicast_tables.h"

namespace rch::hw {

/// Tables that were written to a fabric and read back there.
struct WrittenTables {
  std::shared_ptr<const fabric::Fabric> fabric;
  std::shared_ptr<const fabric::RoutingTables> tables;
  /// Blocks of VL arbitration, P_Keys and rate limits, and what ports say of those and of FDR10.
  std::vector<Image> blocks;
};

/// What a live fabric still holds of written tables: those of the nodes that the last look did not ask. A
/// node that lost its tables has restarted, so a switch tells of a change and is asked (IBA 14.4).
class KnownTables {
 public:
  /// Keeps references. `written` null: nothing is known.
  KnownTables(const LiveFabric& live, const WrittenTables* written);

  /// Entries of a switch by LID; empty if they are not known.
  std::span<const std::uint8_t> lft(SwitchId sw) const;
  /// Makes the row of a switch that of the known tables. False if they have none of that length.
  bool share_lft(SwitchId sw, fabric::ForwardingTables& tables) const;
  /// Map of a switch from port `in` to port `out`.
  std::optional<fabric::Sl2VlMap> sl2vl(SwitchId sw, PortNum in, PortNum out) const;
  /// Map of a CA or router port.
  std::optional<fabric::Sl2VlMap> end_port_sl2vl(PortId port) const;
  /// One of the blocks. Only port, attribute and modifier of `place` count.
  const SmpData* block(const Image& place) const;
  bool knows(SwitchId sw) const { return !then(live_.fabric.node_id(sw)).is_none(); }
  /// The entries of the switches that are known.
  MulticastTables multicast() const;

 private:
  /// The node as it was numbered then; none if its tables are not known.
  NodeId then(NodeId node) const { return written_ == nullptr ? NodeId::none() : then_[node.index()]; }

  const LiveFabric& live_;
  const WrittenTables* written_;
  std::vector<NodeId> then_;            ///< by NodeId
  std::vector<const Image*> by_place_;  ///< the blocks, sorted
};

}  // namespace rch::hw
