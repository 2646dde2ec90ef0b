#include <iterator>

#include "chains/dump_set.h"

namespace rch::chains {
namespace {

void append_hex(std::string& out, std::uint8_t value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += {' ', kDigits[value >> 4], kDigits[value & 15]};
}

/// Base LIDs of switches in ascending order: the only LIDs that have rows.
std::vector<std::pair<Lid, SwitchId>> switch_lids(const fabric::Fabric& fabric) {
  std::vector<std::pair<Lid, SwitchId>> result;
  const std::vector<LidOwner> owners = lid_owners(fabric);
  for (std::size_t lid = 0; lid < owners.size(); ++lid)
    if (owners[lid].is_switch() && fabric.port(owners[lid].port).lid.index() == lid)
      result.emplace_back(Lid(static_cast<std::uint16_t>(lid)), owners[lid].sw);
  return result;
}

}  // namespace

// opensm-lid-matrix.dump, as OpenSM's osm_dump.c writes it.
Result<void> dump_lid_matrix(const std::filesystem::path& path, const DumpSet& set) {
  const auto lids = switch_lids(set.fabric());
  return write_pieces(path, set.rows().size(), [&](std::size_t i, std::string& out) {
    const DumpSet::Row& row = set.rows()[i];
    const fabric::Node& node = set.fabric().node(row.sw);
    fmt::format_to(std::back_inserter(out), "Switch: guid {}\n", node.guid);
    for (const auto& [lid, to] : lids) {
      const std::uint8_t least = set.hops(row, to);
      if (least == engines::HopMatrix::kUnknown) continue;
      fmt::format_to(std::back_inserter(out), "0x{:04x}:", lid);
      for (std::uint32_t p = 0; p <= node.num_ports; ++p) {
        // A port that leads nearer than the least distance is on no path of the engine (updn).
        const std::uint8_t hops = set.hops(row, to, PortNum(static_cast<std::uint8_t>(p)));
        append_hex(out, hops < least ? engines::HopMatrix::kUnknown : hops);
      }
      fmt::format_to(std::back_inserter(out), " # portguid {}\n", set.fabric().node(to).guid);
    }
  });
}

}  // namespace rch::chains
