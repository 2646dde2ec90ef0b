#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/side_files/lines.h"
#include "parsers/side_files/side_files.h"

namespace rch::parsers::side_files {

/// Lines of one file whose GUID stands in another column: one mistake, however many lines show it.
struct SwappedLines {
  Span first;
  std::string message;  ///< about the first
  std::size_t count = 0;

  void report(std::string_view usage, Diagnostics& diagnostics) const;
};

/// Takes the words of one line one after another. A mistake gives a value of no use and finish() false; when
/// the first word is one, nothing more is said about the line.
class Columns {
 public:
  /// `usage` is what such a line holds: `GUID PORT WEIGHT`.
  Columns(const Words& line, std::string_view usage, SwappedLines& swapped, Diagnostics& diagnostics)
      : line_(line), usage_(usage), swapped_(swapped), diagnostics_(diagnostics) {}

  bool more() const { return next_ < line_.size(); }
  bool good() const { return good_; }
  const Token& first() const { return line_.front(); }
  /// The word taken last.
  const Token& last() const { return line_[next_ - 1]; }
  Diagnostics& diagnostics() { return diagnostics_; }
  /// The next word as it stands; null, reported, if there is none.
  const Token* word();
  PlacedGuid guid();
  /// A GUID or the name of a group; a GUID alone.
  Subject subject();
  Subject guid_subject();
  Number number(const NumberKind& kind);

  /// True if the line may be used. Reports a word that is left over when nothing else was wrong.
  bool finish(Severity left_over = Severity::error);
  /// The line was reported and may not be used.
  void spoil() { good_ = false; }

 private:
  void report_glue(const Token& word, std::string_view what);
  bool is_swapped(const Token& word);

  const Words& line_;
  std::string_view usage_;
  SwappedLines& swapped_;
  Diagnostics& diagnostics_;
  std::size_t next_ = 0;
  bool good_ = true;
  bool silent_ = false;
};

/// One row for each line, which `read` makes of its columns. A line with a mistake gives none.
auto read_table(const SourceSet& sources, SourceId source, const LineLimits& limits, std::string_view usage,
                auto read, Diagnostics& diagnostics, Severity left_over = Severity::error) {
  std::vector<decltype(read(std::declval<Columns&>()))> rows;
  SwappedLines swapped;
  const auto add = [&](const Words& words) {
    Columns line(words, usage, swapped, diagnostics);
    auto row = read(line);
    if (line.finish(left_over)) rows.push_back(std::move(row));
  };
  read_lines(sources, source, limits, add, diagnostics);
  swapped.report(usage, diagnostics);
  return rows;
}

}  // namespace rch::parsers::side_files
