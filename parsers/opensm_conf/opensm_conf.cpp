#include "parsers/opensm_conf/opensm_conf.h"

#include <fmt/format.h>

#include "parsers/common/text_rules.h"
#include "parsers/opensm_conf/grammar.h"
#include "parsers/rules.h"

namespace rch::parsers::opensm_conf {
namespace {

constexpr std::size_t kLongestLine = 1023;

/// Collects the parts of one line, then makes an option of them.
struct Reader : TextState {
  Diagnostics& diagnostics;
  Syntax syntax = {};

  Option option = {};
  std::optional<Token> equals = {}, comment = {};

  void key(const Token& word) { option.key = word; }
  void value(const Token& words) { option.value = words; }

  void finish_line() {
    if (!option.key.text.empty()) finish_option();
    option = {};
    equals = comment = std::nullopt;
  }

 private:
  void finish_option() {
    if (equals && option.value) report_equals();
    if (option.value) unquote(*option.value);
    syntax.options.push_back(std::move(option));
  }

  void report_equals() {
    Diagnostic& d = diagnostics.add(
        kEqualsSign, equals->span, fmt::format("`=` between `{}` and its value is dropped", option.key.text));
    d.hint = fmt::format("write `{} {}`", option.key.text, option.value->text);
    d.fixes.push_back({{source, option.key.span.end, option.value->span.begin}, " "});
  }

  static bool is_quote(char c) { return c == '"' || c == '\''; }

  /// Drops one pair of outer quotes; OpenSM keeps a single one, and so does this.
  void unquote(Token& value) {
    const bool opens = is_quote(value.text.front());
    const bool closes = value.text.size() > 1 && is_quote(value.text.back());
    if (!opens && !closes) return;
    if (opens && closes && value.text.front() == value.text.back()) {
      value.text = value.text.substr(1, value.text.size() - 2);
      ++value.span.begin;
      --value.span.end;
    } else if (opens && !closes && comment) {
      diagnostics.add(kHashInQuotes, {source, comment->span.begin, comment->span.begin + 1},
                      "`#` starts a comment inside an open quote");
    } else {
      report_quotes(value, opens, closes);
    }
  }

  void report_quotes(const Token& value, bool opens, bool closes) {
    Diagnostic& d =
        diagnostics.add(kUnclosedQuote, value.span,
                        fmt::format("quote without its {}: `{}`", opens ? "end" : "beginning", value.text));
    d.hint = "drop the quote; a value needs none";
    if (opens) d.fixes.push_back({{source, value.span.begin, value.span.begin + 1}, ""});
    if (closes) d.fixes.push_back({{source, value.span.end - 1, value.span.end}, ""});
  }
};

// clang-format off
template <class GrammarRule> struct Action : tao::pegtl::nothing<GrammarRule> {};
template <> struct Action<grammar::key>          : Tell<&Reader::key> {};
template <> struct Action<grammar::equals>       : Keep<&Reader::equals> {};
template <> struct Action<grammar::value>        : Tell<&Reader::value> {};
template <> struct Action<line_grammar::comment> : Keep<&Reader::comment> {};
template <> struct Action<line_grammar::line<grammar::option>> : Call<&Reader::finish_line> {};
// clang-format on

}  // namespace

Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string text = prepare_text(
      sources, source, {.longest_line = kLongestLine, .hash_anywhere = true, .quotes = true}, diagnostics);
  Reader reader{{text.data(), source}, diagnostics};
  reader.syntax.source = source;
  parse_text<line_grammar::file<grammar::option>, Action>(text, reader);
  return std::move(reader.syntax);
}

}  // namespace rch::parsers::opensm_conf
