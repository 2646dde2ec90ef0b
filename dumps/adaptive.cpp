#include "dumps/adaptive.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/text.h"
#include "dumps/heading.h"
#include "dumps/rules.h"
#include "fabric/db_csv_sections.h"
#include "fabric/line_cursor.h"
#include "fabric/reporter.h"

namespace rch::dumps {
namespace {

using fabric::LineCursor;
using fabric::PortGroup;

enum class State : std::uint8_t { is_static, adaptive, hashed };

struct StateWord {
  std::string_view word;
  State state;
};
constexpr StateWord kStates[] = {{"Static", State::is_static},
                                 {"Free", State::adaptive},
                                 {"Bounded", State::adaptive},
                                 {"HBF", State::hashed}};

constexpr std::uint64_t kMostGroups = 0x1000;  // the number of a group has 12 bits
constexpr std::size_t kColumns = 4;            // of groups, where no line names them

class AdaptiveReader {
 public:
  /// `base`: where the text begins in that of the source.
  AdaptiveReader(std::string_view text, std::uint32_t base, SourceId source, Diagnostics& diagnostics)
      : text_(text), base_(base), source_(source), report_(diagnostics) {}

  std::optional<AdaptiveDump> read() && {
    check_end(text_, source_, report_);
    fabric::for_each_line(text_, [&](std::string_view line, std::uint32_t begin) {
      LineCursor at(line, source_, base_ + begin);
      at.skip_blanks();
      if (!at.at_end()) take(at);
    });
    finish_switch();
    if (unknown_lines_ > 0)
      report_.add(kUnknownLines, first_unknown_,
                  fmt::format("{} of the file {} passed over, such as this one",
                              counted(unknown_lines_, "line"), unknown_lines_ == 1 ? "is" : "are"));
    report_.finish();
    if (report_.failed()) return std::nullopt;
    return std::move(dump_);
  }

 private:
  enum class Part : std::uint8_t { outside, groups_heading, groups, lids_heading, lids, private_table };

  void take(LineCursor& at) {
    if (at.rest().starts_with("Switch 0x")) return begin_switch(at);
    if (at.rest().starts_with("Groups Definition")) return begin(at, Part::groups_heading);
    if (at.rest().starts_with("LFT Definition")) return begin_lids(at);
    if (at.rest().starts_with("---")) return pass_dashes();
    const bool is_row = at.peek() >= '0' && at.peek() <= '9';
    if (part_ == Part::groups && is_row) return take_group(at);
    if (part_ == Part::lids && is_row) return take_entry(at);
    if (is_row && table_ && part_ != Part::private_table)
      return report_.add(kBadEntry, at.span_line(), "the row is in neither table of its switch"), void();
    if (at.rest().starts_with("#") || at.rest().starts_with("File version")) return;
    if (part_ == Part::groups_heading) return take_columns(at);
    if (part_ == Part::lids_heading || part_ == Part::private_table) return;
    if (part_ == Part::groups || part_ == Part::lids) part_ = Part::outside;
    if (unknown_lines_++ == 0) first_unknown_ = at.span_line();
  }

  void begin_switch(LineCursor& at) {
    finish_switch();
    part_ = Part::outside;
    const auto guid = guid_behind(at.line(), "Switch 0x");
    if (!guid) report_.add(kBadHeading, at.span_line(), "`Switch 0x` and a GUID are expected in this line");
    table_.emplace();
    table_->sw = guid.value_or(Guid{});
    table_->heading = at.span_line();
  }

  void begin(LineCursor& at, Part part) {
    part_ = table_ ? part : Part::outside;
    if (!table_) report_.add(kBadHeading, at.span_line(), "a line `Switch 0x…` is expected before tables");
  }
  /// A second one is a private table.
  void begin_lids(LineCursor& at) {
    begin(at, Part::lids_heading);
    if (!table_ || table_->ports.empty()) return;
    table_->has_private = true;
    part_ = Part::private_table;
  }
  void pass_dashes() {
    if (part_ == Part::groups_heading) begin_groups();
    if (part_ == Part::lids_heading) part_ = Part::lids;
  }

