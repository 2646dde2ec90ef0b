#include "dumps/unicast.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "base/parallel.h"
#include "dumps/heading.h"
#include "dumps/rules.h"
#include "fabric/line_cursor.h"
#include "fabric/multicast.h"
#include "fabric/reporter.h"

namespace rch::dumps {
namespace {

using fabric::LineCursor;
using Table = UnicastDump::Table;
using Owner = UnicastDump::Owner;

/// 10 or more: no digit.
constexpr unsigned decimal_digit(char c) { return static_cast<unsigned char>(c) - unsigned{'0'}; }
/// 16 or more: no digit.
constexpr unsigned hex_digit(char c) {
  if (decimal_digit(c) < 10) return decimal_digit(c);
  const unsigned letter = (static_cast<unsigned char>(c) | 32U) - unsigned{'a'};
  return letter < 6 ? letter + 10 : 16;
}

/// A table with what cannot be read in it. Most of a large file are entries, so they are read byte by byte.
class TableReader {
 public:
  TableReader(std::string_view text, SourceId source) : text_(text), source_(source) {}

  Table table;
  std::vector<Owner> owners;
  std::optional<Span> bad;
  bool is_private = false;

  /// `begin`: offset of the heading; `end`: that of the next one.
  void read(Guid sw, std::uint32_t begin, std::uint32_t end) {
    table.sw = sw;
    table.heading = {source_, begin, std::min(line_end(begin), end)};
    for (std::uint32_t at = begin; at < end; at = line_end(at) + 1) read_line(at);
    if (is_private) table.ports.clear();
  }

 private:
  std::uint32_t line_end(std::uint32_t at) const {
    const void* found = std::memchr(text_.data() + at, '\n', text_.size() - at);
    return static_cast<std::uint32_t>(
        found == nullptr ? text_.size()
                         : static_cast<std::size_t>(static_cast<const char*>(found) - text_.data()));
  }

  void read_line(std::uint32_t begin) {
    const char* at = text_.data() + begin;
    const char* const end = text_.data() + text_.size();
    if (end - at < 2 || at[0] != '0' || at[1] != 'x') return read_other(begin);
    at += 2;
    std::uint32_t lid = 0;
    unsigned digits = 0;
    for (; at < end && digits < 8 && hex_digit(*at) < 16; ++at, ++digits) lid = lid << 4U | hex_digit(*at);
    const char* const behind_lid = at;
    while (at < end && (*at == ' ' || *at == ':')) ++at;
    if (digits == 0 || at == behind_lid || lid >= kFirstLidBeyond) return note(begin);
    std::uint32_t port = 0;
    const char* const first = at;
    for (; at < end && decimal_digit(*at) < 10 && at - first < 4; ++at) port = port * 10 + decimal_digit(*at);
    if (at == first) return read_word(begin, at);
    if (port > kNoPath || (at < end && *at != ' ' && *at != '\n' && *at != '\r')) return note(begin);
    set(lid, static_cast<std::uint8_t>(port));
    note_owner(lid, begin, at);
  }

  static constexpr std::uint32_t kFirstLidBeyond = fabric::kFirstMulticastLid.value;

  /// `UNREACHABLE` in the place of a port.
  void read_word(std::uint32_t begin, const char* at) {
    if (!std::string_view(at, text_.data() + text_.size()).starts_with("UNREACHABLE")) note(begin);
  }

  /// ibdiagnet's `PLFT_NUM: n` names the table that follows.
  void read_other(std::uint32_t begin) {
    const std::string_view line = text_.substr(begin, line_end(begin) - begin);
    if (!line.starts_with("PLFT_NUM:")) return;
    LineCursor at(line, source_, begin);
    at.accept("PLFT_NUM:");
    at.skip_blanks();
    const auto number = at.number(10);
    if (!number) note(begin);
    is_private = is_private || number.value_or(0) != 0;
  }

  void set(std::uint32_t lid, std::uint8_t port) {
    if (lid >= table.ports.size())
      table.ports.resize(std::max<std::size_t>(lid + 1, table.ports.size() * 2), kNoPath);
    table.ports[lid] = port;
  }

  /// `# Channel Adapter portguid 0x0002c90300010001: 'host'`
  void note_owner(std::uint32_t lid, std::uint32_t begin, const char* at) {
    const std::string_view line(at, static_cast<std::size_t>(text_.data() + line_end(begin) - at));
    constexpr std::string_view kKey = " portguid 0x";
    if (line.size() < kKey.size() || line.find_first_of("#(") > 3) return;
    const std::size_t found = line.find(kKey);
    if (found == std::string_view::npos) return;
    LineCursor cursor(line, source_, begin);
    cursor.seek(found + kKey.size());
    if (const auto guid = cursor.number(16))
      owners.push_back(
          {Lid(static_cast<std::uint16_t>(lid)), Guid(*guid), {source_, begin, line_end(begin)}});
  }

  void note(std::uint32_t begin) {
    if (!bad) bad = Span{source_, begin, line_end(begin)};
  }

  std::string_view text_;
  SourceId source_;
};

/// Those of all tables must agree: the first of each LID is kept.
bool merge_owners(std::vector<TableReader>& readers, fabric::Reporter& report, std::vector<Owner>& owners) {
  std::vector<std::optional<Owner>> by_lid(std::size_t{fabric::kFirstMulticastLid.value});
  bool agree = true;
  for (const TableReader& reader : readers)
    for (const Owner& owner : reader.owners) {
      std::optional<Owner>& known = by_lid[owner.lid.index()];
      if (!known) known = owner;
      if (known->port == owner.port) continue;
      agree = false;
      auto& told = report.add(kOwnerDiffers, owner.entry,
                              fmt::format("LID {} belongs to {} here and to {} in another table", owner.lid,
                                          owner.port, known->port));
      told.labels.push_back({known->entry, "the other table"});
    }
  for (const auto& owner : by_lid)
    if (owner) owners.push_back(*owner);
  return agree;
}

}  // namespace

std::optional<UnicastDump> read_unicast(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string_view text = sources.at(source).text();
  fabric::Reporter report(diagnostics);
  check_end(text, source, report);
  const std::vector<Heading> headings = headings_of(text, source, report);
  std::vector<TableReader> readers(headings.size(), TableReader(text, source));
  parallel_ranges(headings.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t)
      if (headings[t].kind == Kind::unicast)
        readers[t].read(headings[t].sw, headings[t].begin, headings[t].end);
  });
  UnicastDump dump;
  for (TableReader& reader : readers) {
    if (reader.bad)
      report.add(kBadEntry, *reader.bad,
                 "`0x`, a LID below 0xC000 in hexadecimal, and a port number are expected");
    if (reader.is_private)
      report.add(kPrivateTable, reader.table.heading,
                 fmt::format("a private forwarding table of {} is not judged", reader.table.sw));
  }
  merge_owners(readers, report, dump.owners);
  for (std::size_t t = 0; t < readers.size(); ++t)
    if (headings[t].kind == Kind::unicast && !readers[t].is_private)
      dump.tables.push_back(std::move(readers[t].table));
  report.finish();
  if (report.failed()) return std::nullopt;
  return dump;
}

}  // namespace rch::dumps
