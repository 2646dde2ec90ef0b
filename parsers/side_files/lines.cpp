#include "parsers/side_files/lines.h"

#include <algorithm>

#include <fmt/format.h>

#include "parsers/common/text_rules.h"
#include "parsers/rules.h"
#include "parsers/side_files/grammar.h"

namespace rch::parsers::side_files {
namespace {

struct LineReader : TextState {
  const std::function<void(const Words&)>& line;
  Words words = {};

  void finish_line() {
    if (!words.empty()) line(words);
    words.clear();
  }
};

template <class GrammarRule>
struct LineAction : tao::pegtl::nothing<GrammarRule> {};
template <>
struct LineAction<grammar::word> : Append<&LineReader::words> {};
template <>
struct LineAction<line_grammar::line<grammar::words>> : Call<&LineReader::finish_line> {};

void report_nvidia_limit(std::string_view text, SourceId source, const LineLimits& limits,
                         Diagnostics& diagnostics) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end - begin > limits.nvidia && end - begin <= limits.opensm)
      diagnostics
          .add(kLongLine,
               {source, static_cast<std::uint32_t>(begin + limits.nvidia), static_cast<std::uint32_t>(end)},
               fmt::format("line of {} bytes; NVIDIA SM reads only the first {} of them as this line",
                           end - begin, limits.nvidia))
          .severity = Severity::note;
    begin = end + 1;
  }
}

}  // namespace

std::string prepare_lines(const SourceSet& sources, SourceId source, const LineLimits& limits,
                          Diagnostics& diagnostics) {
  std::string text = prepare_text(
      sources, source, {.longest_line = limits.opensm, .hash_anywhere = true, .quotes = limits.quotes},
      diagnostics);
  report_nvidia_limit(text, source, limits, diagnostics);
  return text;
}

void read_lines(const SourceSet& sources, SourceId source, const LineLimits& limits,
                const std::function<void(const Words&)>& line, Diagnostics& diagnostics) {
  const std::string text = prepare_lines(sources, source, limits, diagnostics);
  LineReader reader{{text.data(), source}, line};
  parse_text<line_grammar::file<grammar::words>, LineAction>(text, reader);
}

void report_extra(const Token& extra, std::string_view usage, Severity severity, Diagnostics& diagnostics) {
  Diagnostic& d = diagnostics.add(kExtraArgument, extra.span,
                                  fmt::format("`{}` behind the end of a line `{}`", extra.text, usage));
  d.severity = severity;
  d.hint = "put `#` before a comment";
}

}  // namespace rch::parsers::side_files
