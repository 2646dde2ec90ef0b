#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "fabric/switch_graph.h"

namespace rch::fabric {

/// Codes of NodeInfo.NodeType.
enum class NodeType : std::uint8_t { ca = 1, sw = 2, router = 3 };

/// Codes of PortInfo.PortState. A fabric file shows linked ports only, so readers report `active` for those.
enum class PortState : std::uint8_t { down = 1, init = 2, armed = 3, active = 4 };

/// Bits of PortInfo.LinkWidthActive.
enum class LinkWidth : std::uint8_t { unknown = 0, x1 = 1, x4 = 2, x8 = 4, x12 = 8, x2 = 16 };

enum class LinkSpeed : std::uint8_t { unknown, sdr, ddr, qdr, fdr10, fdr, edr, hdr, ndr, xdr, edr20 };

struct Node {
  Guid guid;
  Guid system_guid;  ///< SystemImageGUID, 0 if unknown
  NodeType type = NodeType::sw;
  std::uint8_t num_ports = 0;  ///< physical ports; a switch has port 0 besides
  bool enhanced_port0 = false;
  std::uint16_t multicast_cap = 0;  ///< multicast LIDs that a switch has entries for, 0 unknown
  std::uint32_t vendor_id = 0;
  std::uint32_t device_id = 0;
  std::uint32_t revision = 0;
  PortId first_port;        ///< slot of port 0; slots of ports 1..num_ports follow (a CA's slot 0 is unused)
  std::string description;  ///< NodeDescription, or what a file shows for it
  std::string given_name = {};  ///< of the operator's node-name map; empty: none

  /// For messages. What matches names of the configuration uses `description`.
  const std::string& name() const { return given_name.empty() ? description : given_name; }
};

struct Port {
  NodeId node;
  PortNum number;
  std::uint8_t lmc = 0;
  Guid guid;  ///< every port of a switch carries the GUID of its port 0
  Lid lid;    ///< base LID; set on end ports (CA and router ports, switch port 0), else unassigned
  PortState state = PortState::down;
  LinkWidth width = LinkWidth::unknown;
  LinkSpeed speed = LinkSpeed::unknown;
  std::uint8_t mtu_cap = 0;  ///< code 1..5 = 256..4096 bytes, 0 unknown
  std::uint8_t vl_cap = 0;   ///< code 1..5 = 1, 2, 4, 8, 15 data VLs, 0 unknown
  PortId peer = PortId::none();
};

/// A CA or router port that hangs on a switch.
struct EndPort {
  PortId port;     ///< of the Fabric, also in a SubFabric
  SwitchId sw;     ///< switch it hangs on, in the index space of the Fabric or SubFabric that lists it
  PortNum attach;  ///< port number on that switch
  std::uint8_t lmc = 0;
  Lid lid;  ///< first of 2^lmc consecutive LIDs
};

/// One immutable generation of a fabric: nodes, ports and links with dense indices.
///
/// Nodes are ordered switches, CAs, routers, each by ascending GUID, so that the same fabric read from a file
/// and discovered live has the same indices. Only FabricBuilder makes one.
class Fabric {
 public:
  std::size_t switch_count() const { return switch_count_; }
  std::span<const Node> nodes() const { return nodes_; }
  std::span<const Port> ports() const { return ports_; }

  const Node& node(NodeId id) const { return nodes_[id.index()]; }
  const Node& node(SwitchId id) const { return nodes_[id.index()]; }
  const Port& port(PortId id) const { return ports_[id.index()]; }
  /// `number` must be at most num_ports of the node.
  PortId port_id(NodeId node, PortNum number) const {
    return PortId(nodes_[node.index()].first_port.value + number.value);
  }
  PortId port_id(SwitchId sw, PortNum number) const { return port_id(node_id(sw), number); }

  static NodeId node_id(SwitchId sw) { return NodeId(sw.value); }
  bool is_switch(NodeId id) const { return id.index() < switch_count_; }
  /// Nothing if the node is no switch.
  std::optional<SwitchId> switch_id(NodeId id) const {
    return is_switch(id) ? std::optional(SwitchId(id.value)) : std::nullopt;
  }

  /// What is printed on the chassis beside the port, such as `1/5/2`; empty if no file has said it.
  std::string_view label(PortId id) const {
    return identity_->port_labels.empty() ? std::string_view() : identity_->port_labels[id.index()];
  }

  /// Switch-to-switch links; self-loops are left out.
  const SwitchGraph& graph() const { return graph_; }
  /// All CA and router ports that hang on a switch, grouped by switch, ascending port number on the switch.
  std::span<const EndPort> end_ports() const { return end_ports_; }
  std::span<const EndPort> end_ports_of(SwitchId sw) const;

  std::optional<NodeId> find_node(Guid node_guid) const;
  /// Nothing if no node, or one that is no switch, has the GUID.
  std::optional<SwitchId> find_switch(Guid node_guid) const;
  /// A switch is found by the GUID of its port 0.
  std::optional<PortId> find_port(Guid port_guid) const;

  /// Highest LID any end port owns, its LMC range included; unassigned if there is none.
  Lid max_lid() const { return max_lid_; }
  /// End port that owns the LID.
  std::optional<PortId> lid_owner(Lid lid) const {
    if (lid.index() >= lid_owner_.size() || lid_owner_[lid.index()].is_none()) return std::nullopt;
    return lid_owner_[lid.index()];
  }

  /// Port from which the fabric was seen (the file's first node, or the discovering port): where the SM sits.
  std::optional<PortId> origin() const { return origin_; }

  /// 32 hex digits that name nodes, ports and links (not LIDs, states or descriptions).
  const std::string& fingerprint() const { return fingerprint_; }

 private:
  friend class FabricBuilder;
  Fabric() = default;

  /// What links and LIDs do not change. Generations share it.
  struct Identity {
    std::vector<Node> nodes;
    std::unordered_map<Guid, NodeId> node_by_guid;
    std::unordered_map<Guid, PortId> port_by_guid;
    std::vector<std::string> port_labels;  ///< by port; empty: no port has one
  };

  std::shared_ptr<const Identity> identity_ = std::make_shared<const Identity>();
  std::span<const Node> nodes_;  ///< of `identity_`
  std::size_t switch_count_ = 0;
  std::vector<Port> ports_;
  SwitchGraph graph_;
  std::vector<EndPort> end_ports_;
  std::vector<std::uint32_t> end_port_begin_;  ///< per switch, and one past the last
  std::vector<PortId> lid_owner_;
  Lid max_lid_;
  std::optional<PortId> origin_;
  std::string fingerprint_;
};

/// A LID and LMC for one end port.
struct LidAssignment {
  PortId port;
  Lid lid;
  std::uint8_t lmc = 0;
};

/// Order of OpenSM's GUID maps on little-endian machines: ascending byte-reversed GUID (dump-files, section
/// 0).
constexpr std::uint64_t opensm_order(Guid guid) { return __builtin_bswap64(guid.value); }

}  // namespace rch::fabric
