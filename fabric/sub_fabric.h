#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/bitset.h"
#include "fabric/fabric.h"

namespace rch::fabric {

/// What a step may touch of a fabric, in the fabric's own ids.
struct Scope {
  /// A switch belongs when one of its ports (port 0 counts) does; a cable is usable when both its ends
  /// belong; a CA or router port belongs when its own port and the switch port it hangs on both belong.
  IdSet<PortId> ports;
  /// Path bit whose LIDs the step routes; nothing: all LIDs of every end port.
  std::optional<std::uint8_t> path_bit;
};

/// The part of a fabric that one step routes, with dense indices of its own.
///
/// SwitchId here counts the switches of this view (ascending fabric order); PortId and Lid are the fabric's.
/// The view of the whole fabric (topology 0) keeps the fabric's indices. Keeps a pointer to the fabric.
class SubFabric {
 public:
  /// The whole fabric with all LIDs.
  explicit SubFabric(const Fabric& fabric);
  SubFabric(const Fabric& fabric, const Scope& scope);

  const Fabric& fabric() const { return *fabric_; }
  bool is_whole() const { return whole_; }
  /// Path bit of the scope; nothing when all LIDs are routed.
  std::optional<std::uint8_t> path_bit() const { return path_bit_; }
  std::size_t switch_count() const { return switches_.size(); }
  const SwitchGraph& graph() const { return graph_; }
  /// CA and router ports to route, grouped by switch, ascending attach port. `lid` and `lmc` name what this
  /// step routes: with a path bit that one LID, and lmc 0.
  std::span<const EndPort> end_ports() const { return end_ports_; }
  std::span<const EndPort> end_ports_of(SwitchId sw) const;

  SwitchId fabric_switch(SwitchId sw) const { return switches_[sw.index()]; }
  std::optional<SwitchId> view_switch(SwitchId fabric_switch) const;
  const Node& node(SwitchId sw) const { return fabric_->node(switches_[sw.index()]); }
  /// LID of the switch's port 0; unassigned when the step does not route switch LIDs (path bit other than 0).
  Lid switch_lid(SwitchId sw) const;
  /// An enhanced port 0 may own 2^lmc LIDs; a view of one path bit routes the first alone.
  std::uint8_t switch_lmc(SwitchId sw) const;
  /// True when the port (of any node) belongs to the view.
  bool has_port(PortId port) const { return whole_ || ports_.contains(port); }
  /// All LIDs this step routes: those of end_ports() and the switch LIDs.
  IdSet<Lid> routed_lids() const;

 private:
  const Fabric* fabric_;
  bool whole_ = false;
  std::optional<std::uint8_t> path_bit_;
  IdSet<PortId> ports_;
  std::vector<SwitchId> switches_;
  std::vector<SwitchId> view_of_;  ///< by fabric switch, none if outside
  SwitchGraph graph_;
  std::vector<EndPort> end_ports_;
  std::vector<std::uint32_t> end_port_begin_;
};

}  // namespace rch::fabric
