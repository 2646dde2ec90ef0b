#include "parsers/ibnl/words.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/ibnl/rules.h"
#include "parsers/rules.h"

namespace rch::parsers::ibnl {
namespace {

constexpr std::array<std::string_view, 8> kReserved{"SYSTEM", "TOPSYSTEM", "NODE", "SUBSYSTEM",
                                                    "CFG:",   "SW",        "CA",   "HCA"};
constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kNameCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-[]\\*/_.:%@~";

bool all_digits(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

bool check_name(const Token& word, Diagnostics& diagnostics) {
  const std::string& text = word.text;
  const auto report = [&](Span span, std::string message) {
    diagnostics.add(kBadName, span, std::move(message));
    return false;
  };
  if (std::find(kReserved.begin(), kReserved.end(), text) != kReserved.end())
    return report(word.span, fmt::format("the keyword `{}` cannot be a name", text));
  if (kLetters.find(text.front()) == std::string_view::npos)
    return report(word.span, fmt::format("`{}` does not begin with a letter", text));
  const std::size_t bad = text.find_first_not_of(kNameCharacters);
  if (bad != std::string::npos) {
    const auto at = word.span.begin + static_cast<std::uint32_t>(bad);
    return report({word.span.source, at, at + 1},
                  fmt::format("`{}` holds a character that no name may", text));
  }
  if (text.size() == 1)
    return report(word.span, fmt::format("`{}` has one character only, a name at least two", text));
  return true;
}

std::optional<std::uint8_t> read_count(const Token& word, const NumberKind& kind, Diagnostics& diagnostics) {
  const std::string& text = word.text;
  if (!all_digits(text)) {
    diagnostics.add(kBadNumber, word.span, fmt::format("expected {}, saw `{}`", kind.what, text));
    return std::nullopt;
  }
  if (text.size() > 1 && text.front() == '0') {
    Diagnostic& d = diagnostics.add(
        kBadNumber, word.span, fmt::format("expected {} without leading zero, saw `{}`", kind.what, text));
    const std::string bare = text.substr(std::min(text.find_first_not_of('0'), text.size() - 1));
    d.hint = fmt::format("write `{}`", bare);
    d.fixes.push_back({word.span, bare});
    return std::nullopt;
  }
  const auto value = parse_integer(text);
  if (value && *value >= kind.low && *value <= kind.high) return static_cast<std::uint8_t>(*value);
  diagnostics.add(kNumberOutOfRange, word.span,
                  fmt::format("expected {} from {} to {}, saw `{}`", kind.what, kind.low, kind.high, text));
  return std::nullopt;
}

}  // namespace rch::parsers::ibnl
