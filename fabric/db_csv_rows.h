#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fabric/db_csv_sections.h"
#include "fabric/fabric.h"
#include "fabric/reporter.h"

namespace rch::fabric {

/// A column of a section.
struct CsvColumn {
  std::string_view name;
  /// The name in other files of the same form.
  std::string_view other = {};
  bool needed = false;  ///< without it no row says anything
  /// What is unknown without the column; empty: nothing that anyone misses.
  std::string_view loss = {};
};

/// Rows of one section, by the names of its columns without regard to case, blanks and underscores.
///
/// ibdiagnet adds and moves columns from version to version. Text stands in double quotes, within which
/// nothing is escaped; some producers leave the quotes out.
class CsvRows {
 public:
  enum class Secrets {
    none,     ///< a row that does not fit the header may still be of another section, and is hidden
    columns,  ///< columns that are not read may hold keys, and are hidden
  };

  /// Reports what is wrong with the header. `columns`: those that are read, by the index that fields are
  /// asked for. It, the section and all else must outlive the rows.
  CsvRows(SourceSet& sources, SourceId source, const CsvSection& section, Reporter& report,
          std::span<const CsvColumn> columns, Secrets secrets = Secrets::none);

  /// False if a needed column is missing, or there is no header: no row can be read.
  bool usable() const { return usable_; }
  /// False too for the rest of a row of which a field was wrong and hidden.
  bool has(std::size_t column) const { return !hidden_ && place_[column] != kAbsent; }

  /// Steps to the next row that fits the header; reports those that do not. False behind the last one.
  bool next();
  Span span() const { return span_of(row_); }

  /// The field without the blanks and the quotes round it; empty if there is no such column.
  std::string_view text(std::size_t column) const;
  /// A number, `0x` and hexadecimal or decimal. Nothing if there is no such column, or if the device did not
  /// answer (`N/A`, `-1`, all ones), or if the field is wrong: the last two are reported.
  std::optional<std::uint64_t> number(std::size_t column, std::uint64_t max) const;
  std::optional<Guid> guid(std::size_t column) const;
  /// The same of a field that has to be there: no answer is an error.
  std::optional<std::uint64_t> needed_number(std::size_t column, std::uint64_t max) const;
  std::optional<Guid> needed_guid(std::size_t column) const;
  Span span(std::size_t column) const;

  /// What devices that do not answer leave in a field.
  bool says_nothing(std::size_t column) const;
  void report_no_answer(std::size_t column) const;

 private:
  static constexpr std::size_t kAbsent = ~std::size_t{0};
  static constexpr std::size_t kColumns = 16;

  bool read_header();
  bool report_no_header();
  void report_absent();
  bool split(std::string_view row);
  bool split_round_text(std::string_view row);
  void hide_fields();
  void report_wrong(std::size_t column, std::string_view what) const;
  Span span_of(std::string_view part) const;

  SourceSet& sources_;
  SourceId source_;
  const CsvSection& section_;
  Reporter& report_;
  std::span<const CsvColumn> columns_;
  Secrets secrets_;
  bool usable_ = false;
  std::array<std::size_t, kColumns> place_{};  ///< by column that is read: field of a row
  std::vector<bool> is_read_;                  ///< by field
  std::size_t text_field_ = kAbsent;           ///< that may hold anything: NodeDesc
  std::string_view rest_;
  std::string_view row_;
  mutable bool hidden_ = false;  ///< the row at hand
  std::vector<std::string_view> fields_;
};

}  // namespace rch::fabric
