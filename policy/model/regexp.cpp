#include "policy/model/regexp.h"

#include <array>

#include "base/text.h"
#include "policy/model/regexp_size.h"

namespace rch::policy {

tl::expected<Regexp, std::string> Regexp::create(const std::string& pattern) {
  if (std::string reason = refusal(pattern); !reason.empty()) return tl::unexpected(std::move(reason));
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
