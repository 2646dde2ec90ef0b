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

constexpr std::string_view kNodeNameUsage = "GUID name";
constexpr std::string_view kNameEnds = "\"#";

/// Collects the parts of one line, then makes a name of them as OpenSM and infiniband-diags do: the name is
/// what stands between signs `"` and `#`, or the ends of the line.
struct NodeNamesReader : TextState {
  Diagnostics& diagnostics;
  std::vector<NodeName> names = {};

  std::optional<Token> guid = {}, text = {};

  void finish_line() {
    if (guid) read();
    guid = text = std::nullopt;
  }

 private:
  void read() {
    const auto number = read_guid(*guid, diagnostics);
    if (!number) return;
    const std::string_view all = text ? std::string_view(text->text) : std::string_view();
    const std::size_t begin = all.find_first_not_of(kNameEnds);
    if (begin == std::string_view::npos || all.starts_with('#')) return report_no_name(all);
    const std::size_t end = std::min(all.find_first_of(kNameEnds, begin), all.size());
    report_end(all, begin, end);
    const std::size_t last = all.find_last_not_of(" \t", end - 1);
    const std::size_t size = last == std::string_view::npos || last < begin ? end - begin : last + 1 - begin;
    names.push_back({{*number, guid->span}, part(begin, begin + size)});
  }

  void report_no_name(std::string_view all) {
    Diagnostic& d = diagnostics.add(kMissingArgument, guid->span,
                                    fmt::format("a line holds `{}`, saw no name", kNodeNameUsage));
    d.severity = Severity::warning;
    d.hint = all.starts_with('#') ? "OpenSM takes the comment for the name" : "the line has no effect";
  }

  void report_end(std::string_view all, std::size_t begin, std::size_t end) {
    const bool is_quoted = begin > 0;
    if (is_quoted && end == all.size())
      return void(diagnostics.add(kUnclosedName, part(0, end).span, "name without its closing quote"));
    if (end == all.size() || (!is_quoted && all[end] == '#')) return;
    if (!is_quoted || all[end] == '#') {
      diagnostics
          .add(kNameEndsEarly, part(end, end + 1).span,
               fmt::format("`{}` ends the name: `{}`", all[end], all.substr(begin, end - begin)))
          .hint = "leave `#` and quotes out of the name";
      return;
    }
    const std::size_t more = all.find_first_not_of(" \t", end + 1);
    if (more != std::string_view::npos && all[more] != '#')
      report_extra(part(more, std::min(all.find('#', more), all.size())), kNodeNameUsage, Severity::warning,
                   diagnostics);
  }

  Token part(std::size_t begin, std::size_t end) const {
    const auto at = [&](std::size_t offset) { return text->span.begin + static_cast<std::uint32_t>(offset); };
    return {text->text.substr(begin, end - begin), {text->span.source, at(begin), at(end)}};
  }
};

// clang-format off
template <class GrammarRule> struct NodeNamesAction : tao::pegtl::nothing<GrammarRule> {};
template <> struct NodeNamesAction<grammar::word> : Keep<&NodeNamesReader::guid> {};
template <> struct NodeNamesAction<grammar::text> : Keep<&NodeNamesReader::text> {};
template <> struct NodeNamesAction<line_grammar::line<grammar::name>> : Call<&NodeNamesReader::finish_line> {};
// clang-format on

}  // namespace

std::vector<NodeName> parse_node_names(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string text = prepare_lines(sources, source, {255, 255, true}, diagnostics);
  NodeNamesReader reader{{text.data(), source}, diagnostics};
  parse_text<line_grammar::file<grammar::name>, NodeNamesAction>(text, reader);
  return std::move(reader.names);
}

}  // namespace rch::parsers::side_files
