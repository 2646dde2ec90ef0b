#include "policy/build/options/option_lists.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/common/guid_shape.h"

namespace rch::policy {
namespace {

using Problem = std::optional<ListProblem>;
using Read = tl::expected<OptionValue, ListProblem>;

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

std::string seen(std::string_view text) {
  return text.empty() ? std::string("nothing") : fmt::format("`{}`", text);
}

Problem check_number(const Item& item, std::string_view what, std::uint64_t high, std::uint64_t low = 0) {
  const auto value = parse_integer(item.text);
  if (value && *value >= low && *value <= high) return std::nullopt;
  return problem(item, fmt::format("expected {}, {} to {}, saw {}", what, low, high, seen(item.text)));
}

/// `a:b` with both numbers in range.
Problem check_pair(const Item& item, std::string_view form, std::array<std::string_view, 2> what,
                   std::array<std::uint64_t, 2> high) {
  std::vector<Item> parts = split(item.text, ':');
  if (parts.size() != 2) return problem(item, fmt::format("expected `{}`, saw {}", form, seen(item.text)));
  for (std::size_t i = 0; i < 2; ++i) {
    parts[i].at += item.at;
    if (Problem bad = check_number(parts[i], what[i], high[i])) return bad;
  }
  return std::nullopt;
}

/// The value of an item that check_number has passed.
std::uint8_t small(std::string_view text) { return static_cast<std::uint8_t>(*parse_integer(text)); }

Read read_vl_weights(std::string_view text) {
  constexpr std::size_t kMostPairs = 64;
  const std::vector<Item> items = split(text, ',');
  VlWeights weights;
  for (const Item& item : items) {
    if (Problem bad = check_pair(item, "VL:WEIGHT", {"a VL", "a weight"}, {14, 255}))
      return tl::unexpected(*bad);
    const std::size_t colon = item.text.find(':');
    weights.push_back({small(trim(item.text.substr(0, colon))), small(trim(item.text.substr(colon + 1)))});
  }
  if (items.size() <= kMostPairs) return OptionValue(std::move(weights));
  return tl::unexpected(problem(items[kMostPairs],
                                fmt::format("{} pairs; a table holds {}", items.size(), kMostPairs),
                                "OpenSM ignores the pairs past the 64th"));
}

Read read_sl2vl(std::string_view text) {
  const std::vector<Item> items = split(text, ',');
  for (const Item& item : items)
    if (Problem bad = check_number(item, "a VL", 15)) return tl::unexpected(*bad);
  SlToVl map{};
  if (items.size() != map.size())
    return tl::unexpected(problem({0, text},
                                  fmt::format("expected 16 VLs, one for each SL, saw {}", items.size()),
                                  items.size() < map.size() ? "OpenSM sends the SLs without a VL to VL 0"
                                                            : "OpenSM ignores the VLs past the 16th"));
  std::transform(items.begin(), items.end(), map.begin(), [](const Item& item) { return small(item.text); });
  return OptionValue(map);
}

std::string hint_for_guid(std::string_view text) {
  if (const std::string meant = parsers::guid_of_groups(text); !meant.empty())
    return fmt::format("write `{}`", meant);
  return parse_hex(text) ? fmt::format("write `0x{}`", text) : "";
}

Read read_guids(std::string_view text) {
  std::vector<Guid> guids;
  for (const Item& item : split(text, ',')) {
    const auto value = parse_integer(item.text);
    if (!value)
      return tl::unexpected(
          problem(item, fmt::format("expected a GUID, saw {}", seen(item.text)), hint_for_guid(item.text)));
    if (*value != 0) guids.push_back(Guid(*value));
  }
  return OptionValue(std::move(guids));
}

/// A list of `PGFT(…)`: a number for each of `levels` levels.
tl::expected<std::vector<std::uint32_t>, ListProblem> read_levels(const Item& field, std::size_t levels) {
  constexpr std::uint64_t kMostPorts = 254;
  std::vector<std::uint32_t> numbers;
  for (Item number : split(field.text, ',')) {
    number.at += field.at;
    if (Problem bad = check_number(number, "a number", kMostPorts, 1)) return tl::unexpected(*bad);
    numbers.push_back(static_cast<std::uint32_t>(*parse_integer(number.text)));
  }
  if (numbers.size() == levels) return numbers;
  return tl::unexpected(
      problem(field, fmt::format("expected {} numbers, one for each level, saw {}", levels, numbers.size())));
}

/// `PGFT(h;M1,…;W1,…;P1,…)`. Of `QFT(…)` only the frame is published; rch reads the same fields in it.
Read read_fat_tree(std::string_view text) {
  constexpr std::string_view kForm = "PGFT(h;M1,…,Mh;W1,…,Wh;P1,…,Ph)";
  constexpr std::uint64_t kMostLevels = 8;
  const std::size_t open = std::min(text.find('('), text.size());
  const std::string_view name = text.substr(0, open);
  if ((name != "PGFT" && name != "QFT") || !text.ends_with(')') || text.size() < open + 2)
    return tl::unexpected(
        problem({0, text}, fmt::format("expected `{}` or `QFT(…)`, saw `{}`", kForm, text)));
  std::vector<Item> fields = split(text.substr(open + 1, text.size() - open - 2), ';');
  for (Item& field : fields) field.at += open + 1;
  if (fields.size() != 4)
    return tl::unexpected(
        problem({open, text.substr(open)}, fmt::format("expected four fields, saw {}", fields.size())));
  if (Problem bad = check_number(fields[0], "a number of levels", kMostLevels, 1))
    return tl::unexpected(*bad);
  fabric::FatTreeShape structure{.quasi = name == "QFT", .children = {}, .parents = {}, .cables = {}};
  for (const auto& [at, list] : {std::pair{1U, &structure.children}, std::pair{2U, &structure.parents},
                                 std::pair{3U, &structure.cables}}) {
    auto numbers = read_levels(fields[at], *parse_integer(fields[0].text));
    if (!numbers) return tl::unexpected(std::move(numbers.error()));
    *list = std::move(*numbers);
  }
  return OptionValue(std::move(structure));
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

Problem check_per_sl(const OptionKey& key, std::string_view text) {
  const std::uint64_t high = key.name.ends_with("ccti_timer") ? 0xFFFF : 0xFF;
  const std::size_t gap = text.find_first_of(" \t");
  if (gap == std::string_view::npos)
    return problem({0, text}, fmt::format("expected `SL VALUE`, saw `{}`", text));
  const std::size_t second = text.find_first_not_of(" \t", gap);
  if (Problem bad = check_number({0, text.substr(0, gap)}, "an SL", 15)) return bad;
  return check_number({second, text.substr(second)}, "a value", high);
}

Problem check_subjects(std::string_view text) {
  constexpr std::string_view kSubjects[] = {"none", "all", "mc", "prtn", "virt", "routing"};
  const std::vector<Item> items = split(text, ',');
  for (const Item& item : items) {
    if (std::find(std::begin(kSubjects), std::end(kSubjects), item.text) == std::end(kSubjects))
      return problem(item, fmt::format("expected a subject, one of `{}`, saw {}",
                                       fmt::join(kSubjects, "`, `"), seen(item.text)));
    if (items.size() > 1 && (item.text == "none" || item.text == "all"))
      return problem(item, fmt::format("`{}` stands alone", item.text));
  }
  return std::nullopt;
}

Problem check_list(const OptionKey& key, std::string_view text) {
  switch (key.type) {
    case OptionType::mask256:
      return check_mask(text);
    case OptionType::delay:
      return check_delay({0, text});
    case OptionType::delays:
      return check_delays(text);
    case OptionType::per_sl:
      return check_per_sl(key, text);
    case OptionType::subjects:
      return check_subjects(text);
    default:
      return std::nullopt;
  }
}

}  // namespace

Read read_list(const OptionKey& key, std::string_view text) {
  switch (key.type) {
    case OptionType::vl_weights:
      return read_vl_weights(text);
    case OptionType::sl2vl:
      return read_sl2vl(text);
    case OptionType::guids:
      return read_guids(text);
    case OptionType::fat_tree:
      return read_fat_tree(text);
    default:
      break;
  }
  if (Problem bad = check_list(key, text)) return tl::unexpected(std::move(*bad));
  return OptionValue(std::string(text));
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
