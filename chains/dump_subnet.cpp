#include <algorithm>
#include <iterator>

#include "chains/dump_set.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using fabric::LinkSpeed;
using fabric::LinkWidth;
using fabric::Node;
using fabric::NodeType;
using fabric::Port;
using fabric::PortState;

std::string_view type_of(NodeType type) {
  switch (type) {
    case NodeType::ca:
      return "CA";
    case NodeType::sw:
      return "SW";
    case NodeType::router:
      return "Rt";
  }
  return "**";
}

std::string_view width_of(LinkWidth width) {
  switch (width) {
    case LinkWidth::x1:
      return "1x";
    case LinkWidth::x2:
      return "2x";
    case LinkWidth::x4:
      return "4x";
    case LinkWidth::x8:
      return "8x";
    case LinkWidth::x12:
      return "12x";
    case LinkWidth::unknown:
      break;
  }
  return "??";
}

/// OpenSM 3.3.23 knows no speed above HDR (OpenSM's osm_dump.c).
std::string_view speed_of(LinkSpeed speed) {
  switch (speed) {
    case LinkSpeed::sdr:
      return "2.5";
    case LinkSpeed::ddr:
      return "5";
    case LinkSpeed::qdr:
      return "10";
    case LinkSpeed::fdr10:
      return "FDR10";
    case LinkSpeed::fdr:
      return "14";
    case LinkSpeed::edr:
      return "25";
    case LinkSpeed::hdr:
      return "50";
    case LinkSpeed::ndr:
    case LinkSpeed::xdr:
    case LinkSpeed::edr20:
    case LinkSpeed::unknown:
      break;
  }
  return "??";
}

std::string_view state_of(PortState state) {
  switch (state) {
    case PortState::init:
      return "INI";
    case PortState::armed:
      return "ARM";
    case PortState::active:
      return "ACT";
    case PortState::down:
      break;
  }
  return "DWN";
}

/// Base LID of the end port that answers for a port: a switch port's is port 0.
Lid lid_of(const Fabric& fabric, const Port& port) {
  return fabric.is_switch(port.node) ? fabric.port(fabric.node(port.node).first_port).lid : port.lid;
}

class LinkLines {
 public:
  explicit LinkLines(const Fabric& fabric)
      : fabric_(fabric),
        sm_lid_(fabric.origin() ? lid_of(fabric, fabric.port(*fabric.origin())) : kUnassignedLid) {}

  void append(const Port& near, std::string& out) const {
    out += "{ ";
    append_end(near, fmt::format("{:06X} DevID:{:04X}", node(near).vendor_id, node(near).device_id), out);
    const Port& far = fabric_.port(near.peer);
    out += " } { ";
    // The far end's device ID is shifted: an old slip of OpenSM that readers expect.
    append_end(far, fmt::format("{:08X} DevID:{:04X}", node(far).vendor_id, node(far).device_id << 16), out);
    fmt::format_to(std::back_inserter(out), " }} PHY={} LOG={} SPD={}\n", width_of(near.width),
                   state_of(near.state), speed_of(near.speed));
  }

 private:
  const Node& node(const Port& port) const { return fabric_.node(port.node); }

  void append_end(const Port& port, const std::string& vendor_and_device, std::string& out) const {
    const Node& n = node(port);
    const Lid lid = lid_of(fabric_, port);
    fmt::format_to(
        std::back_inserter(out),
        "{}{} Ports:{:02X} SystemGUID:{:016x} NodeGUID:{:016x} PortGUID:{:016x} VenID:{} Rev:{:08X} {{{}}} "
        "LID:{:04X} PN:{:02X}",
        type_of(n.type), lid == sm_lid_ && lid != kUnassignedLid ? "-SM" : "", n.num_ports,
        n.system_guid.value, n.guid.value, port.guid.value, vendor_and_device, n.revision,
        printable(n.name()), lid, port.number);
  }

  const Fabric& fabric_;
  Lid sm_lid_;
};

}  // namespace

// opensm-subnet.lst, as OpenSM's osm_dump.c writes it.
Result<void> dump_subnet(const std::filesystem::path& path, const DumpSet& set) {
  const Fabric& fabric = set.fabric();
  std::vector<const Node*> nodes;
  for (const Node& node : fabric.nodes()) nodes.push_back(&node);
  std::sort(nodes.begin(), nodes.end(), [](const Node* a, const Node* b) {
    return fabric::opensm_order(a->guid) < fabric::opensm_order(b->guid);
  });
  const LinkLines lines(fabric);
  return write_pieces(path, nodes.size(), [&](std::size_t i, std::string& out) {
    for (std::uint32_t p = 1; p <= nodes[i]->num_ports; ++p)
      if (const PortId port(nodes[i]->first_port.value + p); set.has_link(port))
        lines.append(fabric.port(port), out);
  });
}

}  // namespace rch::chains
