#include "policy/options/option_lists.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"

namespace rch::policy {
namespace {

using Problem = std::optional<ListProblem>;

/// A piece of the value and its offset.
struct Item {
  std::size_t at = 0;
  std::string_view text;
};

std::vector<Item> split(std::string_view text, char separator) {
  std::vector<Item> items;
  for (std::size_t at = 0;;) {
    const std::size_t end = std::min(text.size(), text.find(separator, at));
    std::size_t begin = at;
    while (begin < end && (text[begin] == ' ' || text[begin] == '\t')) ++begin;
    items.push_back({begin, trim(text.substr(begin, end - begin))});
    if (end == text.size()) return items;
    at = end + 1;
  }
}

ListProblem problem(const Item& item, std::string message, std::string hint = {}) {
  return {item.at, item.text.size(), std::move(message), std::move(hint)};
}

Problem check_number(const Item& item, std::string_view what, std::uint64_t high) {
  const auto value = parse_integer(item.text);
  if (value && *value <= high) return std::nullopt;
  return problem(item, fmt::format("expected {}, 0 to {}, saw `{}`", what, high, item.text));
}

/// `a:b` with both numbers in range.
Problem check_pair(const Item& item, std::string_view form, std::array<std::string_view, 2> what,
                   std::array<std::uint64_t, 2> high) {
  std::vector<Item> parts = split(item.text, ':');
  if (parts.size() != 2) return problem(item, fmt::format("expected `{}`, saw `{}`", form, item.text));
  for (std::size_t i = 0; i < 2; ++i) {
    parts[i].at += item.at;
    if (Problem bad = check_number(parts[i], what[i], high[i])) return bad;
  }
  return std::nullopt;
}

Problem check_vl_weights(std::string_view text) {
  constexpr std::size_t kMostPairs = 64;
  const std::vector<Item> items = split(text, ',');
  for (const Item& item : items)
    if (Problem bad = check_pair(item, "VL:WEIGHT", {"a VL", "a weight"}, {14, 255})) return bad;
  if (items.size() <= kMostPairs) return std::nullopt;
  return problem(items[kMostPairs], fmt::format("{} pairs; a table holds {}", items.size(), kMostPairs));
}

Problem check_sl2vl(std::string_view text) {
  const std::vector<Item> items = split(text, ',');
  for (const Item& item : items)
    if (Problem bad = check_number(item, "a VL", 15)) return bad;
  if (items.size() == 16) return std::nullopt;
  return problem({0, text}, fmt::format("expected 16 VLs, one for each SL, saw {}", items.size()),
                 items.size() < 16 ? "OpenSM sends the SLs without a VL to VL 0"
                                   : "OpenSM ignores the VLs past the 16th");
}

Problem check_mask(std::string_view text) {
  constexpr std::size_t kDigits = 64;
  std::string_view digits = text;
  if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
  const bool hex = digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  if (hex && !digits.empty() && digits.size() <= kDigits) return std::nullopt;
  return problem({0, text}, fmt::format("expected up to {} hexadecimal digits, saw `{}`", kDigits, text));
}

Problem check_delay(const Item& item) {
  return check_pair(item, "SHIFT:MULT", {"a shift", "a multiplier"}, {3, 0x3FFF});
}

Problem check_delays(std::string_view text) {
  for (const Item& item : split(text, ','))
    if (Problem bad = check_delay(item)) return bad;
  return std::nullopt;
}

Problem check_per_sl(std::string_view text) {
  const std::size_t gap = text.find_first_of(" \t");
  if (gap == std::string_view::npos)
    return problem({0, text}, fmt::format("expected `SL VALUE`, saw `{}`", text));
  const std::size_t second = text.find_first_not_of(" \t", gap);
  if (Problem bad = check_number({0, text.substr(0, gap)}, "an SL", 15)) return bad;
  return check_number({second, text.substr(second)}, "a value", 0xFFFF);
}

Problem check_subjects(std::string_view text) {
  constexpr std::string_view kSubjects[] = {"none", "all", "mc", "prtn", "virt", "routing"};
  const std::vector<Item> items = split(text, ',');
  for (const Item& item : items) {
    if (std::find(std::begin(kSubjects), std::end(kSubjects), item.text) == std::end(kSubjects))
      return problem(item, fmt::format("expected a subject, one of `{}`, saw `{}`",
                                       fmt::join(kSubjects, "`, `"), item.text));
    if (items.size() > 1 && (item.text == "none" || item.text == "all"))
      return problem(item, fmt::format("`{}` stands alone", item.text));
  }
  return std::nullopt;
}

}  // namespace

Problem check_list(OptionType type, std::string_view text) {
  switch (type) {
    case OptionType::vl_weights:
      return check_vl_weights(text);
    case OptionType::sl2vl:
      return check_sl2vl(text);
    case OptionType::mask256:
      return check_mask(text);
    case OptionType::delay:
      return check_delay({0, text});
    case OptionType::delays:
      return check_delays(text);
    case OptionType::per_sl:
      return check_per_sl(text);
    case OptionType::subjects:
      return check_subjects(text);
    default:
      return std::nullopt;
  }
}

bool says_nothing(OptionType type, std::string_view text) {
  switch (type) {
    case OptionType::mask256:
    case OptionType::delay:
      return text.find_first_not_of("0xX:") == std::string_view::npos;
    case OptionType::per_sl:
      return text.find_first_not_of("0x \t") == std::string_view::npos;
    default:
      return false;
  }
}

}  // namespace rch::policy
