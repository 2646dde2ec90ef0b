// Layout of a snapshot, all numbers little-endian:
//
//   magic; u32 node count; u32 origin node, u8 origin port (0xFFFFFFFF, 0: none)
//   per node: u64 guid, u64 system guid, u8 type, u8 enhanced port 0, u16 multicast capacity, u8 ports,
//             u32 vendor, u32 device, u32 revision,
//             u32 length of the description, its bytes
//             per port 0..ports: u64 guid, u16 lid, u8 lmc, u8 state, u8 width, u8 speed, u8 mtu, u8 vl,
//                                u32 peer node, u8 peer port (0xFFFFFFFF, 0: no cable)
//   version 4: per node u8 labels follow; if 1, per port 0..ports u32 length of its label, its bytes
//   u64 XXH3 of everything before
//
// The checksum at the end tells a truncated or damaged file; what it covers is read without further trust all
// the same.

#include "fabric/snapshot.h"

#include <algorithm>
#include <type_traits>

#include <xxhash.h>

#include "fabric/fabric_builder.h"
#include "fabric/formats.h"

namespace rch::fabric {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

class ByteWriter {
 public:
  template <class T>
  void put(T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes_ += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xFF);
  }
  void put_text(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
  }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads never go past the end: they give zero then, and ok() turns false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T get() {
    static_assert(std::is_unsigned_v<T>);
    if (!take(sizeof(T))) return 0;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      value |= std::uint64_t{static_cast<unsigned char>(bytes_[pos_ - sizeof(T) + i])} << (8 * i);
    return static_cast<T>(value);
  }
  std::string_view get_text() {
    const std::size_t size = get<std::uint32_t>();
    return take(size) ? bytes_.substr(pos_ - size, size) : std::string_view{};
  }
  bool ok() const { return ok_; }
  bool at_end() const { return pos_ == bytes_.size(); }

 private:
  bool take(std::size_t size) {
    ok_ = ok_ && size <= bytes_.size() - pos_;
    if (ok_) pos_ += size;
    return ok_;
  }

  std::string_view bytes_;
  std::size_t pos_ = 0;
  bool ok_ = true;
};

void put_port(ByteWriter& out, const Fabric& fabric, const Port& port) {
  out.put(port.guid.value);
  out.put(port.lid.value);
  out.put(port.lmc);
  out.put(static_cast<std::uint8_t>(port.state));
  out.put(static_cast<std::uint8_t>(port.width));
  out.put(static_cast<std::uint8_t>(port.speed));
  out.put(port.mtu_cap);
  out.put(port.vl_cap);
  const bool linked = !port.peer.is_none();
  out.put(linked ? fabric.port(port.peer).node.value : kNone);
  out.put(linked ? fabric.port(port.peer).number.value : std::uint8_t{0});
}

void put_node(ByteWriter& out, const Fabric& fabric, const Node& node) {
  out.put(node.guid.value);
  out.put(node.system_guid.value);
  out.put(static_cast<std::uint8_t>(node.type));
  out.put(static_cast<std::uint8_t>(node.enhanced_port0));
  out.put(node.multicast_cap);
  out.put(node.num_ports);
  out.put(node.vendor_id);
  out.put(node.device_id);
  out.put(node.revision);
  out.put_text(node.description);
  out.put_text(node.given_name);
  for (std::uint32_t p = 0; p <= node.num_ports; ++p)
    put_port(out, fabric, fabric.port(PortId(node.first_port.value + p)));
}

bool has_labels(const Fabric& fabric, const Node& node) {
  for (std::uint32_t p = 0; p <= node.num_ports; ++p)
    if (!fabric.label(PortId(node.first_port.value + p)).empty()) return true;
  return false;
}

void put_labels(ByteWriter& out, const Fabric& fabric, const Node& node) {
  const bool labelled = has_labels(fabric, node);
  out.put(static_cast<std::uint8_t>(labelled));
  for (std::uint32_t p = 0; labelled && p <= node.num_ports; ++p)
    out.put_text(fabric.label(PortId(node.first_port.value + p)));
}

struct CableEnds {
  std::uint32_t node;
  PortNum port;
  std::uint32_t peer;
  PortNum peer_port;
};

PortSpec get_port(ByteReader& in) {
  PortSpec port;
  port.guid = Guid(in.get<std::uint64_t>());
  port.lid = Lid(in.get<std::uint16_t>());
  port.lmc = in.get<std::uint8_t>() & 7;
  port.state = static_cast<PortState>(in.get<std::uint8_t>());
  port.width = static_cast<LinkWidth>(in.get<std::uint8_t>());
  port.speed = static_cast<LinkSpeed>(in.get<std::uint8_t>());
  port.mtu_cap = in.get<std::uint8_t>();
  port.vl_cap = in.get<std::uint8_t>();
  return port;
}

