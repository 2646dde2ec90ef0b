#include "parsers/ibnl/ibnl.h"

#include "parsers/common/text_rules.h"
#include "parsers/ibnl/grammar.h"
#include "parsers/ibnl/reader.h"

namespace rch::parsers::ibnl {
namespace {

/// Puts the pieces of a line together.
struct Lines : TextState {
  Reader& reader;
  Line line = {};

  void word(const Token& text) { line.pieces.push_back({text, 0}); }
  void mark(const Token& text) { line.pieces.push_back({text, text.text.front()}); }
  void rate(const Token& text) { line.rates.push_back(text); }
  void arrow(const Token& text) { line.arrow = text.span; }
  void comment(const Token& text) { reader.comment(text.span); }
  void finish_line() {
    reader.line(line);
    line = {};
  }
};

// clang-format off
template <class GrammarRule> struct Action : tao::pegtl::nothing<GrammarRule> {};
template <> struct Action<grammar::word>         : Tell<&Lines::word> {};
template <> struct Action<grammar::number>       : Tell<&Lines::word> {};
template <> struct Action<grammar::mark>         : Tell<&Lines::mark> {};
template <> struct Action<grammar::rate>         : Tell<&Lines::rate> {};
template <> struct Action<grammar::arrow>        : Tell<&Lines::arrow> {};
template <> struct Action<line_grammar::comment> : Tell<&Lines::comment> {};
template <> struct Action<line_grammar::line<grammar::content>> : Call<&Lines::finish_line> {};
// clang-format on

}  // namespace

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string text = prepare_text(sources, source, {}, diagnostics);
  Reader reader(source, diagnostics);
  Lines lines{{text.data(), source}, reader};
  parse_text<line_grammar::file<grammar::content>, Action>(text, lines);
  return reader.finish();
}

}  // namespace rch::parsers::ibnl
