#include "fabric/db_csv_rows.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "fabric/db_csv_rules.h"

namespace rch::fabric {
namespace {

/// A name as it is compared: `Node GUID`, `NodeGuid` and `Node_GUID` are one.
std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c != ' ' && c != '\t' && c != '_' && c != '"')
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::vector<std::string_view> split_at_commas(std::string_view row) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t comma = row.find(',');
    fields.push_back(row.substr(0, comma));
    if (comma == std::string_view::npos) return fields;
    row.remove_prefix(comma + 1);
  }
}

/// Numbers are no names of columns.
bool is_name(std::string_view field) {
  const std::string_view name = trim(field);
  return name.empty() || name.front() == '"' || std::isalpha(static_cast<unsigned char>(name.front())) != 0;
}

bool is_quoted(std::string_view field) {
  return field.size() >= 2 && field.front() == '"' && field.back() == '"';
}

/// The end of a field that begins with a quote: behind the quote that only blanks part from a comma or from
/// the end of the row.
std::size_t quoted_end(std::string_view row) {
  for (std::size_t at = row.find('"', 1); at != std::string_view::npos; at = row.find('"', at + 1)) {
    const std::size_t after = row.find_first_not_of(" \t", at + 1);
    if (after == std::string_view::npos || row[after] == ',') return at + 1;
  }
  return std::string_view::npos;
}

bool is_no_answer(std::string_view field) {
  if (field.empty() || field == "N/A" || field == "NA" || field == "-1") return true;
  return field.size() > 4 && (field.starts_with("0x") || field.starts_with("0X")) &&
         field.find_first_not_of("fF", 2) == std::string_view::npos;
}

std::optional<std::uint64_t> number_of(std::string_view field) {
  if (field.starts_with("0x") || field.starts_with("0X")) return parse_hex(field.substr(2));
  std::uint64_t value = 0;
  const char* const end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, value);
  return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

constexpr std::string_view kTextColumn = "nodedesc";

}  // namespace

CsvRows::CsvRows(SourceSet& sources, SourceId source, const CsvSection& section, Reporter& report,
                 std::span<const CsvColumn> columns, Secrets secrets)
    : sources_(sources),
      source_(source),
      section_(section),
      report_(report),
      columns_(columns),
      secrets_(secrets),
      rest_(section.rows) {
  place_.fill(kAbsent);
  usable_ = read_header();
}

bool CsvRows::read_header() {
  const std::vector<std::string_view> names = split_at_commas(section_.header);
  // A row, or a part of one, may have taken its place, and may hold a key.
  if (!std::all_of(names.begin(), names.end(), is_name)) return report_no_header();
  is_read_.assign(names.size(), false);
  std::size_t known = 0;
  bool sound = true;
  for (std::size_t field = 0; field < names.size(); ++field) {
    const std::string name = folded(names[field]);
    if (name == kTextColumn) text_field_ = field;
    const auto column = std::find_if(columns_.begin(), columns_.end(), [&](const CsvColumn& c) {
      return folded(c.name) == name || (!c.other.empty() && folded(c.other) == name);
    });
    if (column == columns_.end()) continue;
    ++known;
    std::size_t& place = place_[static_cast<std::size_t>(column - columns_.begin())];
    if (place != kAbsent) {
      Diagnostic& d = report_.add(kDoubledColumn, span_of(trim(names[field])),
                                  fmt::format("a second column `{}`", trim(names[field])));
      d.labels.push_back({span_of(trim(names[place])), "the first one"});
      d.hint = "which of the two holds is not known; write the file again";
      sound = false;
      continue;
    }
    place = field;
    is_read_[field] = true;
  }
  if (known == 0) return report_no_header();
  report_absent();
  for (std::size_t c = 0; c < columns_.size(); ++c) sound = sound && (has(c) || !columns_[c].needed);
  return sound;
}

/// Returns false, as read_header() does then.
bool CsvRows::report_no_header() {
  sources_.hide(span_of(section_.header));
  report_
      .add(kCsvMissingColumn, section_.heading,
           fmt::format("`{}` has no line of column names", section_.name))
      .hint = "behind its heading each section has one; write the file again";
  return false;
}

void CsvRows::report_absent() {
  std::vector<std::string_view> names, losses;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (has(c)) continue;
    if (columns_[c].needed)
      report_
          .add(kCsvMissingColumn, span_of(section_.header),
               fmt::format("`{}` has no column `{}`", section_.name, columns_[c].name))
          .hint = "write the file again, or give the ibnetdiscover file or the list of links of that run";
    if (columns_[c].needed || columns_[c].loss.empty()) continue;
    names.push_back(columns_[c].name);
    if (std::find(losses.begin(), losses.end(), columns_[c].loss) == losses.end())
      losses.push_back(columns_[c].loss);
  }
  if (names.empty()) return;
  report_
      .add(kAbsentColumn, span_of(section_.header),
           fmt::format("`{}` has no column `{}`", section_.name, fmt::join(names, "`, `")))
      .hint = fmt::format("unknown without: {}", fmt::join(losses, ", "));
}

