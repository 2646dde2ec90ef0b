#include "dumps/sl2vl.h"

#include "dumps/heading.h"
#include "dumps/rules.h"
#include "fabric/line_cursor.h"
#include "fabric/reporter.h"

namespace rch::dumps {
namespace {

using fabric::LineCursor;

std::optional<PortNum> port_number(LineCursor& at) {
  at.skip_blanks();
  const auto number = at.number(10);
  if (!number || *number > 254) return std::nullopt;
  return PortNum(static_cast<std::uint8_t>(*number));
}

/// `0   1   : 0  1  0  1 …`: sixteen VLs, by service level.
bool read_vls(LineCursor& at, fabric::Sl2VlMap& map) {
  for (std::uint8_t& vl : map) {
    at.skip_blanks();
    const auto number = at.number(10);
    if (!number || *number > 15) return false;
    vl = static_cast<std::uint8_t>(*number);
  }
  at.skip_blanks();
  return at.at_end();
}

/// `0x01 0x23 …`: eight bytes, the lower service level in the higher half, or sixteen VLs.
bool read_bytes(LineCursor& at, fabric::Sl2VlMap& map) {
  std::vector<std::uint64_t> values;
  for (at.skip_blanks(); !at.at_end(); at.skip_blanks()) {
    const auto value = at.accept("0x") ? at.number(16) : std::nullopt;
    if (!value || *value > 0xFF || values.size() == map.size()) return false;
    values.push_back(*value);
  }
  if (values.size() == map.size())
    for (std::size_t sl = 0; sl < map.size(); ++sl) {
      if (values[sl] > 15) return false;
      map[sl] = static_cast<std::uint8_t>(values[sl]);
    }
  else if (2 * values.size() == map.size())
    for (std::size_t sl = 0; sl < map.size(); sl += 2) {
      map[sl] = static_cast<std::uint8_t>(values[sl / 2] >> 4U);
      map[sl + 1] = static_cast<std::uint8_t>(values[sl / 2] & 15U);
    }
  else
    return false;
  return true;
}

/// `Switch 0x…, base LID …`, and what stands before other port GUIDs.
std::optional<Guid> owner_in(LineCursor& at) {
  const std::size_t found = at.line().find(" 0x");
  if (found == std::string_view::npos || at.line().find(", base LID") == std::string_view::npos)
    return std::nullopt;
  at.seek(found + 3);
  const auto guid = at.number(16);
  return guid ? std::optional(Guid(*guid)) : std::nullopt;
}

}  // namespace

std::optional<Sl2VlDump> read_sl2vl(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string_view text = sources.at(source).text();
  fabric::Reporter report(diagnostics);
  check_end(text, source, report);
  if (sources.at(source).name().ends_with(".slvl"))
    report.add(kUnconfirmedTables, {source, 0, 0}, "SL2VL tables of ibdiagnet 2: form not confirmed").hint =
        "compare some of them with what `smpquery sl2vl` prints, and please send some lines of the file";
  Sl2VlDump dump;
  std::optional<Guid> owner;
  fabric::for_each_line(text, [&](std::string_view line, std::uint32_t begin) {
    LineCursor at(line, source, begin);
    if (line.empty() || line.front() == '#') return;
    Sl2VlDump::Row row{owner.value_or(Guid{}), {}, {}, {}, at.span_line()};
    const bool names_its_owner = at.accept("0x");
    if (!names_its_owner && (line.front() < '0' || line.front() > '9')) {
      owner = owner_in(at);
      if (!owner) report.add(kBadHeading, at.span_line(), "the GUID of a port and its base LID are expected");
      return;
    }
    const auto guid = names_its_owner ? at.number(16) : std::nullopt;
    if (guid) row.port = Guid(*guid);
    const auto in = port_number(at), out = port_number(at);
    if (in && out) row.in = *in, row.out = *out;
    at.skip_blanks();
    const bool good = (guid || owner) && in && out &&
                      (names_its_owner ? read_bytes(at, row.map) : at.accept(':') && read_vls(at, row.map));
    if (good)
      dump.rows.push_back(row);
    else
      report.add(kBadEntry, at.span_line(), "two ports and the VLs of sixteen service levels are expected");
  });
  report.finish();
  if (report.failed()) return std::nullopt;
  return dump;
}

}  // namespace rch::dumps
