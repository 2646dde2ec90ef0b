#include "fabric/fabric_builder.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include <xxhash.h>

namespace rch::fabric {
namespace {

/// Position of a node class in a Fabric: switches, then CAs, then routers.
int rank(NodeType type) { return type == NodeType::sw ? 0 : type == NodeType::ca ? 1 : 2; }

Guid default_port_guid(const NodeSpec& node, std::size_t number) {
  return node.type == NodeType::sw ? node.guid : Guid(node.guid.value + number);
}

/// Hash over what names a fabric: GUIDs, types, port counts and links.
std::string fingerprint(std::span<const Node> nodes, std::span<const Port> ports) {
  std::vector<std::uint64_t> words;
  words.reserve(nodes.size() * 2 + ports.size() * 2);
  for (const Node& node : nodes) {
    words.push_back(node.guid.value);
    words.push_back(static_cast<std::uint64_t>(node.type) << 8 | node.num_ports);
  }
  for (const Port& port : ports) {
    words.push_back(port.guid.value);
    words.push_back(port.peer.value);
  }
  const XXH128_hash_t hash = XXH3_128bits(words.data(), words.size() * sizeof(words[0]));
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

/// True for ports that own LIDs: CA and router ports, port 0 of a switch.
bool is_end_port(const Node& node, const Port& port) {
  return (node.type == NodeType::sw) == (port.number.value == 0);
}

}  // namespace

NodeSpec spec_of(const Fabric& fabric, const Node& node) {
  NodeSpec spec{node.guid,          node.system_guid,
                node.type,          node.enhanced_port0,
                node.multicast_cap, node.vendor_id,
                node.device_id,     node.revision,
                node.description,   {},
                node.given_name,    {}};
  for (std::uint32_t p = 0; p <= node.num_ports; ++p) {
    const Port& port = fabric.port(PortId(node.first_port.value + p));
    spec.ports.push_back(
        {port.guid, port.lid, port.lmc, port.state, port.width, port.speed, port.mtu_cap, port.vl_cap});
    const std::string_view label = fabric.label(PortId(node.first_port.value + p));
    if (label.empty()) continue;
    spec.port_labels.resize(node.num_ports + std::size_t{1});
    spec.port_labels[p] = label;
  }
  return spec;
}

FabricBuilder::FabricBuilder(const Fabric& fabric) {
  for (const Node& node : fabric.nodes()) add(spec_of(fabric, node));
  for (const Port& port : fabric.ports()) {
    if (port.peer.is_none()) continue;
    const Port& peer = fabric.port(port.peer);
    nodes_[port.node.index()].peers[port.number.index()] = {Handle(peer.node.value), peer.number};
  }
  if (fabric.origin()) {
    const Port& port = fabric.port(*fabric.origin());
    origin_ = {Handle(port.node.value), port.number};
  }
}

FabricBuilder::Handle FabricBuilder::add(NodeSpec node) {
  const auto handle = Handle(static_cast<std::uint32_t>(nodes_.size()));
  if (node.ports.empty()) node.ports.resize(1);
  const std::size_t slots = node.ports.size();
  by_guid_.emplace(node.guid, handle);
  nodes_.push_back({std::move(node), std::vector<End>(slots), false});
  return handle;
}

std::optional<FabricBuilder::Handle> FabricBuilder::find(Guid node_guid) const {
  const auto found = by_guid_.find(node_guid);
  if (found == by_guid_.end() || nodes_[found->second.index()].removed) return std::nullopt;
  return found->second;
}

Result<void> FabricBuilder::connect(Handle a, PortNum a_port, Handle b, PortNum b_port) {
  const End ends[2] = {{a, a_port}, {b, b_port}};
  for (int i : {0, 1}) {
    const Entry& entry = nodes_[ends[i].node.index()];
    if (ends[i].port.value == 0 || ends[i].port.index() >= entry.peers.size())
      return fail(ErrorKind::invalid,
                  fmt::format("`{}` ({}) has no port {}, only 1-{}", entry.spec.description, entry.spec.guid,
                              ends[i].port, entry.peers.size() - 1));
    const End& present = entry.peers[ends[i].port.index()];
    if (present.node.is_none() || present == ends[1 - i]) continue;
    const NodeSpec& other = nodes_[present.node.index()].spec;
    return fail(ErrorKind::invalid, fmt::format("port {} of `{}` ({}) already leads to port {} of `{}` ({})",
                                                ends[i].port, entry.spec.description, entry.spec.guid,
                                                present.port, other.description, other.guid));
  }
  nodes_[a.index()].peers[a_port.index()] = ends[1];
  nodes_[b.index()].peers[b_port.index()] = ends[0];
  return {};
}

void FabricBuilder::disconnect(Handle node, PortNum port) {
  End& end = nodes_[node.index()].peers[port.index()];
  if (end.node.is_none()) return;
  const End other = end;
  for (const End& at : {End{node, port}, other}) nodes_[at.node.index()].spec.ports[at.port.index()].unlink();
  nodes_[other.node.index()].peers[other.port.index()] = {};
  end = {};
}

void FabricBuilder::remove(Handle node) {
  for (std::size_t p = 1; p < nodes_[node.index()].peers.size(); ++p)
    disconnect(node, PortNum(static_cast<std::uint8_t>(p)));
  nodes_[node.index()].removed = true;
}

Result<Fabric> FabricBuilder::build() && {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    if (!nodes_[i].removed) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const NodeSpec &x = nodes_[a].spec, &y = nodes_[b].spec;
    return std::tuple(rank(x.type), x.guid) < std::tuple(rank(y.type), y.guid);
  });

