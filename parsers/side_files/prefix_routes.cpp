#include <fmt/format.h>

#include "base/text.h"
#include "parsers/rules.h"
#include "parsers/side_files/columns.h"
#include "parsers/side_files/rules.h"

namespace rch::parsers::side_files {
namespace {

constexpr LineLimits kRouteLineLimits{1023, 1023};
constexpr std::size_t kPrefixDigits = 16;  ///< of 64 bits

/// 64 bits in hexadecimal, with or without `0x`; nothing for `*`.
std::optional<Number> read_half(Columns& line, std::string_view what) {
  const Token* word = line.word();
  if (word == nullptr || word->text == "*") return std::nullopt;
  const bool prefixed = word->text.starts_with("0x") || word->text.starts_with("0X");
  const auto value = parse_hex(std::string_view(word->text).substr(prefixed ? 2 : 0));
  if (!value) {
    line.diagnostics()
        .add(kBadNumber, word->span, fmt::format("expected {}, saw `{}`", what, word->text))
        .hint = "write up to 16 hexadecimal digits, or `*` for any";
    line.spoil();
    return std::nullopt;
  }
  const std::size_t digits = word->text.size() - (prefixed ? 2 : 0);
  if (digits == kPrefixDigits - 1 || digits == kPrefixDigits + 1)
    line.diagnostics().add(kGuidLength, word->span,
                           fmt::format("{} has {} digits, not {}", what, digits, kPrefixDigits));
  if (*value != 0) return Number{*value, word->span};
  Diagnostic& d =
      line.diagnostics().add(kZeroWildcard, word->span, fmt::format("`{}` is read as `*`", word->text));
  d.hint = "write `*` for any";
  d.fixes.push_back({word->span, "*"});
  return std::nullopt;
}

}  // namespace

std::vector<PrefixRoute> parse_prefix_routes(const SourceSet& sources, SourceId source,
                                             Diagnostics& diagnostics) {
  const auto read = [](Columns& line) {
    const auto prefix = read_half(line, "a prefix");
    const auto router = read_half(line, "the GUID of a router");
    const Span first = line.first().span;
    return PrefixRoute{prefix, router, {first.source, first.begin, line.last().span.end}};
  };
  // OpenSM says that it ignores the words behind, so the line is used.
  return read_table(sources, source, kRouteLineLimits, "PREFIX GUID", read, diagnostics, Severity::warning);
}

}  // namespace rch::parsers::side_files
