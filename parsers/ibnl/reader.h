#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "parsers/ibnl/ibnl.h"

namespace rch::parsers::ibnl {

/// A word, or one of the marks `,` `=` `>`.
struct Piece {
  Token token;
  char mark = 0;  ///< 0: a word
};

/// One line as the grammar sees it. With an arrow the first piece stands before it and all others behind.
struct Line {
  std::vector<Piece> pieces;
  std::vector<Token> rates;
  std::optional<Span> arrow;
};

/// Puts lines together to systems: the state behind parse().
class Reader {
 public:
  Reader(SourceId source, Diagnostics& diagnostics) : diagnostics_(diagnostics) { syntax_.source = source; }

  void line(Line& line);
  void comment(Span span) { comments_.push_back(span); }
  Syntax finish();

 private:
  using Words = std::vector<Token>;
  struct Heading;
  static const Heading kHeadings[];

  void phrase(Line& line);
  void system(const Line& line, const Heading& heading);
  void topsystem(const Line& line, const Heading& heading);
  void node(const Line& line, const Heading& heading);
  void subsystem(const Line& line, const Heading& heading);
  void cfg(const Line& line, const Heading& heading);
  void attribute(const Line& line);
  void connection(const Line& line);
  bool split_glued_arrow(Line& line);
  void unknown_line(const Line& line);

  Words words(const Line& line, const Heading& heading);
  bool read_own_port(const Token& word, Connection& into);
  bool read_peer(const Words& right, Connection& into);
  bool is_board_type(std::string_view word) const;
  void begin_system(bool top, const Line& line);
  const Heading* find_heading(std::string_view keyword) const;
  void begin_instance(Instance instance);
  void stray(const Token& at, std::string_view what, std::string_view where);
  Instance* instance();

  Diagnostics& diagnostics_;
  Syntax syntax_;
  Span top_;  ///< of the TOPSYSTEM, once there is one
  std::vector<Span> comments_;
  bool in_instance_ = false;
  std::string_view stray_;  ///< kind of the lines that belong to nothing; one of a run is told
};

}  // namespace rch::parsers::ibnl
