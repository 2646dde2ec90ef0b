// Readers of opensm-lfts.dump and opensm-lid-matrix.dump (OpenSM's osm_dump.c and osm_ucast_file.c). Both are
// lists of tables: a line that names a switch by ` guid 0x...`, then lines that begin with a LID. Everything
// else is text for the reader's eyes, as OpenSM's file engine has it: headings, footers, comments.

#include "fabric/table_dumps.h"

#include <string_view>

#include "fabric/draft.h"
#include "fabric/line_cursor.h"
#include "fabric/reporter.h"
#include "fabric/rules.h"

namespace rch::fabric {
namespace {

constexpr std::uint64_t kMaxLid = 0xFFFF, kMaxOutPort = 255, kMaxHops = 255;
constexpr std::size_t kMaxColumns = 256;

bool ends_word(const LineCursor& at) { return at.at_end() || at.peek() == ' ' || at.peek() == '\t'; }

/// The GUID behind `key` further on in the line; nothing if there is none, or if `may_follow` does not hold
/// what comes next.
std::optional<Guid> guid_behind(LineCursor& at, std::string_view key, std::string_view may_follow) {
  const std::size_t found = at.line().find(key, at.pos());
  if (found == std::string_view::npos) return std::nullopt;
  at.seek(found + key.size());
  const auto guid = at.number(16);
  if (!guid || (!ends_word(at) && may_follow.find(at.peek()) == std::string_view::npos)) return std::nullopt;
  return Guid(*guid);
}

/// The walk over the lines; `Reader` has Dump, kTableWord and read_entry.
template <class Reader>
std::optional<typename Reader::Dump> read(const SourceSet& sources, SourceId source,
                                          Diagnostics& diagnostics) {
  const std::string_view text = sources.at(source).text();
  Reporter report(diagnostics);
  typename Reader::Dump dump;
  Reader reader(report);
  std::uint32_t number = 0;
  for_each_line(text, [&](std::string_view line, std::uint32_t begin) {
    ++number;
    LineCursor at(line, source, begin);
    at.skip_blanks();
    if (at.rest().starts_with(Reader::kTableWord)) {
      const auto sw = guid_behind(at, " guid 0x", "");
      if (!sw) report.add(kDumpBadSwitch, at.span_line(), "` guid 0x…` is expected in this line");
      dump.tables.push_back({sw.value_or(Guid{}), {}});
    } else if (at.rest().starts_with("Multicast mlids")) {
      report.add(kDumpMulticast, at.span_line(), "this is a table of multicast LIDs: it is not used");
      // Its entries must not be taken for those of the unicast table above it.
      dump.tables.push_back({Guid{}, {}});
    } else if (at.accept("0x") && !dump.tables.empty()) {
      reader.read_entry(at, number, dump.tables.back());
    }
  });
  std::erase_if(dump.tables, [](const auto& table) { return table.sw == Guid{}; });
  check_last_line(text, source, report);
  if (dump.tables.empty() && !report.failed())
    report.add(kDumpEmpty, {source, 0, 0}, fmt::format("no line begins with `{}`", Reader::kTableWord));
  report.finish();
  if (report.failed()) return std::nullopt;
  return dump;
}

class LftReader {
 public:
  using Dump = LftDump;
  static constexpr std::string_view kTableWord = "Unicast lids";

  explicit LftReader(Reporter& report) : report_(report) {}

  /// `0x0001 005 # Channel Adapter portguid 0x0002c90300010001: 'host'`
  void read_entry(LineCursor& at, std::uint32_t line, LftDump::Table& table) {
    const std::size_t start = at.pos() - 2;
    const auto lid = at.number(16);
    if (!lid || *lid > kMaxLid || at.at_end() || !ends_word(at)) return bad(at, start, "a LID");
    at.skip_blanks();
    const std::size_t port_start = at.pos();
    const auto port = at.number(10);
    if (!port || *port > kMaxOutPort || !ends_word(at)) return bad(at, port_start, "a port number");
    const auto owner = guid_behind(at, " portguid 0x", ":");
    table.entries.push_back({owner.value_or(Guid{}), line, Lid(static_cast<std::uint16_t>(*lid)),
                             static_cast<std::uint8_t>(*port)});
  }

 private:
  void bad(const LineCursor& at, std::size_t from, std::string_view expected) {
    report_.add(kDumpBadEntry, at.span_from(from), fmt::format("{} is expected here", expected));
  }

  Reporter& report_;
};

class HopReader {
 public:
  using Dump = HopDump;
  static constexpr std::string_view kTableWord = "Switch";

  explicit HopReader(Reporter& report) : report_(report) {}

  /// `0x0002: 01 ff 01 03 # portguid 0x0002c90200400000`
  void read_entry(LineCursor& at, std::uint32_t, HopDump::Table& table) {
    const std::size_t start = at.pos() - 2;
    const auto lid = at.number(16);
    if (!lid || *lid > kMaxLid || (at.peek() != ':' && !ends_word(at))) return bad(at, start, "a LID");
    HopDump::Row row{{}, Lid(static_cast<std::uint16_t>(*lid)), {}};
    at.accept(':');
    for (at.skip_blanks(); !at.at_end() && at.peek() != '#'; at.skip_blanks()) {
      const std::size_t hop_start = at.pos();
      const auto hops = at.number(16);
      if (!hops || *hops > kMaxHops || !ends_word(at))
        return bad(at, hop_start, "a hop count in hexadecimal");
      if (row.hops.size() < kMaxColumns) row.hops.push_back(static_cast<std::uint8_t>(*hops));
    }
    row.owner = guid_behind(at, " portguid 0x", "").value_or(Guid{});
    table.rows.push_back(std::move(row));
  }

 private:
  void bad(const LineCursor& at, std::size_t from, std::string_view expected) {
    report_.add(kDumpBadEntry, at.span_from(from), fmt::format("{} is expected here", expected));
  }

  Reporter& report_;
};

}  // namespace

std::optional<LftDump> read_lft_dump(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  return read<LftReader>(sources, source, diagnostics);
}

std::optional<HopDump> read_hop_dump(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  return read<HopReader>(sources, source, diagnostics);
}

}  // namespace rch::fabric
