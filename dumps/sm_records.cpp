#include "dumps/sm_records.h"

#include <fmt/format.h>

#include "dumps/heading.h"
#include "dumps/rules.h"
#include "fabric/db_csv_rows.h"

namespace rch::dumps {
namespace {

using fabric::CsvColumn;
using fabric::CsvRows;

enum SmColumn : std::size_t { kEngine };
constexpr CsvColumn kSmColumns[] = {{"RoutingEngine"}};
enum RankColumn : std::size_t { kRankOf, kRank };
constexpr CsvColumn kRankColumns[] = {{"NodeGUID", {}, true}, {"Rank"}};

/// A rank is a number of cables, and a fabric has less than 2^16 LIDs.
constexpr std::uint64_t kHighestRank = 0xFFFF;

}  // namespace

std::optional<SmDump> read_sm_records(SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  fabric::Reporter report(diagnostics);
  const fabric::CsvSections sections = fabric::find_sections(sources.at(source).text(), source);
  SmDump dump;
  if (const fabric::CsvSection* section = sections.find("SM"); section != nullptr) {
    if (!section->broken_at.source.is_none())
      report.add(kTruncatedTables, section->heading, "section `SM` does not end");
    CsvRows rows(sources, source, *section, report, kSmColumns);
    while (rows.usable() && rows.next()) {
      if (!rows.has(kEngine) || rows.says_nothing(kEngine)) continue;
      if (!dump.engine.empty() && dump.engine != rows.text(kEngine))
        report.add(kTableTwice, rows.span(kEngine), "a second row of the subnet manager names another engine")
            .labels.push_back({dump.engine_line, "the first row"});
      dump.engine = rows.text(kEngine);
      dump.engine_line = rows.span(kEngine);
    }
  }
  if (const fabric::CsvSection* section = sections.find("SWITCHES"); section != nullptr) {
    if (!section->broken_at.source.is_none())
      report.add(kTruncatedTables, section->heading, "section `SWITCHES` does not end");
    CsvRows rows(sources, source, *section, report, kRankColumns);
    while (rows.usable() && rows.next()) {
      const auto sw = rows.needed_guid(kRankOf);
      if (!sw || !rows.has(kRank) || rows.says_nothing(kRank)) continue;
      if (const auto rank = rows.number(kRank, kHighestRank))
        dump.ranks.push_back({*sw, rows.span(kRank), static_cast<std::uint32_t>(*rank)});
    }
  }
  if (!dump.engine.empty() || !dump.ranks.empty())
    report.add(kUnconfirmedTables, {source, 0, 0}, "ranks and engine of NVIDIA SM: form not confirmed").hint =
        "no whole file was at hand; compare them with the log of the subnet manager";
  report.finish();
  if (report.failed()) return std::nullopt;
  return dump;
}

}  // namespace rch::dumps
