#include <algorithm>
#include <iterator>

#include "chains/dump_set.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using fabric::Node;
using fabric::Port;
using fabric::Sl2VlTables;

constexpr std::string_view kRule = "#--------------------------------------------------------\n";

void append_map(PortNum in, PortNum out_port, const fabric::Sl2VlMap& map, std::string& out) {
  fmt::format_to(std::back_inserter(out), "{:<3} {:<3} :", in, out_port);
  for (std::uint8_t vl : map) fmt::format_to(std::back_inserter(out), " {:<2}", vl);
  out += '\n';
}

/// CA and router ports that have a link, and every switch by its port 0, in OpenSM's order.
std::vector<PortId> end_ports(const Fabric& fabric) {
  std::vector<PortId> result;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    result.push_back(fabric.port_id(SwitchId(s), PortNum(0)));
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p)
    if (const Port& port = fabric.ports()[p]; !fabric.is_switch(port.node) && !port.peer.is_none())
      result.push_back(PortId(p));
  std::sort(result.begin(), result.end(), [&](PortId a, PortId b) {
    return fabric::opensm_order(fabric.port(a).guid) < fabric::opensm_order(fabric.port(b).guid);
  });
  return result;
}

void append_switch(const Fabric& fabric, const Sl2VlTables& tables, SwitchId sw, std::string& out) {
  const std::uint32_t ports = fabric.node(sw).num_ports;
  for (std::uint32_t o = 1; o <= ports; ++o) {
    const PortNum out_port(static_cast<std::uint8_t>(o));
    if (fabric.port(fabric.port_id(sw, out_port)).peer.is_none()) continue;
    for (std::uint32_t i = 0; i <= ports; ++i) {
      const PortNum in(static_cast<std::uint8_t>(i));
      append_map(in, out_port, tables.at(sw, in, out_port), out);
    }
  }
}

}  // namespace

// opensm-sl2vl.dump, as OpenSM's osm_dump.c writes it.
Result<void> dump_sl2vl(const std::filesystem::path& path, const Fabric& fabric, const Sl2VlTables& tables) {
  const std::vector<PortId> ports = end_ports(fabric);
  return write_pieces(path, ports.size(), [&](std::size_t i, std::string& out) {
    const Port& port = fabric.port(ports[i]);
    const Node& node = fabric.node(port.node);
    fmt::format_to(std::back_inserter(out), "{} {}, base LID {}, \"{}\"\n", type_word(node.type), port.guid,
                   port.lid, printable(node.name()));
    out += "#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n";
    out += kRule;
    if (const auto sw = fabric.switch_id(port.node))
      append_switch(fabric, tables, *sw, out);
    else
      append_map(PortNum(0), PortNum(0), tables.end_port(ports[i]), out);
    out += kRule;
    out += '\n';
  });
}

}  // namespace rch::chains
