#include "parsers/common/numbers.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/common/guid_shape.h"
#include "parsers/rules.h"

namespace rch::parsers {
namespace {

constexpr std::size_t kGuidDigits = 16;
constexpr std::size_t kLongestGuid = 19;  ///< characters NVIDIA SM takes (docs/keywords.md)

bool reads_octal(std::string_view text) {
  return text.size() > 1 && text[0] == '0' && text[1] != 'x' && text[1] != 'X';
}

/// All digits of a base-0 number, so that a failure to parse can only be overflow.
bool looks_numeric(std::string_view text) {
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    return text.substr(2).find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  const bool octal = text.size() > 1 && text[0] == '0';
  return !text.empty() && text.find_first_not_of(octal ? "01234567" : "0123456789") == std::string_view::npos;
}

void report_out_of_range(const Token& token, const NumberKind& kind, Diagnostics& diagnostics) {
  const bool bounded = kind.high != std::numeric_limits<std::uint64_t>::max();
  const std::string range =
      bounded ? fmt::format("from {} to {}", kind.low, kind.high) : std::string("of 64 bits");
  diagnostics.add(kNumberOutOfRange, token.span,
                  fmt::format("expected {} {}, saw `{}`", kind.what, range, token.text));
}

/// `0x` and one digit less or more than a GUID has.
void check_guid_length(const Token& token, Diagnostics& diagnostics) {
  const std::size_t digits = token.text.size() - std::min<std::size_t>(token.text.size(), 2);
  if (!token.text.starts_with("0x") || (digits != kGuidDigits - 1 && digits != kGuidDigits + 1)) return;
  diagnostics.add(kGuidLength, token.span, fmt::format("a GUID of {} digits", digits)).hint =
      digits < kGuidDigits ? "if none is missing, fill it with zeros behind `0x`" : "one digit is too many";
}

}  // namespace

std::optional<Number> read_number(const Token& token, const NumberKind& kind, Diagnostics& diagnostics) {
  const auto value = parse_integer(token.text);
  const bool negative =
      token.text.size() > 1 && token.text[0] == '-' && looks_numeric(std::string_view(token.text).substr(1));
  if (!value && !looks_numeric(token.text) && !negative) {
    diagnostics.add(kBadNumber, token.span, fmt::format("expected {}, saw `{}`", kind.what, token.text));
    return std::nullopt;
  }
  if (!value || *value < kind.low || *value > kind.high) {
    report_out_of_range(token, kind, diagnostics);
    return std::nullopt;
  }
  if (reads_octal(token.text))
    diagnostics.add(kOctalNumber, token.span, fmt::format("`{}` is read as octal: {}", token.text, *value))
        .hint = "drop the leading zero";
  return Number{*value, token.span};
}

std::optional<Guid> read_guid(const Token& token, Diagnostics& diagnostics) {
  const std::string_view text = token.text;
  const auto value = parse_integer(text);
  if (!value) {
    const bool hex = parse_hex(text).has_value();
    if (const std::string meant = guid_of_groups(text); !meant.empty()) {
      Diagnostic& d = diagnostics.add(
          kBadGuid, token.span, fmt::format("`{}` is a GUID in groups, which is not read as one", text));
      d.hint = fmt::format("write `{}`", meant);
      d.fixes.push_back({token.span, meant});
    } else if (hex) {
      Diagnostic& d = diagnostics.add(kGuidWithoutPrefix, token.span,
                                      fmt::format("`{}` is hexadecimal and lacks its prefix", text));
      d.hint = fmt::format("write `0x{}`", text);
      d.fixes.push_back({{token.span.source, token.span.begin, token.span.begin}, "0x"});
    } else {
      diagnostics.add(kBadGuid, token.span, fmt::format("`{}` is not a GUID", text)).hint =
          "a GUID is `0x` and up to 16 hexadecimal digits";
    }
    return std::nullopt;
  }
  if (*value == 0) {
    diagnostics.add(kBadGuid, token.span, "GUID 0 names nothing");
    return std::nullopt;
  }
  constexpr std::size_t kDigitsOfAGuid = 12;  // leading zeros are often left out: `2902000500010`
  const bool decimal = text.find_first_not_of("0123456789") == std::string_view::npos;
  if (decimal && text.size() >= kDigitsOfAGuid && !reads_octal(text))
    diagnostics.add(kGuidReadAsDecimal, token.span, fmt::format("`{}` is read as a decimal number", text))
        .hint = fmt::format("write `0x{}` if it is hexadecimal", text);
  else if (reads_octal(text))
    diagnostics.add(kOctalNumber, token.span, fmt::format("`{}` is read as octal: {:#x}", text, *value))
        .hint = "add `0x` if it is hexadecimal";
  check_guid_length(token, diagnostics);
  if (text.size() > kLongestGuid)
    diagnostics.add(kValueTooLong, token.span,
                    fmt::format("a GUID of {} characters; NVIDIA SM takes {}", text.size(), kLongestGuid));
  return Guid(*value);
}

}  // namespace rch::parsers
