#include "parsers/ibnl/ibnl.h"

#include "parsers/common/text_rules.h"
#include "parsers/ibnl/grammar.h"
#include "parsers/ibnl/reader.h"

namespace rch::parsers::ibnl {
namespace {

/// Puts the pieces of a line together.
struct Lines {
  const char* base;
  SourceId source;
  Reader& reader;
  Line line;

  template <class In>
  Token token(const In& in) const {
    const auto begin = static_cast<std::uint32_t>(in.begin() - base);
    return {in.string(), {source, begin, begin + static_cast<std::uint32_t>(in.size())}};
  }
  void finish_line() {
    reader.line(line);
    line = {};
  }
};

template <class GrammarRule>
struct Action : tao::pegtl::nothing<GrammarRule> {};
template <>
struct Action<grammar::word> {
  template <class In>
  static void apply(const In& in, Lines& lines) {
    lines.line.pieces.push_back({lines.token(in), 0});
  }
};
template <>
struct Action<grammar::number> : Action<grammar::word> {};
template <>
struct Action<grammar::mark> {
  template <class In>
  static void apply(const In& in, Lines& lines) {
    lines.line.pieces.push_back({lines.token(in), *in.begin()});
  }
};
template <>
struct Action<grammar::rate> {
  template <class In>
  static void apply(const In& in, Lines& lines) {
    lines.line.rates.push_back(lines.token(in));
  }
};
template <>
struct Action<grammar::arrow> {
  template <class In>
  static void apply(const In& in, Lines& lines) {
    lines.line.arrow = lines.token(in).span;
  }
};
template <>
struct Action<grammar::comment> {
  template <class In>
  static void apply(const In& in, Lines& lines) {
    lines.reader.comment(lines.token(in).span);
  }
};
template <>
struct Action<grammar::line> {
  static void apply0(Lines& lines) { lines.finish_line(); }
};

}  // namespace

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string text = prepare_text(sources, source, {}, diagnostics);
  Reader reader(source, diagnostics);
  Lines lines{text.data(), source, reader, {}};
  tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy> in(text, "");
  tao::pegtl::parse<grammar::file, Action>(in, lines);
  return reader.finish();
}

}  // namespace rch::parsers::ibnl
