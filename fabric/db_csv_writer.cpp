// Writer of ibdiagnet 2's tables, for tests and for tools that read them: what a Fabric holds in the columns
// that read_db_csv() reads. The node of the subnet manager's port comes first: without LIDs nothing else
// names it.

#include <ostream>
#include <string>

#include "fabric/db_csv_codes.h"
#include "fabric/formats.h"

namespace rch::fabric {
namespace {

/// A line end would end the row.
std::string one_line(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c == '\n' || c == '\r' || c == '\0') c = ' ';
  return out;
}

class TablesWriter {
 public:
  explicit TablesWriter(const Fabric& fabric) : fabric_(fabric) {
    if (const auto origin = fabric.origin()) {
      const Port& port = fabric.port(*origin);
      first_ = port.node;
      master_ = port.lid;
    }
  }

  std::string write() {
    section("NODES",
            "NodeDesc,NumPorts,NodeType,ClassVersion,BaseVersion,SystemImageGUID,NodeGUID,PortGUID,DeviceID,"
            "PartitionCap,revision,VendorID,LocalPortNum",
            [&](const Node& node) { write_node(node); });
    section("PORTS",
            "NodeGuid,PortGuid,PortNum,MSMLID,LID,LinkWidthActv,LinkSpeedActv,LMC,PortState,VLCap,MTUCap",
            [&](const Node& node) { write_ports(node); });
    section("SWITCHES", "NodeGUID,MCastFDBCap,ENP0", [&](const Node& node) {
      if (node.type == NodeType::sw)
        line("{},{},{}\n", node.guid, node.multicast_cap, node.enhanced_port0 ? 1 : 0);
    });
    section("LINKS", "NodeGuid1,PortNum1,NodeGuid2,PortNum2", [&](const Node& node) { write_links(node); });
    if (has_labels())
      section("PORT_HIERARCHY_INFO", "NodeGUID,PortGUID,PortNum,Label",
              [&](const Node& node) { write_labels(node); });
    return std::move(out_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  template <class Rows>
  void section(std::string_view name, std::string_view columns, Rows&& rows) {
    line("START_{}\n{}\n", name, columns);
    if (!first_.is_none()) rows(fabric_.node(first_));
    for (std::uint32_t n = 0; n < fabric_.nodes().size(); ++n)
      if (NodeId(n) != first_) rows(fabric_.node(NodeId(n)));
    line("END_{}\n\n\n", name);
  }

  void write_node(const Node& node) {
    const bool is_switch = node.type == NodeType::sw;
    const bool has_port = is_switch || node.num_ports > 0;
    const Guid port =
        has_port ? fabric_.port(PortId(node.first_port.value + (is_switch ? 0 : 1))).guid : node.guid;
    line("\"{}\",{},{},1,1,{},{},{},{},{},{},{},{}\n", one_line(node.description), node.num_ports,
         static_cast<int>(node.type), node.system_guid, node.guid, port, node.device_id, 128, node.revision,
         node.vendor_id, is_switch ? 0 : 1);
  }

  void write_ports(const Node& node) {
    for (std::uint32_t p = node.type == NodeType::sw ? 0 : 1; p <= node.num_ports; ++p) {
      const Port& port = fabric_.port(PortId(node.first_port.value + p));
      const bool is_end = (node.type == NodeType::sw) == (p == 0);
      line("{},{},{},{},{},{},{},{},{},{},{}\n", node.guid, port.guid, p, is_end ? master_.value : 0,
           port.lid.value, static_cast<int>(port.width), speed_code(port.speed), port.lmc,
           static_cast<int>(port.state), port.vl_cap, port.mtu_cap);
    }
  }

  void write_links(const Node& node) {
    for (std::uint32_t p = 1; p <= node.num_ports; ++p) {
      const auto id = PortId(node.first_port.value + p);
      const Port& port = fabric_.port(id);
      if (port.peer.is_none() || port.peer < id) continue;
      const Port& peer = fabric_.port(port.peer);
      line("{},{},{},{}\n", node.guid, p, fabric_.node(peer.node).guid, peer.number);
    }
  }

  bool has_labels() const {
    for (std::uint32_t p = 0; p < fabric_.ports().size(); ++p)
      if (!fabric_.label(PortId(p)).empty()) return true;
    return false;
  }

  void write_labels(const Node& node) {
    for (std::uint32_t p = 0; p <= node.num_ports; ++p) {
      const auto id = PortId(node.first_port.value + p);
      if (!fabric_.label(id).empty())
        line("{},{},{},\"{}\"\n", node.guid, fabric_.port(id).guid, p, one_line(fabric_.label(id)));
    }
  }

  const Fabric& fabric_;
  NodeId first_ = NodeId::none();
  Lid master_ = kUnassignedLid;
  std::string out_;
};

}  // namespace

void write_db_csv(const Fabric& fabric, std::ostream& out) { out << TablesWriter(fabric).write(); }

}  // namespace rch::fabric