  /// The names of the columns of groups: `Group SubGroup WHBF Ports` in the file that is known, and others
  /// may lack those in the middle. Where ports begin has to be known: a port that is taken for something else
  /// would be missing in the proof.
  void take_columns(LineCursor& at) {
    heading_ = at.span_line();
    std::vector<std::string> names;
    for (; !at.at_end(); at.skip_blanks()) names.push_back(to_lower(at.word()));
    if (names.size() >= 2 && names.front() == "group" && names.back() == "ports") columns_ = names.size();
  }

  /// Below the dashes. Where no line stands above them, the columns are those of the file that is known.
  void begin_groups() {
    part_ = Part::groups;
    if (columns_ == 0 && heading_)
      report_.add(kBadHeading, *heading_,
                  "the names of the columns of groups are expected: `Group` the first, `Ports` the last");
    if (columns_ == 0) columns_ = kColumns;
  }

  /// A row below begin_groups(), the ports with commas between them, or none.
  void take_group(LineCursor& at) {
    const auto number = next_number(at);
    bool good = number && *number < kMostGroups;
    for (std::size_t column = 1; column + 1 < columns_; ++column) {
      at.skip_blanks();
      const std::string_view word = at.word();
      good = good && !word.empty() && word.find(',') == std::string_view::npos;
    }
    at.skip_blanks();
    fabric::PortMask ports;
    while (good && !at.at_end()) {
      const auto port = at.number(10);
      good = port && *port > 0 && *port < kNoPath;
      if (good) ports.insert(static_cast<std::uint8_t>(*port));
      at.accept(',');
      at.skip_blanks();
    }
    groups_are_known_ = groups_are_known_ && good;
    if (!good)
      report_.add(kBadEntry, at.span_line(),
                  "a number for each column before the ports, or a word, and ports below 255 with commas "
                  "between them are expected");
    else
      defined_[static_cast<std::uint16_t>(*number)] |= ports;
  }

  /// `LID StaticPort LidState Group`; a static entry may lack the group.
  void take_entry(LineCursor& at) {
    const auto lid = next_number(at), port = next_number(at);
    at.skip_blanks();
    const std::string_view word = at.word();
    const auto state = std::ranges::find(kStates, word, &StateWord::word);
    const auto group = next_number(at);
    at.skip_blanks();
    const bool good = lid && *lid > 0 && *lid <= kMaxUnicastLid.value && port && *port <= kNoPath &&
                      state != std::end(kStates) && (!group || *group < kMostGroups) && at.at_end() &&
                      (group || state->state == State::is_static);
    if (!good) {
      report_.add(
          kBadEntry, at.span_line(),
          "a LID below 49152 in decimal, a port, one of Static, Free, Bounded and HBF, and a group are "
          "expected");
      return;
    }
    if (table_->ports.size() <= *lid) {
      table_->ports.resize(*lid + 1, kNoPath);
      table_->group_of.resize(*lid + 1, AdaptiveDump::kNoGroup);
      has_entry_.resize(*lid + 1);
    }
    if (has_entry_[*lid])
      report_.add(kBadEntry, at.span_line(), fmt::format("a second entry for LID {}", *lid));
    has_entry_[*lid] = true;
    table_->ports[*lid] = static_cast<std::uint8_t>(*port);
    if (group)
      named_.push_back({static_cast<std::uint16_t>(*lid), static_cast<std::uint16_t>(*group), state->state,
                        at.span_line()});
  }

