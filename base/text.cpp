#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

namespace rch {
namespace {

char fold(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c == '_' || c == ' ' ? '-' : c;
}

/// Damerau-Levenshtein distance (optimal string alignment) of two folded words.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = fold(a[i - 1]) == fold(b[j - 1]);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1]))
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

std::optional<std::uint64_t> parse_digits(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  const std::size_t limit = word.size() <= 4 ? 1 : 2;
  std::string_view best;
  std::size_t best_distance = limit + 1;
  for (std::string_view candidate : candidates) {
    const std::size_t gap =
        candidate.size() > word.size() ? candidate.size() - word.size() : word.size() - candidate.size();
    if (gap >= best_distance) continue;
    const std::size_t d = distance(word, candidate);
    if (d < best_distance) {
      best = candidate;
      best_distance = d;
    }
  }
  return best;
}

std::string_view only_one_with(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kShortest = 5;  // `log`, `qos` are parts of everything
  if (word.size() < kShortest) return {};
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    const std::size_t at = candidate.find(word), end = at + word.size();
    if (at == std::string_view::npos || (at > 0 && candidate[at - 1] != '_') ||
        (end < candidate.size() && candidate[end] != '_'))
      continue;
    if (!found.empty()) return {};
    found = candidate;
  }
  return found;
}

std::optional<std::uint64_t> parse_integer(std::string_view text) {
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    return parse_digits(text.substr(2), 16);
  if (text.size() > 1 && text[0] == '0') return parse_digits(text.substr(1), 8);
  return parse_digits(text, 10);
}

std::optional<std::uint64_t> parse_hex(std::string_view text) { return parse_digits(text, 16); }

std::string printable(std::string_view text) {
  std::string shown(text);
  for (char& c : shown)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') || c == 0x7f) c = '?';
  return shown;
}

std::string elided(std::string text) {
  constexpr std::size_t kLongest = 4000, kHead = 1000, kTail = 200;
  if (text.size() <= kLongest) return text;
  const auto inside = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U; };
  std::size_t head = kHead, tail = text.size() - kTail;
  while (head > 0 && inside(head)) --head;  // no UTF-8 sequence is cut
  while (tail > head && inside(tail)) --tail;
  return text.replace(head, tail - head, "…");
}

std::string counted(std::size_t count, std::string_view noun) {
  if (count == 1) return fmt::format("1 {}", noun);
  const bool is_ies = noun.size() > 1 && noun.ends_with('y') &&
                      std::string_view("aeiou").find(noun[noun.size() - 2]) == std::string_view::npos;
  if (is_ies) return fmt::format("{} {}ies", count, noun.substr(0, noun.size() - 1));
  return fmt::format("{} {}{}", count, noun, noun.ends_with("ch") ? "es" : "s");
}

std::string_view trim(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string to_lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

}  // namespace rch
