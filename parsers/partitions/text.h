#pragma once

#include <string_view>

#include "parsers/common/bounded.h"
#include "parsers/common/token.h"

namespace rch::parsers::partitions {

/// Part of the text; empty: not given.
struct Piece {
  std::uint32_t begin = 0, end = 0;

  bool given() const { return end > begin; }
};

/// The text being read, and the findings about it.
class Text {
 public:
  Text(std::string_view all, SourceId source, Diagnostics& diagnostics)
      : all_(all), source_(source), report_(diagnostics) {}

  std::string_view all() const { return all_; }
  std::string_view at(Piece piece) const { return all_.substr(piece.begin, piece.end - piece.begin); }
  Span span(Piece piece) const { return {source_, piece.begin, piece.end}; }
  Token token(Piece piece) const { return {std::string(at(piece)), span(piece)}; }
  /// First byte from `from` on that is no blank; the end of the text if there is none.
  std::uint32_t skip_blanks(std::uint32_t from) const {
    const std::size_t found = all_.find_first_not_of(" \t", from);
    return static_cast<std::uint32_t>(found == std::string_view::npos ? all_.size() : found);
  }

  /// To be used at once: passes on what was reported before.
  Diagnostics& report() { return silent_ ? unsaid_ : report_.next(); }
  /// Whether what follows is a consequence of something that was reported.
  void set_silent(bool silent) { silent_ = silent; }
  void finish() { report_.finish(source_); }

 private:
  std::string_view all_;
  SourceId source_;
  Bounded report_;
  Diagnostics unsaid_;
  bool silent_ = false;
};

}  // namespace rch::parsers::partitions
