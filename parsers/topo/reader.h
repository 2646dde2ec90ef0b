#pragma once

#include <string_view>
#include <vector>

#include "parsers/topo/topo.h"

namespace rch::parsers::topo {

/// A word, or an arrow with the words between its dashes.
struct Piece {
  Token token;
  bool arrow = false;
  std::vector<Token> rates;
};

/// A line with text that is no comment.
struct Line {
  bool indented = false;
  std::vector<Piece> pieces;
};

/// Puts lines together to sections: the state behind parse().
class Reader {
 public:
  /// `text` is the source as the grammar sees it, byte for byte in place.
  Reader(std::string_view text, std::string_view original, SourceId source, Diagnostics& diagnostics);

  void line(Line& line);
  void empty_line() { open_ = false; }
  Syntax finish() { return std::move(syntax_); }

 private:
  void strip_comment(Line& line);
  void cable(const Line& line, std::size_t arrow);
  void check_blanks(const Line& line, std::size_t arrow);
  void system(const Line& line);
  void read_cfg(Section& section, const Token& mark, std::uint32_t end);
  void read_modifier(Section& section, std::uint32_t begin, std::uint32_t end, bool last,
                     Diagnostics& diagnostics);
  bool check_system_name(const Token& word);
  void unknown_line(const Line& line);
  Section& section_of_cable(const Token& at);
  void begin(Section section);
  Span span(std::uint32_t begin, std::uint32_t end) const { return {syntax_.source, begin, end}; }
  Token token(std::uint32_t begin, std::uint32_t end) const {
    return {std::string(text_.substr(begin, end - begin)), span(begin, end)};
  }

  std::string_view text_;
  std::string_view original_;
  Diagnostics& diagnostics_;
  Syntax syntax_;
  bool open_ = false;  ///< no empty line since the last system line
};

}  // namespace rch::parsers::topo
