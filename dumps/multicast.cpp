#include "dumps/multicast.h"

#include "dumps/heading.h"
#include "dumps/rules.h"
#include "fabric/line_cursor.h"
#include "fabric/multicast.h"
#include "fabric/reporter.h"

namespace rch::dumps {
namespace {

using fabric::LineCursor;

/// `0xC000 : 0x001  0x002 `: ports in hexadecimal. False: not readable.
bool read_ports(LineCursor& at, Lid mlid, std::vector<MulticastDump::Entry>& entries) {
  for (at.skip_blanks(); !at.at_end(); at.skip_blanks()) {
    if (!at.accept("0x")) return false;
    const auto port = at.number(16);
    if (!port || *port > 254) return false;
    entries.push_back({mlid, static_cast<std::uint8_t>(*port)});
  }
  return true;
}

/// `0xc000    x x`: a port has the column of its last digit in the line `     Ports: 0 1 2 …`.
bool read_crosses(LineCursor& at, std::size_t first_column, Lid mlid,
                  std::vector<MulticastDump::Entry>& entries) {
  for (at.skip_blanks(); !at.at_end(); at.skip_blanks()) {
    const std::size_t column = at.pos();
    if (!at.accept('x') || column < first_column || (column - first_column) % 2 != 0) return false;
    entries.push_back({mlid, static_cast<std::uint8_t>((column - first_column) / 2)});
  }
  return true;
}

}  // namespace

std::optional<MulticastDump> read_multicast(const SourceSet& sources, SourceId source,
                                            Diagnostics& diagnostics) {
  const std::string_view text = sources.at(source).text();
  fabric::Reporter report(diagnostics);
  check_end(text, source, report);
  MulticastDump dump;
  for (const Heading& heading : headings_of(text, source, report)) {
    if (heading.kind != Kind::multicast) continue;
    MulticastDump::Table table{heading.sw, {}, {}};
    std::optional<std::size_t> columns;
    fabric::for_each_line(text.substr(heading.begin, heading.end - heading.begin), [&](std::string_view line,
                                                                                       std::uint32_t begin) {
      LineCursor at(line, source, heading.begin + begin);
      if (table.heading.source.is_none()) table.heading = at.span_line();
      constexpr std::string_view kPorts = "     Ports: ";
      if (line.starts_with(kPorts)) columns = kPorts.size();
      if (!at.accept("0x")) return;
      const auto mlid = at.number(16);
      bool good =
          mlid && *mlid >= fabric::kFirstMulticastLid.value && *mlid <= fabric::kLastMulticastLid.value;
      if (good) {
        const Lid lid(static_cast<std::uint16_t>(*mlid));
        at.skip_blanks();
        good = at.accept(':') ? read_ports(at, lid, table.entries)
                              : columns && read_crosses(at, *columns, lid, table.entries);
      }
      if (!good)
        report.add(kBadEntry, at.span_line(), "a multicast LID and the ports of its packets are expected");
    });
    dump.tables.push_back(std::move(table));
  }
  report.finish();
  if (report.failed()) return std::nullopt;
  return dump;
}

}  // namespace rch::dumps