bool CsvRows::next() {
  while (!rest_.empty()) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    row_ = rest_.substr(0, end);
    hidden_ = false;
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (row_.ends_with('\r')) row_.remove_suffix(1);
    if (row_.empty() || row_.front() == '#' || trim(row_).empty()) continue;
    if (split(row_)) {
      if (secrets_ == Secrets::columns) hide_fields();
      return true;
    }
    sources_.hide(span_of(row_));
    report_
        .add(kCsvBadRow, span_of(row_),
             fmt::format("a row with more or fewer fields than the {} of `{}`",
                         counted(is_read_.size(), "column"), section_.name))
        .hint = "the line is damaged (it is not shown: it may hold an M_Key); write the file again";
  }
  return false;
}

bool CsvRows::split(std::string_view row) {
  fields_.clear();
  for (std::string_view rest = row;;) {
    const std::size_t start = std::min(rest.find_first_not_of(" \t"), rest.size());
    std::size_t comma = rest.find(',');
    if (start < rest.size() && rest[start] == '"') {
      const std::size_t quoted = quoted_end(rest.substr(start));
      comma = quoted == std::string_view::npos ? rest.size() : rest.find(',', start + quoted);
    }
    fields_.push_back(rest.substr(0, comma));
    if (comma >= rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  return fields_.size() == is_read_.size() || split_round_text(row);
}

/// Where the text holds quotes and commas of its own, the other fields tell where it ends.
bool CsvRows::split_round_text(std::string_view row) {
  if (text_field_ == kAbsent) return false;
  const std::vector<std::string_view> parts = split_at_commas(row);
  const std::size_t columns = is_read_.size();
  if (parts.size() <= columns) return false;
  const std::string_view first = parts[text_field_], last = parts[text_field_ + parts.size() - columns];
  const auto from = static_cast<std::size_t>(first.data() - row.data());
  const auto to = static_cast<std::size_t>(last.data() - row.data()) + last.size();
  if (!is_quoted(trim(row.substr(from, to - from)))) return false;
  fields_.assign(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(text_field_));
  fields_.push_back(row.substr(from, to - from));
  fields_.insert(fields_.end(), parts.end() - static_cast<std::ptrdiff_t>(columns - text_field_ - 1),
                 parts.end());
  return true;
}

/// Fields side by side are hidden as one, with the commas between them.
void CsvRows::hide_fields() {
  for (std::size_t field = 0; field < fields_.size();) {
    if (is_read_[field]) {
      ++field;
      continue;
    }
    const Span first = span_of(fields_[field]);
    while (field < fields_.size() && !is_read_[field]) ++field;
    sources_.hide({source_, first.begin, span_of(fields_[field - 1]).end});
  }
}

std::string_view CsvRows::text(std::size_t column) const {
  if (!has(column)) return {};
  const std::string_view field = trim(fields_[place_[column]]);
  return is_quoted(field) ? field.substr(1, field.size() - 2) : field;
}

std::optional<std::uint64_t> CsvRows::number(std::size_t column, std::uint64_t max) const {
  if (!has(column)) return std::nullopt;
  const std::string_view field = text(column);
  const auto value = number_of(field);
  if (value && *value <= max && !is_no_answer(field)) return value;
  if (is_no_answer(field))
    report_no_answer(column);
  else
    report_wrong(column, fmt::format("a number up to {}", max));
  return std::nullopt;
}

std::optional<Guid> CsvRows::guid(std::size_t column) const {
  const auto value = number(column, ~std::uint64_t{0});
  return value ? std::optional(Guid(*value)) : std::nullopt;
}

std::optional<std::uint64_t> CsvRows::needed_number(std::size_t column, std::uint64_t max) const {
  const std::string_view field = text(column);
  const auto value = number_of(field);
  if (value && *value <= max && !is_no_answer(field)) return value;
  if (has(column)) report_wrong(column, fmt::format("a number up to {}", max));
  return std::nullopt;
}

std::optional<Guid> CsvRows::needed_guid(std::size_t column) const {
  const auto value = number_of(text(column));
  if (value && *value != 0 && !is_no_answer(text(column))) return Guid(*value);
  if (has(column)) report_wrong(column, "a GUID");
  return std::nullopt;
}

Span CsvRows::span(std::size_t column) const {
  const std::string_view field = trim(fields_[place_[column]]);
  return field.empty() ? span_of(row_) : span_of(field);
}

bool CsvRows::says_nothing(std::size_t column) const { return is_no_answer(text(column)); }

void CsvRows::report_no_answer(std::size_t column) const {
  report_.add(kNoValue, span(column), fmt::format("`{}` is not known here", columns_[column].name)).hint =
      "the device did not answer ibdiagnet; what the field would say is taken as unknown";
}

/// A value of a section with keys may be a key that took the place of another field.
void CsvRows::report_wrong(std::size_t column, std::string_view what) const {
  const bool secret = secrets_ == Secrets::columns;
  const std::string seen = secret ? "something else" : fmt::format("`{}`", elided(std::string(text(column))));
  const Span place = span(column);
  if (secret) sources_.hide(span_of(row_));
  hidden_ = secret;
  report_.add(kCsvBadValue, place, fmt::format("`{}` is {}, saw {}", columns_[column].name, what, seen))
      .hint = "the file is damaged, or the row has its fields in another order; write the file again";
}

Span CsvRows::span_of(std::string_view part) const {
  const std::string_view all = sources_.at(source_).text();
  const auto begin = static_cast<std::uint32_t>(part.data() - all.data());
  return {source_, begin, begin + static_cast<std::uint32_t>(part.size())};
}

}  // namespace rch::fabric
