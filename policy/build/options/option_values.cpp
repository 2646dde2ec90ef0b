#include "policy/build/options/option_values.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/common/guid_shape.h"
#include "parsers/common/numbers.h"
#include "policy/build/options/option_lists.h"
#include "policy/lint/rules/options.h"

namespace rch::policy {
namespace {

using parsers::Token;
using Value = std::optional<OptionValue>;

std::uint64_t largest(OptionType type) {
  switch (type) {
    case OptionType::u8:
      return 0xFF;
    case OptionType::u16:
      return 0xFFFF;
    case OptionType::u32:
      return 0xFFFFFFFF;
    default:
      return std::numeric_limits<std::uint64_t>::max();
  }
}

/// `0-7,15` holds the value.
bool allows(std::string_view allowed, std::uint64_t value) {
  while (!allowed.empty()) {
    const std::string_view item = allowed.substr(0, allowed.find(','));
    const std::size_t dash = item.find('-');
    const auto low = parse_integer(item.substr(0, dash));
    const auto high = dash == std::string_view::npos ? low : parse_integer(item.substr(dash + 1));
    if (low && high && *low <= value && value <= *high) return true;
    allowed.remove_prefix(std::min(allowed.size(), item.size() + 1));
  }
  return false;
}

Value read_boolean(const OptionKey& key, const Token& value, Diagnostics& diagnostics) {
  if (value.text == "TRUE") return true;
  if (value.text == "FALSE") return false;
  const std::string lower = to_lower(value.text);
  const bool yes = lower == "true" || lower == "yes" || lower == "on" || lower == "1";
  const bool no = lower == "false" || lower == "no" || lower == "off" || lower == "0";
  if (!yes && !no) {
    diagnostics.add(kBadBoolean, value.span,
                    fmt::format("`{}` is `TRUE` or `FALSE`, saw `{}`", key.name, value.text));
    return std::nullopt;
  }
  const std::string_view meant = yes ? "TRUE" : "FALSE";
  Diagnostic& d =
      diagnostics.add(kBooleanSpelling, value.span,
                      fmt::format("`{}` is read as {}; OpenSM reads it as FALSE", value.text, meant));
  d.hint = fmt::format("write `{}`", meant);
  d.fixes.push_back({value.span, std::string(meant)});
  return yes;
}

/// Figures that people write in place of the code of a number of VLs.
std::string hint_for_vls(std::string_view name) {
  if (!name.starts_with("max_op_vls")) return {};
  return "the values are codes: 1, 2, 3, 4 and 5 stand for 1, 2, 4, 8 and 15 VLs";
}

/// Applies the key's own range. Nothing, reported, when the value cannot be used.
std::optional<std::uint64_t> limit(const OptionKey& key, const Token& value, std::uint64_t number,
                                   Diagnostics& diagnostics) {
  if (key.allowed.empty() || allows(key.allowed, number)) return number;
  const std::string_view used = number == 0 && !key.for_zero.empty() ? key.for_zero : key.fallback;
  Diagnostic& d = diagnostics.add(kOptionOutOfRange, value.span,
                                  fmt::format("`{}` takes {}, saw `{}`", key.name, key.allowed, value.text));
  d.hint = hint_for_vls(key.name);
  if (used.empty()) return std::nullopt;
  d.severity = Severity::warning;
  d.message += fmt::format("; {} is used", used);
  return parse_integer(used);
}

/// Returns a hint for `10s`, or for a number in groups such as `fe80:0000:0000:0000`; empty for other text.
std::string hint_for_number(std::string_view text) {
  if (const std::string meant = parsers::guid_of_groups(text); !meant.empty())
    return fmt::format("write `{}`", meant);
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  constexpr std::string_view kUnits[] = {"us", "ms", "s", "sec", "m", "min", "h"};
  const std::string_view unit = trim(text.substr(digits));
  if (digits == 0 || std::ranges::find(kUnits, unit) == std::end(kUnits)) return {};
  return "write a number without a unit; `docs/options.md` says what it counts";
}

Value read_unsigned(const OptionKey& key, const Token& value, Diagnostics& diagnostics) {
  const std::string what = fmt::format("a number for `{}`", key.name);
  const std::size_t before = diagnostics.all().size();
  const auto number = parsers::read_number(value, {what, 0, largest(key.type)}, diagnostics);
  diagnostics.revise(before, [&](Diagnostic& d) {
    if (!number && d.hint.empty()) d.hint = hint_for_number(value.text);
    return true;
  });
  if (!number) return std::nullopt;
  return limit(key, value, number->value, diagnostics);
}

/// NVIDIA's numbers have no published width; a sign is let through where no range is known.
Value read_any_number(const OptionKey& key, const Token& value, Diagnostics& diagnostics) {
  if (value.text.starts_with('-') && key.allowed.empty()) {
    Token digits = value;
    digits.text.erase(0, 1);
    if (!parsers::read_number(digits, {fmt::format("a number for `{}`", key.name)}, diagnostics))
      return std::nullopt;
    return value.text;
  }
  return read_unsigned(key, value, diagnostics);
}

Value read_text(const OptionKey& key, const Token& value, Diagnostics& diagnostics) {
  if (key.allowed.empty()) return value.text;
  const auto words = split_words({std::string(key.allowed), {}});
  if (std::any_of(words.begin(), words.end(), [&](const Token& word) { return word.text == value.text; }))
    return value.text;
  Diagnostic& d = diagnostics.add(kOptionOutOfRange, value.span,
                                  fmt::format("`{}` takes one of {}, saw `{}`; {} is used", key.name,
                                              key.allowed, value.text, key.fallback));
  d.severity = Severity::warning;
  return std::string(key.fallback);
}

Value read_words(const OptionKey&, const Token& value, Diagnostics&) {
  std::vector<std::string> words;
  for (Token& word : split_words(value)) words.push_back(std::move(word.text));
  return words;
}

Value read_high_limit(const OptionKey& key, const Token& value, Diagnostics& diagnostics) {
  if (value.text == "-1") return OptionValue();
  const auto number =
      parsers::read_number(value, {fmt::format("a number for `{}`", key.name), 0, 255}, diagnostics);
  if (!number) return std::nullopt;
  if (number->value == 255)
    diagnostics.add(kUnlimitedHighPriority, value.span,
                    "255 is unlimited: the VLs of low priority may starve");
  return number->value;
}

Value read_form(const OptionKey& key, const Token& value, Diagnostics& diagnostics) {
  auto read = read_list(key, value.text);
  if (read) return std::move(*read);
  const ListProblem& problem = read.error();
  const auto at = static_cast<std::uint32_t>(problem.at);
  const auto length = static_cast<std::uint32_t>(std::max<std::size_t>(problem.length, 1));
  diagnostics
      .add(kBadOptionValue,
           {value.span.source, value.span.begin + at,
            std::min(value.span.end, value.span.begin + at + length)},
           fmt::format("`{}`: {}", key.name, problem.message))
      .hint = problem.hint;
  return std::nullopt;
}

bool is_string(OptionType type) {
  return type == OptionType::text || type == OptionType::path || type == OptionType::words;
}
bool takes_null(OptionType type) {
  return is_string(type) || type == OptionType::vl_weights || type == OptionType::sl2vl ||
         type == OptionType::delays || type == OptionType::subjects || type == OptionType::guids ||
         type == OptionType::fat_tree;
}

/// A key without a value, or with empty quotes; the span is the key's or empty between the quotes. Quotes say
/// that nothing is meant, a lone key may have lost its value.
Value read_nothing(const OptionKey& key, Span span, Diagnostics& diagnostics) {
  if (!takes_null(key.type) || span.begin != span.end) {
    Diagnostic& d = diagnostics.add(kMissingValue, span, fmt::format("`{}` has no value", key.name));
    if (takes_null(key.type))
      d.hint = fmt::format("write its value, or `{} (null)` if none is meant", key.name);
    return std::nullopt;
  }
  Diagnostic& d =
      diagnostics.add(kEmptyOption, span, fmt::format("`{}` is empty and is read as unset", key.name));
  d.hint = fmt::format("write `{} (null)`", key.name);
  d.fixes.push_back({span, "(null)"});
  return OptionValue();
}

Value read_by_type(const OptionKey& key, const Token& value, Diagnostics& diagnostics) {
  switch (key.type) {
    case OptionType::boolean:
      return read_boolean(key, value, diagnostics);
    case OptionType::u8:
    case OptionType::u16:
    case OptionType::u32:
    case OptionType::u64:
      return read_unsigned(key, value, diagnostics);
    case OptionType::number:
      return read_any_number(key, value, diagnostics);
    case OptionType::text:
    case OptionType::path:
      return read_text(key, value, diagnostics);
    case OptionType::words:
      return read_words(key, value, diagnostics);
    case OptionType::high_limit:
      return read_high_limit(key, value, diagnostics);
    default:
      return read_form(key, value, diagnostics);
  }
}

}  // namespace

std::vector<Token> split_words(const Token& list) {
  constexpr std::string_view kSeparators = ", \t";
  std::vector<Token> words;
  for (std::size_t at = list.text.find_first_not_of(kSeparators); at != std::string::npos;) {
    const std::size_t end = std::min(list.text.size(), list.text.find_first_of(kSeparators, at));
    words.push_back({list.text.substr(at, end - at),
                     {list.span.source, list.span.begin + static_cast<std::uint32_t>(at),
                      list.span.begin + static_cast<std::uint32_t>(end)}});
    at = list.text.find_first_not_of(kSeparators, end);
  }
  return words;
}

std::optional<OptionValue> read_option_value(const OptionKey& key, const Token& value,
                                             Diagnostics& diagnostics) {
  if (value.text.empty()) return read_nothing(key, value.span, diagnostics);
  if (takes_null(key.type) && value.text == "(null)") return OptionValue();
  if (key.type == OptionType::path && value.text == "null") {
    Diagnostic& d =
        diagnostics.add(kNullPath, value.span, fmt::format("`null` is read as unset for `{}`", key.name));
    d.hint = "write `(null)`";
    d.fixes.push_back({value.span, "(null)"});
    return OptionValue();
  }
  return read_by_type(key, value, diagnostics);
}

bool is_nvidia_default(const OptionKey& key, const OptionValue& value) {
  Diagnostics ignored;
  return !key.nvidia.empty() && read_option_value(key, {std::string(key.nvidia), {}}, ignored) == value;
}

namespace {

/// Whether a path is the default of OpenSM as Enterprise Linux builds it, with its files in /etc/rdma.
bool is_default_of_enterprise_linux(const OptionKey& key, std::string_view path) {
  constexpr std::string_view kFolder = "/etc/opensm/", kOther = "/etc/rdma/";
  return key.type == OptionType::path && key.initial.starts_with(kFolder) && path.starts_with(kOther) &&
         key.initial.substr(kFolder.size()) == path.substr(kOther.size());
}

}  // namespace

bool is_default(const OptionKey& key, const OptionValue& value) {
  if (const auto* text = std::get_if<std::string>(&value);
      text != nullptr && (says_nothing(key.type, *text) || is_default_of_enterprise_linux(key, *text)))
    return true;
  if (key.initial.empty()) return std::holds_alternative<std::monostate>(value);
  Diagnostics ignored;
  return read_option_value(key, {std::string(key.initial), {}}, ignored) == value;
}

bool names_stream(const OptionKey& key, std::string_view text) {
  return key.name == "log_file" && (text == "-" || text == "stdout" || text == "stderr");
}

}  // namespace rch::policy
