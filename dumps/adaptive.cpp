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
  enum class Part : std::uint8_t { outside, groups_heading, groups, lids_heading, lids };

  void take(LineCursor& at) {
    if (at.rest().starts_with("Switch 0x")) return begin_switch(at);
    if (at.rest().starts_with("Groups Definition")) return begin(Part::groups_heading);
    if (at.rest().starts_with("LFT Definition")) return begin_lids();
    if (at.rest().starts_with("---")) return pass_dashes();
    const bool is_row = at.peek() >= '0' && at.peek() <= '9';
    if (part_ == Part::groups && is_row) return take_group(at);
    if (part_ == Part::lids && is_row) return take_entry(at);
    const bool is_heading = part_ == Part::groups_heading || part_ == Part::lids_heading;
    if (is_heading && !is_row) return;  // names of columns
    if (part_ == Part::groups || part_ == Part::lids) part_ = Part::outside;
    if (at.rest().starts_with("#") || at.rest().starts_with("File version")) return;
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

  void begin(Part part) { part_ = table_ ? part : Part::outside; }
  /// A second one is a private table.
  void begin_lids() {
    begin(Part::lids_heading);
    if (!table_ || table_->ports.empty()) return;
    table_->has_private = true;
    part_ = Part::outside;
  }
  void pass_dashes() {
    if (part_ == Part::groups_heading) part_ = Part::groups;
    if (part_ == Part::lids_heading) part_ = Part::lids;
  }

  /// `Group SubGroup WHBF Ports`, the ports with commas between them, or none.
  void take_group(LineCursor& at) {
    const auto number = next_number(at), sub_group = next_number(at);
    at.skip_blanks();
    at.word();
    at.skip_blanks();
    bool good = number && *number < kMostGroups && sub_group;
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
                  "a group, its sub-group, a word, and ports below 255 are expected");
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
    }
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
  const fabric::CsvSections sections = fabric::find_sections(sources.at(source).text(), source);
  const fabric::CsvSection* const section = sections.find("AR_INFO");
  if (section == nullptr) return settings;
  std::array<std::size_t, kSettingColumns.size()> place{};
  const std::vector<std::string_view> header = fields_of(section->header);
  for (std::size_t c = 0; c < kSettingColumns.size(); ++c) {
    const auto found = std::ranges::find(header, kSettingColumns[c], plain_name);
    place[c] = static_cast<std::size_t>(found - header.begin());
    if (found == header.end())
      report.add(kBadHeading, section->heading,
                 fmt::format("AR_INFO has no column `{}`", kSettingColumns[c]));
  }
  if (!report.failed())
    fabric::for_each_line(section->rows, [&](std::string_view line, std::uint32_t begin) {
      if (trim(line).empty()) return;
      const std::vector<std::string_view> fields = fields_of(line);
      std::array<std::uint64_t, kSettingColumns.size()> values{};
      bool good = true;
      for (std::size_t c = 0; c < kSettingColumns.size(); ++c) {
        const auto value = place[c] < fields.size() ? value_of(fields[place[c]]) : std::nullopt;
        good = good && value;
        values[c] = value.value_or(0);
      }
      const Span at{
          source, section->rows_at + begin,
          section->rows_at + begin + static_cast<std::uint32_t>(std::max<std::size_t>(line.size(), 1))};
      if (!good || values[4] > 0xFFFF)
        report.add(kBadEntry, at, "a GUID and numbers are expected in the columns that are read");
      else
        settings.rows.push_back(
            {Guid(values[0]), at, values[1] != 0, values[2] != 0,
             values[3] != 0 ? static_cast<std::uint16_t>(values[4]) : std::uint16_t{0xFFFF}});
    });
  report.finish();
  if (report.failed()) return std::nullopt;
  return settings;
}

}  // namespace rch::dumps
