#include "dumps/path_sls.h"

#include <algorithm>

#include "dumps/heading.h"
#include "dumps/rules.h"
#include "fabric/line_cursor.h"
#include "fabric/multicast.h"
#include "fabric/reporter.h"

namespace rch::dumps {
namespace {

using fabric::LineCursor;
using Source = PathSlDump::Source;

void set(Source& source, std::uint64_t lid, std::uint8_t sl) {
  if (lid >= source.levels.size()) source.levels.resize(lid + 1, PathSlDump::kUnknown);
  source.levels[lid] = sl;
}

std::optional<std::uint64_t> unicast_lid(LineCursor& at, int base) {
  const auto lid = at.number(base);
  return lid && *lid < fabric::kFirstMulticastLid.value ? lid : std::nullopt;
}

std::optional<std::uint8_t> level(LineCursor& at) {
  at.skip_blanks();
  const auto sl = at.number(10);
  if (!sl || *sl > 15 || (!at.at_end() && at.peek() != ' ')) return std::nullopt;
  return static_cast<std::uint8_t>(*sl);
}

/// `0x0005 : 3`, `0x0005 : 3  : 4   : 3`, `0x0005 : UNREACHABLE`.
bool read_entry(LineCursor& at, Source& source) {
  const auto lid = unicast_lid(at, 16);
  at.skip_blanks();
  if (!lid || !at.accept(':')) return false;
  at.skip_blanks();
  if (at.rest().starts_with("UNREACHABLE")) return true;
  const auto sl = level(at);
  if (sl) set(source, *lid, *sl);
  return sl.has_value();
}

}  // namespace

std::optional<PathSlDump> read_path_sls(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string_view text = sources.at(source).text();
  fabric::Reporter report(diagnostics);
  check_end(text, source, report);
  PathSlDump dump;
  fabric::for_each_line(text, [&](std::string_view line, std::uint32_t begin) {
    LineCursor at(line, source, begin);
    if (line.empty() || line.front() == '#') return;
    const auto begin_source = [&](std::uint64_t guid) {
      dump.sources.push_back({Guid(guid), at.span_line(), {}});
    };
    if (const std::size_t found = line.find(" 0x");
        !line.starts_with("0x") && found != std::string_view::npos) {
      at.seek(found + 3);
      if (const auto guid = at.number(16); guid && line.find(", base LID") != std::string_view::npos)
        return begin_source(*guid);
    }
    const std::size_t digits = std::min(line.find(' '), line.size());
    constexpr std::size_t kMostDigitsOfLid = 6;
    bool good = at.accept("0x");
    if (good && digits > kMostDigitsOfLid) {
      const auto guid = at.number(16);
      at.skip_blanks();
      const auto lid = unicast_lid(at, 10);
      const auto sl = level(at);
      good = guid && lid && sl;
      if (good && (dump.sources.empty() || dump.sources.back().guid != Guid(*guid))) begin_source(*guid);
      if (good) set(dump.sources.back(), *lid, *sl);
    } else {
      good = good && !dump.sources.empty() && read_entry(at, dump.sources.back());
    }
    if (!good)
      report.add(kBadEntry, at.span_line(),
                 "a port with its GUID, or a LID and a service level, are expected");
  });
  report.finish();
  if (report.failed()) return std::nullopt;
  return dump;
}

}  // namespace rch::dumps
