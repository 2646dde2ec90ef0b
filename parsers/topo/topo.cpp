#include "parsers/topo/topo.h"

#include <utility>

#include <fmt/format.h>

#include "parsers/common/text_rules.h"
#include "parsers/topo/grammar.h"
#include "parsers/topo/reader.h"
#include "parsers/topo/rules.h"

namespace rch::parsers::topo {
namespace {

constexpr std::size_t kLongestLine = 1023;  ///< bytes that IBDM takes

/// Puts the pieces of a line together.
struct Lines : TextState {
  Diagnostics& diagnostics;
  Reader& reader;
  Line line = {};
  std::vector<Token> rates = {};

  void indent() { line.indented = true; }
  void arrow(const Token& text) { line.pieces.push_back({text, true, std::exchange(rates, {})}); }
  void word(const Token& text) { line.pieces.push_back({text, false, {}}); }
  void empty_line() { reader.empty_line(); }
  void finish_line() {
    reader.line(line);
    line = {};
  }
  void check_length(const Token& whole) {
    const Span span = whole.span;
    if (span.end - span.begin <= kLongestLine) return;
    diagnostics.add(kLongLine, {source, span.begin + static_cast<std::uint32_t>(kLongestLine), span.end},
                    fmt::format("line of {} bytes; IBDM takes {} and ends the file there",
                                span.end - span.begin, kLongestLine));
  }
};

// clang-format off
template <class GrammarRule> struct Action : tao::pegtl::nothing<GrammarRule> {};
template <> struct Action<grammar::indent>   : Call<&Lines::indent> {};
template <> struct Action<grammar::rate>     : Append<&Lines::rates> {};
template <> struct Action<grammar::arrow>    : Tell<&Lines::arrow> {};
template <> struct Action<grammar::word>     : Tell<&Lines::word> {};
template <> struct Action<grammar::blank_ln> : Call<&Lines::empty_line> {};
template <> struct Action<grammar::text>     : Call<&Lines::finish_line> {};
template <> struct Action<grammar::line>     : Tell<&Lines::check_length> {};
// clang-format on

}  // namespace

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string text = prepare_text(sources, source, {}, diagnostics);
  Reader reader(text, sources.at(source).text(), source, diagnostics);
  Lines lines{{text.data(), source}, diagnostics, reader};
  parse_text<grammar::file, Action>(text, lines);
  return reader.finish();
}

}  // namespace rch::parsers::topo
