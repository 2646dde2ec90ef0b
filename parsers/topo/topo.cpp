#include "parsers/topo/topo.h"

#include <fmt/format.h>

#include "parsers/common/text_rules.h"
#include "parsers/topo/grammar.h"
#include "parsers/topo/reader.h"
#include "parsers/topo/rules.h"

namespace rch::parsers::topo {
namespace {

constexpr std::size_t kLongestLine = 1023;  ///< bytes that IBDM takes

/// Puts the pieces of a line together.
struct Lines {
  const char* base;
  SourceId source;
  Diagnostics& diagnostics;
  Reader& reader;
  Line line;
  std::vector<Token> rates;

  template <class In>
  Token token(const In& in) const {
    const auto begin = static_cast<std::uint32_t>(in.begin() - base);
    return {in.string(), {source, begin, begin + static_cast<std::uint32_t>(in.size())}};
  }

  void check_length(Span span) {
    if (span.end - span.begin <= kLongestLine) return;
    diagnostics.add(kLongLine, {source, span.begin + static_cast<std::uint32_t>(kLongestLine), span.end},
                    fmt::format("line of {} bytes; IBDM takes {} and ends the file there",
                                span.end - span.begin, kLongestLine));
  }
};

template <class GrammarRule>
struct Action : tao::pegtl::nothing<GrammarRule> {};
template <>
struct Action<grammar::indent> {
  static void apply0(Lines& lines) { lines.line.indented = true; }
};
template <>
struct Action<grammar::rate> {
  template <class In>
  static void apply(const In& in, Lines& lines) {
    lines.rates.push_back(lines.token(in));
  }
};
template <>
struct Action<grammar::arrow> {
  template <class In>
  static void apply(const In& in, Lines& lines) {
    lines.line.pieces.push_back({lines.token(in), true, std::move(lines.rates)});
    lines.rates.clear();
  }
};
template <>
struct Action<grammar::word> {
  template <class In>
  static void apply(const In& in, Lines& lines) {
    lines.line.pieces.push_back({lines.token(in), false, {}});
  }
};
template <>
struct Action<grammar::blank_ln> {
  static void apply0(Lines& lines) { lines.reader.empty_line(); }
};
template <>
struct Action<grammar::text> {
  static void apply0(Lines& lines) {
    lines.reader.line(lines.line);
    lines.line = {};
  }
};
template <>
struct Action<grammar::line> {
  template <class In>
  static void apply(const In& in, Lines& lines) {
    lines.check_length(lines.token(in).span);
  }
};

}  // namespace

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string text = prepare_text(sources, source, {}, diagnostics);
  Reader reader(text, sources.at(source).text(), source, diagnostics);
  Lines lines{text.data(), source, diagnostics, reader, {}, {}};
  tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy> in(text, "");
  tao::pegtl::parse<grammar::file, Action>(in, lines);
  return reader.finish();
}

}  // namespace rch::parsers::topo
