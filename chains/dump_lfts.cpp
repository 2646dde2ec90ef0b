#include <iterator>

#include "chains/dump_set.h"

namespace rch::chains {
namespace {

/// The parts of a line that are the same in every switch: LID in front, owner behind.
struct LineParts {
  std::string front, behind;
};

std::vector<LineParts> line_parts(const fabric::Fabric& fabric) {
  std::vector<LineParts> parts;
  const std::vector<LidOwner> owners = lid_owners(fabric);
  for (std::size_t lid = 0; lid < owners.size(); ++lid) {
    LineParts part{fmt::format("0x{:04x} ", lid), " # unknown node and type\n"};
    if (const PortId id = owners[lid].port; !id.is_none()) {
      const fabric::Port& port = fabric.port(id);
      const fabric::Node& node = fabric.node(port.node);
      part.behind =
          fmt::format(" # {} portguid {}: '{}'\n", type_word(node.type), port.guid, printable(node.name()));
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

// opensm-lfts.dump, as OpenSM's osm_dump.c writes it.
Result<void> dump_lfts(const std::filesystem::path& path, const DumpSet& set) {
  const std::vector<LineParts> parts = line_parts(set.fabric());
  const Lid max_lid = set.fabric().max_lid();
  return write_pieces(path, set.rows().size(), [&](std::size_t i, std::string& out) {
    const DumpSet::Row& row = set.rows()[i];
    const fabric::Node& node = set.fabric().node(row.sw);
    const Lid own = set.fabric().port(node.first_port).lid;
    fmt::format_to(std::back_inserter(out), "Unicast lids [0-{}] of switch Lid {} guid {} ('{}'):\n", max_lid,
                   own, node.guid, printable(node.name()));
    for (std::size_t lid = 0; lid < parts.size() && !row.lft.empty(); ++lid) {
      const std::uint8_t port = row.lft[lid];
      if (port > node.num_ports) continue;
      out += parts[lid].front;
      out += {static_cast<char>('0' + port / 100), static_cast<char>('0' + port / 10 % 10),
              static_cast<char>('0' + port % 10)};
      out += parts[lid].behind;
    }
    fmt::format_to(std::back_inserter(out), "{} lids dumped\n", max_lid);
  });
}

}  // namespace rch::chains
