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
struct Reader {
  Places token;
  const SourceSet& sources;
  Diagnostics& diagnostics;
  std::vector<NodeName> names;

  std::optional<Token> guid, quote, text, end_quote, rest;

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

template <class GrammarRule>
struct Action : tao::pegtl::nothing<GrammarRule> {};

template <std::optional<Token> Reader::*part>
struct Keep {
  template <class In>
  static void apply(const In& in, Reader& reader) {
    reader.*part = reader.token(in);
  }
};
/// The first word; those of `rest` follow it.
template <>
struct Action<grammar::word> {
  template <class In>
  static void apply(const In& in, Reader& reader) {
    if (!reader.guid) reader.guid = reader.token(in);
  }
};
template <>
struct Action<grammar::quote> : Keep<&Reader::quote> {};
template <>
struct Action<grammar::text> : Keep<&Reader::text> {};
template <>
struct Action<grammar::end_quote> : Keep<&Reader::end_quote> {};
template <>
struct Action<grammar::rest> : Keep<&Reader::rest> {};
template <>
struct Action<grammar::line<grammar::name>> {
  static void apply0(Reader& reader) { reader.finish_line(); }
};

}  // namespace

std::vector<NodeName> parse_node_names(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string text = prepare_lines(sources, source, {255, 255}, diagnostics);
  Reader reader{{text.data(), source}, sources, diagnostics, {}, {}, {}, {}, {}, {}};
  tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy> in(text, "");
  tao::pegtl::parse<grammar::file<grammar::name>, Action>(in, reader);
  return std::move(reader.names);
}

}  // namespace rch::parsers::side_files
