#include <algorithm>
#include <iterator>

#include "chains/dump_set.h"

namespace rch::chains {
namespace {

using fabric::MulticastGroup;

/// Ports of one switch that carry a group.
std::span<const PortId> row(const fabric::Fabric& fabric, const MulticastGroup& group, SwitchId sw) {
  const PortId first = fabric.port_id(sw, PortNum(0));
  const auto begin = std::ranges::lower_bound(group.ports, first);
  const auto end = std::ranges::upper_bound(group.ports, PortId(first.value + fabric.node(sw).num_ports));
  return {begin, end};
}

void append_row(const fabric::Fabric& fabric, Lid mlid, std::span<const PortId> ports, std::string& out) {
  fmt::format_to(std::back_inserter(out), "0x{:04X} :", mlid);
  for (PortId port : ports) fmt::format_to(std::back_inserter(out), " 0x{:03X} ", fabric.port(port).number);
  out += '\n';
}

}  // namespace

// opensm.mcfdbs, as OpenSM's osm_dump.c writes it.
Result<void> dump_mcfdbs(const std::filesystem::path& path, const DumpSet& set,
                         std::span<const MulticastGroup> groups) {
  const fabric::Fabric& fabric = set.fabric();
  return write_pieces(path, set.rows().size(), [&](std::size_t i, std::string& out) {
    const SwitchId sw = set.rows()[i].sw;
    const std::size_t begin = out.size();
    for (const MulticastGroup& group : groups)
      if (const auto ports = row(fabric, group, sw); !ports.empty()) {
        if (out.size() == begin)
          fmt::format_to(std::back_inserter(out), "\nSwitch {}\nLID    : Out Port(s)\n",
                         fabric.node(sw).guid);
        append_row(fabric, group.mlid, ports, out);
      }
  });
}

}  // namespace rch::chains