/// One node; its cables are added to `cables`.
NodeSpec get_node(ByteReader& in, bool is_named, std::uint32_t index, std::vector<CableEnds>& cables) {
  NodeSpec node;
  node.guid = Guid(in.get<std::uint64_t>());
  node.system_guid = Guid(in.get<std::uint64_t>());
  node.type = static_cast<NodeType>(in.get<std::uint8_t>());
  node.enhanced_port0 = in.get<std::uint8_t>() != 0;
  node.multicast_cap = in.get<std::uint16_t>();
  const std::uint8_t ports = in.get<std::uint8_t>();
  node.vendor_id = in.get<std::uint32_t>();
  node.device_id = in.get<std::uint32_t>();
  node.revision = in.get<std::uint32_t>();
  node.description = in.get_text();
  if (is_named) node.given_name = in.get_text();
  for (std::uint32_t p = 0; p <= ports && in.ok(); ++p) {
    node.ports.push_back(get_port(in));
    const auto peer = in.get<std::uint32_t>();
    const auto peer_port = in.get<std::uint8_t>();
    if (peer != kNone)
      cables.push_back({index, PortNum(static_cast<std::uint8_t>(p)), peer, PortNum(peer_port)});
  }
  return node;
}

void get_labels(ByteReader& in, NodeSpec& node) {
  if (in.get<std::uint8_t>() == 0) return;
  for (std::size_t p = 0; p < node.ports.size() && in.ok(); ++p) node.port_labels.emplace_back(in.get_text());
}

/// Codes of enumerations that a later version may have, and this one cannot hold.
bool known_codes(const NodeSpec& node) {
  if (node.type < NodeType::ca || node.type > NodeType::router) return false;
  for (const PortSpec& port : node.ports)
    if (port.state < PortState::down || port.state > PortState::active || port.speed > LinkSpeed::edr20 ||
        port.width > LinkWidth::x2)
      return false;
  return true;
}

}  // namespace

std::string write_snapshot(const Fabric& fabric) {
  ByteWriter out;
  const std::span nodes = fabric.nodes();
  const bool labelled =
      std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) { return has_labels(fabric, node); });
  out.bytes() = labelled ? kLabelledSnapshotMagic : kSnapshotMagic;
  out.put(static_cast<std::uint32_t>(fabric.nodes().size()));
  out.put(fabric.origin() ? fabric.port(*fabric.origin()).node.value : kNone);
  out.put(fabric.origin() ? fabric.port(*fabric.origin()).number.value : std::uint8_t{0});
  for (const Node& node : nodes) {
    put_node(out, fabric, node);
    if (labelled) put_labels(out, fabric, node);
  }
  out.put(static_cast<std::uint64_t>(XXH3_64bits(out.bytes().data(), out.bytes().size())));
  return std::move(out.bytes());
}

Result<Fabric> read_snapshot(std::string_view content) {
  const auto broken = [](std::string_view why) { return fail(ErrorKind::usage, std::string(why)); };
  if (!is_snapshot(content)) return broken("this is no fabric snapshot of a known version");
  if (content.size() < kSnapshotMagic.size() + sizeof(std::uint64_t))
    return broken("the snapshot is truncated");
  const std::string_view covered = content.substr(0, content.size() - sizeof(std::uint64_t));
  if (ByteReader(content.substr(covered.size())).get<std::uint64_t>() !=
      XXH3_64bits(covered.data(), covered.size()))
    return broken("the snapshot is truncated or damaged: its checksum does not match");

  ByteReader in(covered.substr(kSnapshotMagic.size()));
  const auto nodes = in.get<std::uint32_t>();
  const auto origin_node = in.get<std::uint32_t>();
  const auto origin_port = in.get<std::uint8_t>();
  FabricBuilder builder;
  std::vector<CableEnds> cables;
  std::uint32_t read = 0;
  for (; read < nodes && in.ok(); ++read) {
    NodeSpec node = get_node(in, !content.starts_with(kUnnamedSnapshotMagic), read, cables);
    if (content.starts_with(kLabelledSnapshotMagic)) get_labels(in, node);
    if (!in.ok()) break;
    if (!known_codes(node)) return broken("the snapshot holds codes that are not known");
    if (read == origin_node && origin_port >= node.ports.size())
      return broken("the snapshot's origin does not exist");
    builder.add(std::move(node));
  }
  if (!in.ok() || !in.at_end() || (origin_node != kNone && origin_node >= nodes))
    return broken("the snapshot contradicts itself");
  const auto handle = [](std::uint32_t node) { return FabricBuilder::Handle(node); };
  for (const CableEnds& cable : cables) {
    if (cable.peer >= nodes) return broken("the snapshot links to a node that it does not hold");
    if (auto done = builder.connect(handle(cable.node), cable.port, handle(cable.peer), cable.peer_port);
        !done)
      return broken(done.error().message);
  }
  if (origin_node != kNone) builder.set_origin(handle(origin_node), PortNum(origin_port));
  auto fabric = std::move(builder).build();
  if (!fabric) return broken(fabric.error().message);
  return fabric;
}

}  // namespace rch::fabric
