#include "policy/model/regexp.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"

namespace rch::policy {
namespace {

/// The C library writes repetitions out: `((a{255}){255}){255}` would take all memory.
constexpr std::uint64_t kLargest = 20'000;

/// Characters of the expression with its repetitions written out; at least, if there are more than kLargest.
std::uint64_t written_out(std::string_view pattern) {
  std::vector<std::uint64_t> open{0};  // sizes of the groups that are open, outermost first
  std::uint64_t last = 0;              // of the item before
  const auto add = [&](std::uint64_t size) { open.back() += last = size; };
  for (std::size_t i = 0; i < pattern.size() && open.back() <= kLargest; ++i) {
    if (pattern[i] == '{') {
      const std::string_view interval = pattern.substr(i + 1, pattern.find('}', i) - i - 1);
      const std::size_t comma = interval.find(',');
      const auto least = parse_integer(interval.substr(0, comma)).value_or(1);
      const auto most =
          comma == std::string_view::npos ? least : parse_integer(interval.substr(comma + 1)).value_or(least);
      open.back() += last * (std::clamp<std::uint64_t>(most, 1, kLargest) - 1);
      last *= std::clamp<std::uint64_t>(most, 1, kLargest);
      i += interval.size() + 1;
    } else if (pattern[i] == '(') {
      open.push_back(0);
    } else if (pattern[i] == ')' && open.size() > 1) {
      const std::uint64_t size = open.back();
      open.pop_back();
      add(size);
    } else {
      i += pattern[i] == '\\' ? 1 : 0;
      add(1);
    }
  }
  return *std::max_element(open.begin(), open.end());
}

}  // namespace

tl::expected<Regexp, std::string> Regexp::create(const std::string& pattern) {
  if (written_out(pattern) > kLargest)
    return tl::unexpected(fmt::format("more than {} characters with its repetitions written out", kLargest));
  auto raw = std::make_unique<regex_t>();
  const int error = regcomp(raw.get(), pattern.c_str(), REG_EXTENDED | REG_NOSUB);
  if (error != 0) {
    std::array<char, 256> text{};
    regerror(error, raw.get(), text.data(), text.size());
    return tl::unexpected(to_lower(text.data()));
  }
  return Regexp(std::unique_ptr<regex_t, Free>(raw.release()));
}

bool looks_like_glob(const std::string& pattern) {
  if (pattern.find_first_of("^$.") != std::string::npos) return false;
  for (std::size_t i = 1; i < pattern.size(); ++i) {
    const bool quantifier = pattern[i] == '*' || pattern[i] == '?';
    const char before = pattern[i - 1];
    if (quantifier && before != ')' && before != ']' && before != '}' && before != '\\') return true;
  }
  return !pattern.empty() && (pattern[0] == '*' || pattern[0] == '?');
}

}  // namespace rch::policy
