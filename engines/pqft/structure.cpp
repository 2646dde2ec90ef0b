#include "engines/pqft/structure.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace rch::engines::pqft {
namespace {

constexpr std::uint32_t kMaxLevels = 8;
constexpr std::uint32_t kMaxCount = 254;  ///< ports of a switch

using Numbers = std::vector<std::uint32_t>;

/// The text without blanks.
std::string squeezed(std::string_view text) {
  std::string out;
  std::ranges::copy_if(text, std::back_inserter(out), [](char c) { return c != ' ' && c != '\t'; });
  return out;
}

/// Takes off the part before the next `separator`; the rest if there is none.
std::string_view cut(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return part;
}

/// 1 to `most`; nothing for anything else.
std::optional<std::uint32_t> number(std::string_view text, std::uint32_t most) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 1 || value > most)
    return std::nullopt;
  return value;
}

tl::unexpected<std::string> wrong(std::string message) { return tl::unexpected(std::move(message)); }

tl::expected<Numbers, std::string> list(std::string_view text, char name, std::size_t levels) {
  Numbers numbers;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view word = cut(rest, ',');
    const auto value = number(word, kMaxCount);
    if (!value) return wrong(fmt::format("`{}` in {} is no number from 1 to {}", word, name, kMaxCount));
    numbers.push_back(*value);
  }
  if (numbers.size() != levels || text.ends_with(','))
    return wrong(fmt::format("{} has {} numbers for {} levels", name, numbers.size(), levels));
  return numbers;
}

}  // namespace

tl::expected<Structure, std::string> parse_structure(std::string_view text) {
  const std::string clean = squeezed(text);
  std::string_view rest = clean;
  Structure structure;
  const std::string_view kind = cut(rest, '(');
  if (kind != "PGFT" && kind != "QFT") return wrong(fmt::format("`{}` is neither `PGFT` nor `QFT`", kind));
  structure.quasi = kind == "QFT";
  if (!rest.ends_with(')')) return wrong("the closing parenthesis is missing");
  rest.remove_suffix(1);
  if (const auto parts = std::ranges::count(rest, ';') + 1; parts != 4)
    return wrong(fmt::format("{} parts between semicolons, where levels, M, W and P are expected", parts));
  const std::string_view height = cut(rest, ';');
  const auto levels = number(height, kMaxLevels);
  if (!levels) return wrong(fmt::format("`{}` is no number of levels from 1 to {}", height, kMaxLevels));
  for (const auto& [name, field] : {std::pair{'M', &Structure::children}, std::pair{'W', &Structure::parents},
                                    std::pair{'P', &Structure::cables}}) {
    auto numbers = list(cut(rest, ';'), name, *levels);
    if (!numbers) return wrong(std::move(numbers.error()));
    structure.*field = std::move(*numbers);
  }
  return structure;
}

}  // namespace rch::engines::pqft