  Fabric fabric;
  Fabric::Identity identity;
  std::vector<PortId> first_port(nodes_.size(), PortId::none());
  std::vector<bool> guid_is_guessed;  // by port
  for (std::uint32_t i : order) {
    NodeSpec& spec = nodes_[i].spec;
    if (spec.ports.size() > 255)
      return fail(ErrorKind::invalid, fmt::format("`{}` ({}) has {} ports; at most 254 are possible",
                                                  spec.description, spec.guid, spec.ports.size() - 1));
    const auto id = NodeId(static_cast<std::uint32_t>(identity.nodes.size()));
    first_port[i] = PortId(static_cast<std::uint32_t>(fabric.ports_.size()));
    if (spec.guid.value == 0)
      return fail(ErrorKind::invalid, fmt::format("`{}` has GUID 0", spec.description));
    if (!identity.node_by_guid.emplace(spec.guid, id).second)
      return fail(ErrorKind::invalid, fmt::format("node GUID {} is used twice", spec.guid));
    for (std::size_t p = 0; p < spec.ports.size(); ++p) {
      const PortSpec& port = spec.ports[p];
      const Guid guid = port.guid.value == 0 ? default_port_guid(spec, p) : port.guid;
      guid_is_guessed.push_back(port.guid.value == 0);
      fabric.ports_.push_back({id, PortNum(static_cast<std::uint8_t>(p)), port.lmc, guid, port.lid,
                               port.state, port.width, port.speed, port.mtu_cap, port.vl_cap,
                               PortId::none()});
    }
    if (!spec.port_labels.empty()) {
      spec.port_labels.resize(spec.ports.size());
      identity.port_labels.resize(first_port[i].index());
      std::move(spec.port_labels.begin(), spec.port_labels.end(), std::back_inserter(identity.port_labels));
    }
    if (spec.type == NodeType::sw) ++fabric.switch_count_;
    identity.nodes.push_back({spec.guid, spec.system_guid, spec.type,
                              static_cast<std::uint8_t>(spec.ports.size() - 1), spec.enhanced_port0,
                              spec.multicast_cap, spec.vendor_id, spec.device_id, spec.revision,
                              first_port[i], std::move(spec.description), std::move(spec.given_name)});
  }
  for (std::uint32_t i : order) {
    for (std::size_t p = 1; p < nodes_[i].peers.size(); ++p) {
      const End& peer = nodes_[i].peers[p];
      if (peer.node.is_none()) continue;
      Port& port = fabric.ports_[first_port[i].index() + p];
      port.peer = PortId(first_port[peer.node.index()].value + peer.port.value);
    }
  }
  if (origin_ && !nodes_[origin_->node.index()].removed)
    fabric.origin_ = PortId(first_port[origin_->node.index()].value + origin_->port.value);

  for (const bool guessed : {false, true})
    for (std::uint32_t p = 0; p < fabric.ports_.size(); ++p) {
      Port& port = fabric.ports_[p];
      if (guid_is_guessed[p] != guessed || !is_end_port(identity.nodes[port.node.index()], port)) continue;
      if (identity.port_by_guid.emplace(port.guid, PortId(p)).second) continue;
      if (!guessed || !port.peer.is_none() || port.lid != kUnassignedLid)
        return fail(ErrorKind::invalid, fmt::format("port GUID {} is used twice", port.guid));
      port.guid = Guid(0);  // nobody has said it, and another port has the one that the node's would suggest
    }
  if (!identity.port_labels.empty()) identity.port_labels.resize(fabric.ports_.size());
  fabric.identity_ = std::make_shared<const Fabric::Identity>(std::move(identity));
  fabric.nodes_ = fabric.identity_->nodes;
  return finish(std::move(fabric));
}

/// What follows from nodes and ports.
Result<Fabric> FabricBuilder::finish(Fabric fabric) {
  for (Port& port : fabric.ports_)
    if (!port.peer.is_none() && port.state == PortState::down) port.state = PortState::active;
  fabric.fingerprint_ = fingerprint(fabric.nodes_, fabric.ports_);
  if (auto indexed = index_lids(fabric); !indexed) return tl::unexpected(indexed.error());
  link_structures(fabric);
  return fabric;
}

