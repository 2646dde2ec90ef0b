#include "dumps/unicast.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "dumps/heading.h"
#include "dumps/rules.h"
#include "dumps/table_reader.h"
#include "fabric/reporter.h"

namespace rch::dumps {
namespace {

/// One text, table by table.
class UnicastReader {
 public:
  UnicastReader(std::string_view text, SourceId source, Diagnostics& diagnostics)
      : text_(text), source_(source), lines_(text), report_(diagnostics) {}

  std::optional<UnicastDump> read() && {
    check_end(text_, source_, report_);
    for (const Heading& heading : headings_of(text_, source_, report_))
      if (heading.kind == Kind::unicast) read_table(heading);
    for (std::size_t lid = 0; lid < owners_.by_lid().size(); ++lid)
      if (const OwnersSeen::Seen& seen = owners_.by_lid()[lid]; seen.port != Guid{})
        dump_.owners.push_back({Lid(static_cast<std::uint16_t>(lid)), seen.port, line_at(seen.line)});
    report_.finish();
    if (report_.failed()) return std::nullopt;
    return std::move(dump_);
  }

 private:
  Span line_at(std::uint32_t begin) const {
    return {source_, begin, std::max(lines_.line_end(begin), begin)};
  }

  void read_table(const Heading& heading) {
    UnicastDump::Table table{heading.sw, line_at(heading.begin), {}};
    bool is_private = false;
    for (std::uint32_t at = heading.begin; at < heading.end;) {
      const std::uint32_t end = lines_.line_end(at);
      switch (lines_.read(at, end, table.ports, owners_)) {
        case TableLines::Line::entry:
        case TableLines::Line::other:
          break;
        case TableLines::Line::bad:
          report_.add(kBadEntry, line_at(at),
                      "`0x`, a LID below 0xC000 in hexadecimal, and a port number are expected");
          break;
        case TableLines::Line::conflict:
          tell_conflict(at);
          break;
        case TableLines::Line::private_table:
          is_private = true;
          break;
      }
      at = end + 1;
    }
    if (is_private)
      report_.add(kPrivateTable, table.heading,
                  fmt::format("a private forwarding table of {} is not judged", table.sw));
    else
      dump_.tables.push_back(std::move(table));
  }

  void tell_conflict(std::uint32_t at) {
    const std::string_view line = text_.substr(at, lines_.line_end(at) - at);
    report_.add(
        kOwnerDiffers, line_at(at),
        fmt::format("LID {} belongs to another port in another table", line.substr(0, line.find(' '))));
  }

  std::string_view text_;
  SourceId source_;
  TableLines lines_;
  fabric::Reporter report_;
  OwnersSeen owners_;
  UnicastDump dump_;
};

}  // namespace

std::optional<UnicastDump> read_unicast(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  return UnicastReader(sources.at(source).text(), source, diagnostics).read();
}

}  // namespace rch::dumps
