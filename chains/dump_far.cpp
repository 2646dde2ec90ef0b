#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "chains/dump_set.h"
#include "fabric/adaptive_tables.h"

namespace rch::chains {
namespace {

using fabric::AdaptiveSwitch;
using fabric::AdaptiveTables;

void append_groups(const AdaptiveSwitch& sw, std::string& out) {
  out += "Groups Definition:\nGroup  SubGroup  WHBF  Ports\n----------------------------\n";
  for (std::size_t g = 0; g < sw.groups.size(); ++g) {
    std::vector<unsigned> ports;
    sw.groups[g].ports.for_each([&](std::uint8_t port) { ports.push_back(port); });
    fmt::format_to(std::back_inserter(out), "{:<6} 0         -     {}\n", g + 1, fmt::join(ports, ","));
  }
}

/// Group 0 is no group.
void append_entries(SwitchId sw, const AdaptiveTables& adaptive, std::span<const std::uint8_t> row,
                    std::string& out) {
  out += "LFT Definition:\nLID    StaticPort  LidState  Group\n----------------------------------\n";
  for (std::size_t l = 1; l < row.size(); ++l) {
    if (row[l] == kNoPath) continue;
    const std::uint32_t column = adaptive.column_of(Lid(static_cast<std::uint16_t>(l)));
    const std::uint16_t group =
        column == AdaptiveTables::kNoColumn ? AdaptiveTables::kNoGroup : adaptive.column(column)[sw.index()];
    const bool is_free = group != AdaptiveTables::kNoGroup && !adaptive.at(sw).groups[group].is_static;
    fmt::format_to(std::back_inserter(out), "{:<6} {:<11} {:<9} {}\n", l, row[l], is_free ? "Free" : "Static",
                   group == AdaptiveTables::kNoGroup ? 0 : group + 1);
  }
  out += '\n';
}

}  // namespace

// The form of ibdiagnet's `.far`, as far as it is known (dumps/adaptive.h).
Result<void> dump_far(const std::filesystem::path& path, const DumpSet& set, const AdaptiveTables& adaptive) {
  return write_pieces(path, set.rows().size(), [&](std::size_t i, std::string& out) {
    const DumpSet::Row& row = set.rows()[i];
    fmt::format_to(std::back_inserter(out), "Switch {} LID {} \"{}\"\n", set.fabric().node(row.sw).guid,
                   set.fabric().port(set.fabric().port_id(row.sw, PortNum(0))).lid,
                   printable(set.fabric().node(row.sw).name()));
    append_groups(adaptive.at(row.sw), out);
    append_entries(row.sw, adaptive, row.lft, out);
  });
}

}  // namespace rch::chains
