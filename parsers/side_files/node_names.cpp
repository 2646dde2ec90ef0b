#include <algorithm>

#include <fmt/format.h>

#include "parsers/common/text_rules.h"
#include "parsers/rules.h"
#include "parsers/side_files/grammar.h"
#include "parsers/side_files/lines.h"
#include "parsers/side_files/rules.h"
#include "parsers/side_files/side_files.h"

namespace rch::parsers::side_files {
namespace {

constexpr std::string_view kUsage = "GUID \"text\"";

/// Collects the parts of one line, then makes a name of them.
struct Reader : TextState {
  const SourceSet& sources;
  Diagnostics& diagnostics;
  std::vector<NodeName> names = {};

  std::optional<Token> guid = {}, quote = {}, text = {}, end_quote = {}, rest = {};

  /// Those of `rest` follow the first one.
  void word(const Token& found) {
    if (!guid) guid = found;
  }

  void finish_line() {
    if (guid) read();
    guid = quote = text = end_quote = rest = std::nullopt;
  }

 private:
  void read() {
    const auto number = read_guid(*guid, diagnostics);
    if (!number) return;
    if (!quote) return report_unquoted();
    if (!end_quote) {
      diagnostics.add(kUnclosedName, {quote->span.source, quote->span.begin, text->span.end},
                      "name without its closing quote");
      return;
    }
    if (rest) report_extra(*rest, kUsage, Severity::error, diagnostics);
    names.push_back({{*number, guid->span}, std::move(*text)});
  }

  void report_unquoted() {
    if (!rest) {
      diagnostics.add(kMissingArgument, guid->span, fmt::format("a line holds `{}`, saw no name", kUsage))
          .hint = "put the name between double quotes";
      return;
    }
    // Typographic quotes were reported and stand as blanks in the text.
    const std::string_view gap = sources.text({guid->span.source, guid->span.end, rest->span.begin});
    if (gap.find_first_not_of(" \t") != std::string_view::npos) return;
    Diagnostic& d =
        diagnostics.add(kUnquotedName, rest->span, fmt::format("name without quotes: `{}`", rest->text));
    d.hint = fmt::format("write `\"{}\"`", rest->text);
    if (rest->text.find('"') == std::string::npos)
      d.fixes = {{rest->span, fmt::format("\"{}\"", rest->text)}};
  }
};

// clang-format off
template <class GrammarRule> struct Action : tao::pegtl::nothing<GrammarRule> {};
template <> struct Action<grammar::word>      : Tell<&Reader::word> {};
template <> struct Action<grammar::quote>     : Keep<&Reader::quote> {};
template <> struct Action<grammar::text>      : Keep<&Reader::text> {};
template <> struct Action<grammar::end_quote> : Keep<&Reader::end_quote> {};
template <> struct Action<grammar::rest>      : Keep<&Reader::rest> {};
template <> struct Action<line_grammar::line<grammar::name>> : Call<&Reader::finish_line> {};
// clang-format on

}  // namespace

std::vector<NodeName> parse_node_names(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string text = prepare_lines(sources, source, {255, 255}, diagnostics);
  Reader reader{{text.data(), source}, sources, diagnostics};
  parse_text<line_grammar::file<grammar::name>, Action>(text, reader);
  return std::move(reader.names);
}

}  // namespace rch::parsers::side_files
