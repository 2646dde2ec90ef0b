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

constexpr std::string_view kNodeNameUsage = "GUID \"text\"";

/// Collects the parts of one line, then makes a name of them.
struct NodeNamesReader : TextState {
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
    if (rest) report_extra(*rest, kNodeNameUsage, Severity::error, diagnostics);
    names.push_back({{*number, guid->span}, std::move(*text)});
  }

  void report_unquoted() {
    if (!rest) {
      diagnostics
          .add(kMissingArgument, guid->span, fmt::format("a line holds `{}`, saw no name", kNodeNameUsage))
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
template <class GrammarRule> struct NodeNamesAction : tao::pegtl::nothing<GrammarRule> {};
template <> struct NodeNamesAction<grammar::word>      : Tell<&NodeNamesReader::word> {};
template <> struct NodeNamesAction<grammar::quote>     : Keep<&NodeNamesReader::quote> {};
template <> struct NodeNamesAction<grammar::text>      : Keep<&NodeNamesReader::text> {};
template <> struct NodeNamesAction<grammar::end_quote> : Keep<&NodeNamesReader::end_quote> {};
template <> struct NodeNamesAction<grammar::rest>      : Keep<&NodeNamesReader::rest> {};
template <> struct NodeNamesAction<line_grammar::line<grammar::name>> : Call<&NodeNamesReader::finish_line> {};
// clang-format on

}  // namespace

std::vector<NodeName> parse_node_names(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string text = prepare_lines(sources, source, {255, 255, true}, diagnostics);
  NodeNamesReader reader{{text.data(), source}, sources, diagnostics};
  parse_text<line_grammar::file<grammar::name>, NodeNamesAction>(text, reader);
  return std::move(reader.names);
}

}  // namespace rch::parsers::side_files
