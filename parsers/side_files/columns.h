#pragma once

#include <optional>
#include <string_view>

#include "parsers/side_files/lines.h"
#include "parsers/side_files/side_files.h"

namespace rch::parsers::side_files {

/// Takes the words of one line one after another. A mistake gives a value of no use and finish() false; when
/// the first word is one, nothing more is said about the line.
class Columns {
 public:
  /// `usage` is what such a line holds: `GUID PORT WEIGHT`.
  Columns(const Words& line, std::string_view usage, Diagnostics& diagnostics)
      : line_(line), usage_(usage), diagnostics_(diagnostics) {}

  bool more() const { return next_ < line_.size(); }
  /// The next word as it stands; null, reported, if there is none.
  const Token* word();
  PlacedGuid guid();
  /// A GUID or the name of a group.
  Subject subject();
  Number number(const NumberKind& kind);

  /// True if the line may be used. Reports a word that is left over when nothing else was wrong.
  bool finish(Severity left_over = Severity::error);
  /// The line was reported and may not be used.
  void spoil() { good_ = false; }

 private:
  const Words& line_;
  std::string_view usage_;
  Diagnostics& diagnostics_;
  std::size_t next_ = 0;
  bool good_ = true;
  bool silent_ = false;
};

}  // namespace rch::parsers::side_files