  /// Groups may be defined behind the entries that name them.
  void finish_switch() {
    if (!table_) return;
    std::map<PortGroup, std::uint16_t> known;
    for (const Named& entry : named_) {
      const auto defined = defined_.find(entry.group);
      const bool is_static = entry.state == State::is_static;
      if (defined == defined_.end()) {
        // Static entries have the number of a group where there is none, mostly 0.
        if (!is_static && groups_are_known_)
          report_.add(kBadEntry, entry.line, fmt::format("group {} is not defined", entry.group));
        continue;
      }
      table_->has_hashed = table_->has_hashed || entry.state == State::hashed;
      if (defined->second.empty()) continue;
      const PortGroup group{defined->second, is_static};
      const auto [number, fresh] =
          known.try_emplace(group, static_cast<std::uint16_t>(table_->groups.size()));
      if (fresh) table_->groups.push_back(group);
      table_->group_of[entry.lid] = number->second;
    }
    if (table_->has_private)
      report_.add(kPrivateTable, table_->heading,
                  fmt::format("a private forwarding table of {} is not judged", table_->sw));
    dump_.tables.push_back(std::move(*table_));
    table_.reset();
    named_.clear();
    defined_.clear();
    has_entry_.clear();
    columns_ = 0;
    heading_.reset();
    groups_are_known_ = true;
  }

  static std::optional<std::uint64_t> next_number(LineCursor& at) {
    at.skip_blanks();
    return at.number(10);
  }

  struct Named {
    std::uint16_t lid, group;
    State state;
    Span line;
  };

  std::string_view text_;
  std::uint32_t base_;
  SourceId source_;
  fabric::Reporter report_;
  AdaptiveDump dump_;
  Part part_ = Part::outside;
  std::optional<AdaptiveDump::Table> table_;           ///< of the switch at hand
  std::map<std::uint16_t, fabric::PortMask> defined_;  ///< its groups, all sub-groups together
  std::vector<Named> named_;                           ///< its entries with a group
  std::vector<bool> has_entry_;                        ///< by LID
  std::size_t columns_ = 0;                            ///< of its groups; 0: no line named them yet
  std::optional<Span> heading_;                        ///< the last line above the dashes of its groups
  bool groups_are_known_ = true;                       ///< no definition was wrong
  std::size_t unknown_lines_ = 0;
  Span first_unknown_;
};

/// Reads on all threads; a fat tree of 36-port switches has a file of 500 MB. Nothing if there is anything to
/// tell: then the whole is read in order.
std::optional<AdaptiveDump> read_in_pieces(std::string_view text, SourceId source) {
  constexpr std::size_t kPiece = std::size_t{4} << 20;
  std::vector<std::size_t> begins{0};
  while (text.size() - begins.back() > kPiece) {
    const std::size_t next = text.find("\nSwitch 0x", begins.back() + kPiece);
    if (next == std::string_view::npos) break;
    begins.push_back(next + 1);
  }
  if (begins.size() == 1) return std::nullopt;
  begins.push_back(text.size());
  std::vector<std::optional<AdaptiveDump>> pieces(begins.size() - 1);
  parallel_ranges(pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      Diagnostics told;
      pieces[p] = AdaptiveReader(text.substr(begins[p], begins[p + 1] - begins[p]),
                                 static_cast<std::uint32_t>(begins[p]), source, told)
                      .read();
      if (!told.all().empty()) pieces[p].reset();
    }
  });
  AdaptiveDump whole;
  for (std::optional<AdaptiveDump>& piece : pieces) {
    if (!piece) return std::nullopt;
    std::ranges::move(piece->tables, std::back_inserter(whole.tables));
  }
  return whole;
}

/// Fields of a row of a db_csv without quoted text.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    fields.push_back(trim(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return fields;
}

std::optional<std::uint64_t> value_of(std::string_view field) {
  LineCursor at(field, SourceId::none(), 0);
  const int base = at.accept("0x") ? 16 : 10;
  const auto value = at.number(base);
  return value && at.at_end() ? value : std::nullopt;
}

constexpr std::array<std::string_view, 5> kSettingColumns{"nodeguid", "e", "frenabled", "byslen",
                                                          "enablebyslmask"};

