#include "parsers/ibdm/rate.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"

namespace rch::parsers::ibdm {
namespace {

constexpr std::array<std::string_view, 4> kWidths{"1x", "4x", "8x", "12x"};
constexpr std::array<std::string_view, 3> kSpeeds{"2.5G", "5G", "10G"};

/// The word of `words` that `word` is, if case does not count; empty if none.
std::string_view find(std::span<const std::string_view> words, std::string_view word) {
  const auto same = [&](std::string_view w) { return to_lower(w) == to_lower(word); };
  const auto found = std::find_if(words.begin(), words.end(), same);
  return found == words.end() ? std::string_view() : *found;
}

void report(const Token& word, const StatedRate& before, const Rule& rule, Diagnostics& diagnostics) {
  const std::string_view expected = before.speed ? "nothing behind the speed"
                                    : before.width
                                        ? "a speed, 2.5G, 5G or 10G"
                                        : "a width, 1x, 4x, 8x or 12x, or a speed, 2.5G, 5G or 10G";
  Diagnostic& d = diagnostics.add(rule, word.span, fmt::format("expected {}, saw `{}`", expected, word.text));
  std::string_view meant = before.speed ? std::string_view() : find(kSpeeds, word.text);
  if (meant.empty() && before.empty()) meant = find(kWidths, word.text);
  if (meant.empty()) return;
  d.hint = fmt::format("write `{}`", meant);
  d.fixes.push_back({word.span, std::string(meant)});
}

}  // namespace

bool is_rate_word(std::string_view word) {
  return find(kWidths, word) == word || find(kSpeeds, word) == word;
}

StatedRate read_rate(std::span<const Token> words, Span arrow, const RateSpelling& spelling,
                     Diagnostics& diagnostics) {
  StatedRate rate{{}, {}, arrow};
  for (const Token& word : words) {
    const std::string_view width = find(kWidths, word.text);
    const bool spelt = width == word.text || spelling.any_case_width;
    if (!width.empty() && spelt && rate.empty()) {
      rate.width = fabric::width_from(width);
    } else if (find(kSpeeds, word.text) == word.text && !rate.speed) {
      rate.speed = fabric::speed_from_subnet_lst(word.text.substr(0, word.text.size() - 1));
    } else {
      report(word, rate, *spelling.rule, diagnostics);
      break;
    }
  }
  return rate;
}

fabric::LinkRate complete(const StatedRate& stated) {
  return {stated.width.value_or(kDefaultRate.width), stated.speed.value_or(kDefaultRate.speed)};
}

std::string to_string(const fabric::LinkRate& rate) {
  return fmt::format("{}-{}G", fabric::to_string(rate.width), fabric::subnet_lst_word(rate.speed));
}

}  // namespace rch::parsers::ibdm
