#include "parsers/common/paragraphs.h"

#include <algorithm>

#include "parsers/common/paragraph_grammar.h"
#include "parsers/common/paragraph_reader.h"
#include "parsers/common/text_rules.h"

namespace rch::parsers {
namespace {

namespace grammar = paragraph_grammar;

/// One line as the grammar sees it.
struct Line {
  const char* base;
  SourceId source;
  ParagraphReader& reader;
  Token key, value, plain;

  template <class ActionInput>
  Token token(const ActionInput& in) const {
    const auto begin = static_cast<std::uint32_t>(in.begin() - base);
    return {in.string(), {source, begin, begin + static_cast<std::uint32_t>(in.size())}};
  }
};

template <class GrammarRule>
struct Action : tao::pegtl::nothing<GrammarRule> {};

template <>
struct Action<grammar::identifier> {
  template <class In>
  static void apply(const In& in, Line& line) {
    line.key = line.token(in);
    line.value = {};
  }
};
template <>
struct Action<grammar::colon> {
  /// Until a value follows, its place is behind the colon.
  template <class In>
  static void apply(const In& in, Line& line) {
    line.value.span = {line.source, line.token(in).span.end, line.token(in).span.end};
  }
};
template <>
struct Action<grammar::value> {
  template <class In>
  static void apply(const In& in, Line& line) {
    line.value = line.token(in);
  }
};
template <>
struct Action<grammar::qualifier> {
  static void apply0(Line& line) { line.reader.qualifier(line.key, line.value); }
};
template <>
struct Action<grammar::plain> {
  template <class In>
  static void apply(const In& in, Line& line) {
    line.reader.text(line.token(in));
  }
};

}  // namespace

const Value* Paragraph::find(std::size_t spec) const {
  const auto at = std::find_if(qualifiers.begin(), qualifiers.end(),
                               [&](const Qualifier& q) { return q.spec == spec && !q.broken; });
  return at == qualifiers.end() ? nullptr : &at->value;
}

std::vector<Paragraph> parse_paragraphs(const SourceSet& sources, SourceId source, const ParagraphSpec& spec,
                                        Diagnostics& diagnostics) {
  const std::string text = prepare_text(sources, source, {}, diagnostics);
  ParagraphReader reader(spec, diagnostics);
  Line line{text.data(), source, reader, {}, {}, {}};
  tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy> in(text, "");
  tao::pegtl::parse<grammar::file, Action>(in, line);
  return reader.finish();
}

}  // namespace rch::parsers