/// The name of a column without what files of different versions differ in.
std::string plain_name(std::string_view name) {
  std::string plain = to_lower(trim(name));
  std::erase(plain, '_');
  return plain;
}

/// Reads sections AR_INFO, one after the other.
class SettingsReader {
 public:
  SettingsReader(SourceId source, fabric::Reporter& report, AdaptiveSettings& settings)
      : source_(source), report_(report), settings_(settings) {}

  void read(const fabric::CsvSection& section) {
    if (!section.broken_at.source.is_none())
      report_.add(kTruncatedTables, section.broken_at,
                  "AR_INFO does not end here as it should, with `END_AR_INFO`");
    if (!find_columns(section)) return;
    fabric::for_each_line(section.rows, [&](std::string_view line, std::uint32_t begin) {
      if (trim(line).empty()) return;
      const std::uint32_t at = section.rows_at + begin;
      take_row(line, {source_, at, at + static_cast<std::uint32_t>(line.size())});
    });
  }

 private:
  bool find_columns(const fabric::CsvSection& section) {
    std::vector<std::string> header;
    for (const std::string_view name : fields_of(section.header)) header.push_back(plain_name(name));
    width_ = header.size();
    bool all = true;
    for (std::size_t c = 0; c < kSettingColumns.size(); ++c) {
      const auto found = std::ranges::find(header, kSettingColumns[c]);
      place_[c] = static_cast<std::size_t>(found - header.begin());
      const auto count = std::ranges::count(header, kSettingColumns[c]);
      if (count == 1) continue;
      all = false;
      report_.add(
          kBadHeading, section.heading,
          fmt::format("AR_INFO has {} `{}`", count == 0 ? "no column" : "two columns", kSettingColumns[c]));
    }
    return all;
  }

  void take_row(std::string_view line, const Span& at) {
    const std::vector<std::string_view> fields = fields_of(line);
    std::array<std::uint64_t, kSettingColumns.size()> values{};
    bool good = fields.size() == width_;
    for (std::size_t c = 0; good && c < kSettingColumns.size(); ++c) {
      const auto value = value_of(fields[place_[c]]);
      good = value.has_value();
      values[c] = value.value_or(0);
    }
    if (!good || values[4] > 0xFFFF)
      report_.add(kBadEntry, at,
                  fmt::format("{} are expected, with a GUID and numbers in those that are read",
                              counted(width_, "field")));
    else
      settings_.rows.push_back(
          {Guid(values[0]), at, values[1] != 0, values[2] != 0,
           values[3] != 0 ? static_cast<std::uint16_t>(values[4]) : std::uint16_t{0xFFFF}});
  }

  SourceId source_;
  fabric::Reporter& report_;
  AdaptiveSettings& settings_;
  std::size_t width_ = 0;                                    ///< fields of a row
  std::array<std::size_t, kSettingColumns.size()> place_{};  ///< by kSettingColumns: its field
};

}  // namespace

std::optional<AdaptiveDump> read_adaptive(const SourceSet& sources, SourceId source,
                                          Diagnostics& diagnostics) {
  const std::string_view text = sources.at(source).text();
  if (std::optional<AdaptiveDump> whole = read_in_pieces(text, source)) return whole;
  return AdaptiveReader(text, 0, source, diagnostics).read();
}

std::optional<AdaptiveSettings> read_adaptive_settings(const SourceSet& sources, SourceId source,
                                                       Diagnostics& diagnostics) {
  AdaptiveSettings settings;
  fabric::Reporter report(diagnostics);
  SettingsReader reader(source, report, settings);
  for (const fabric::CsvSection& section : fabric::find_sections(sources.at(source).text(), source).all)
    if (section.name == "AR_INFO") reader.read(section);
  report.finish();
  if (report.failed()) return std::nullopt;
  return settings;
}

}  // namespace rch::dumps
