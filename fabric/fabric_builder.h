#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "fabric/fabric.h"

namespace rch::fabric {

/// What is known of one port while a fabric is put together.
struct PortSpec {
  /// 0: the builder gives a switch port its node's port-0 GUID, a CA port node GUID + number. If another port
  /// has that one, a port without a cable keeps 0.
  Guid guid;
  Lid lid;
  std::uint8_t lmc = 0;
  PortState state = PortState::down;  ///< a linked port left `down` becomes `active`
  LinkWidth width = LinkWidth::unknown;
  LinkSpeed speed = LinkSpeed::unknown;
  std::uint8_t mtu_cap = 0;
  std::uint8_t vl_cap = 0;

  /// Without a cable a port is down and has no active rate, whatever it was before.
  void unlink() {
    state = PortState::down;
    width = LinkWidth::unknown;
    speed = LinkSpeed::unknown;
  }
};

/// What is known of one node; `ports` has num_ports + 1 elements, element 0 a switch's own port.
struct NodeSpec {
  Guid guid;
  Guid system_guid;
  NodeType type = NodeType::sw;
  bool enhanced_port0 = false;
  std::uint16_t multicast_cap = 0;
  std::uint32_t vendor_id = 0;
  std::uint32_t device_id = 0;
  std::uint32_t revision = 0;
  std::string description;
  std::vector<PortSpec> ports;
  std::string given_name = {};                ///< Node::given_name
  std::vector<std::string> port_labels = {};  ///< Fabric::label() by port number; empty: no port has one
};

/// Names that an operator gives to nodes, by node GUID.
using NodeNames = std::unordered_map<Guid, std::string>;

/// The node as it is in a fabric, to be added to a builder.
NodeSpec spec_of(const Fabric& fabric, const Node& node);

/// The only way to make a Fabric. Readers, the generator, live discovery and edits all end here.
class FabricBuilder {
 public:
  /// Names a node of this builder; not an index of the Fabric that results.
  using Handle = Id<struct HandleTag, std::uint32_t>;

  FabricBuilder() = default;
  /// Starts from an existing generation, to make the next one.
  explicit FabricBuilder(const Fabric& fabric);

  Handle add(NodeSpec node);
  NodeSpec& node(Handle handle) { return nodes_[handle.index()].spec; }
  std::optional<Handle> find(Guid node_guid) const;

  /// Fails (invalid) when a port does not exist or already leads elsewhere. Stating a link again, also from
  /// the other end, is fine.
  Result<void> connect(Handle a, PortNum a_port, Handle b, PortNum b_port);
  /// Pulls the cable of a port; no cable is fine.
  void disconnect(Handle node, PortNum port);
  /// Removes a node with its cables.
  void remove(Handle node);
  void set_origin(Handle node, PortNum port) { origin_ = {node, port}; }

  /// Fails (invalid) on a node or port GUID used twice, a GUID of zero, or overlapping LID ranges.
  Result<Fabric> build() &&;

 private:
  friend Result<Fabric> with_lids(Fabric fabric, std::span<const LidAssignment> lids);
  friend Result<Fabric> with_ports(const Fabric& before, std::vector<Port> ports);
  friend Fabric with_names(Fabric fabric, const NodeNames& names);

  struct End {
    Handle node = Handle::none();
    PortNum port;
    friend bool operator==(const End&, const End&) = default;
  };
  struct Entry {
    NodeSpec spec;
    std::vector<End> peers;
    bool removed = false;
  };

  static Result<Fabric> finish(Fabric fabric);
  static Result<Fabric> regenerate(const Fabric& before, std::vector<Port> ports);
  static Result<Fabric> relabel(Fabric fabric, std::span<const LidAssignment> lids);
  static Fabric rename(Fabric fabric, const NodeNames& names);
  static Result<void> index_lids(Fabric& fabric);
  static void link_structures(Fabric& fabric);

  std::vector<Entry> nodes_;
  std::unordered_map<Guid, Handle> by_guid_;
  std::optional<End> origin_;
};

/// The next generation of `fabric` with other LIDs; end ports not named lose theirs.
/// Fails (invalid) on overlapping ranges.
Result<Fabric> with_lids(Fabric fabric, std::span<const LidAssignment> lids);

/// The next generation of `before`: the same nodes, other links, LIDs and states. `ports`: as those of
/// `before` in number, order and GUIDs, each the peer of its peer; a linked port that is down becomes active.
/// Fails (invalid) on overlapping LID ranges.
Result<Fabric> with_ports(const Fabric& before, std::vector<Port> ports);

/// The same fabric with other names for messages. A node that `names` does not have keeps the name it has.
Fabric with_names(Fabric fabric, const NodeNames& names);

}  // namespace rch::fabric