Result<Fabric> FabricBuilder::regenerate(const Fabric& before, std::vector<Port> ports) {
  Fabric fabric;
  fabric.identity_ = before.identity_;
  fabric.nodes_ = before.nodes_;
  fabric.switch_count_ = before.switch_count_;
  fabric.origin_ = before.origin_;
  fabric.ports_ = std::move(ports);
  return finish(std::move(fabric));
}

Fabric FabricBuilder::rename(Fabric fabric, const NodeNames& names) {
  Fabric::Identity identity = *fabric.identity_;
  for (Node& node : identity.nodes)
    if (const auto given = names.find(node.guid); given != names.end()) node.given_name = given->second;
  fabric.identity_ = std::make_shared<const Fabric::Identity>(std::move(identity));
  fabric.nodes_ = fabric.identity_->nodes;
  return fabric;
}

Result<void> FabricBuilder::index_lids(Fabric& fabric) {
  fabric.lid_owner_.clear();
  fabric.max_lid_ = kUnassignedLid;
  for (std::uint32_t p = 0; p < fabric.ports_.size(); ++p) {
    const Port& port = fabric.ports_[p];
    if (port.lid == kUnassignedLid) continue;
    const std::size_t end = port.lid.index() + (std::size_t{1} << port.lmc);
    if (end > kMaxUnicastLid.index() + 1)
      return fail(ErrorKind::invalid, fmt::format("LID {} with LMC {} of port {} leaves the unicast range",
                                                  port.lid, port.lmc, port.guid));
    if (fabric.lid_owner_.size() < end) fabric.lid_owner_.resize(end, PortId::none());
    for (std::size_t lid = port.lid.index(); lid < end; ++lid) {
      PortId& owner = fabric.lid_owner_[lid];
      if (!owner.is_none())
        return fail(ErrorKind::invalid, fmt::format("LID {} belongs to port {} and to port {}", lid,
                                                    fabric.port(owner).guid, port.guid));
      owner = PortId(p);
    }
  }
  if (!fabric.lid_owner_.empty())
    fabric.max_lid_ = Lid(static_cast<std::uint16_t>(fabric.lid_owner_.size() - 1));
  return {};
}

void FabricBuilder::link_structures(Fabric& fabric) {
  std::vector<SwitchGraph::Edge> edges;
  fabric.end_ports_.clear();
  fabric.end_port_begin_.assign(fabric.switch_count_ + 1, 0);
  for (std::uint32_t s = 0; s < fabric.switch_count_; ++s) {
    const Node& node = fabric.nodes_[s];
    fabric.end_port_begin_[s] = static_cast<std::uint32_t>(fabric.end_ports_.size());
    for (std::uint32_t p = 1; p <= node.num_ports; ++p) {
      const PortId peer_id = fabric.ports_[node.first_port.index() + p].peer;
      if (peer_id.is_none()) continue;
      const Port& peer = fabric.port(peer_id);
      const auto number = PortNum(static_cast<std::uint8_t>(p));
      if (!fabric.is_switch(peer.node))
        fabric.end_ports_.push_back({peer_id, SwitchId(s), number, peer.lmc, peer.lid});
      else if (peer.node.value != s)
        edges.push_back({SwitchId(s), number, SwitchId(peer.node.value), peer.number});
    }
  }
  fabric.end_port_begin_[fabric.switch_count_] = static_cast<std::uint32_t>(fabric.end_ports_.size());
  fabric.graph_ = SwitchGraph(fabric.switch_count_, std::move(edges));
}

Result<Fabric> FabricBuilder::relabel(Fabric fabric, std::span<const LidAssignment> lids) {
  for (Port& port : fabric.ports_) {
    port.lid = kUnassignedLid;
    port.lmc = 0;
  }
  for (const LidAssignment& assignment : lids) {
    fabric.ports_[assignment.port.index()].lid = assignment.lid;
    fabric.ports_[assignment.port.index()].lmc = assignment.lmc;
  }
  if (auto indexed = index_lids(fabric); !indexed) return tl::unexpected(indexed.error());
  for (EndPort& end : fabric.end_ports_) {
    end.lid = fabric.port(end.port).lid;
    end.lmc = fabric.port(end.port).lmc;
  }
  return fabric;
}

Result<Fabric> with_ports(const Fabric& before, std::vector<Port> ports) {
  return FabricBuilder::regenerate(before, std::move(ports));
}

Result<Fabric> with_lids(Fabric fabric, std::span<const LidAssignment> lids) {
  return FabricBuilder::relabel(std::move(fabric), lids);
}

Fabric with_names(Fabric fabric, const NodeNames& names) {
  return names.empty() ? std::move(fabric) : FabricBuilder::rename(std::move(fabric), names);
}

}  // namespace rch::fabric
