#include "policy/groups/regexp.h"

#include <array>

#include "base/text.h"

namespace rch::policy {

tl::expected<Regexp, std::string> Regexp::create(const std::string& pattern) {
  auto raw = std::make_unique<regex_t>();
  const int error = regcomp(raw.get(), pattern.c_str(), REG_EXTENDED | REG_NOSUB);
  if (error != 0) {
    std::array<char, 256> text{};
    regerror(error, raw.get(), text.data(), text.size());
    return tl::unexpected(to_lower(text.data()));
  }
  return Regexp(std::unique_ptr<regex_t, Free>(raw.release()));
}

std::string Regexp::anchored_prefix(const std::string& pattern) {
  if (!pattern.starts_with('^') || pattern.find('|') != std::string::npos) return {};
  std::size_t end = pattern.find_first_of(".[]()*+?{}\\^$", 1);
  if (end == std::string::npos) return pattern.substr(1);
  // A quantifier may make the character before it absent.
  const bool quantified = std::string_view("*?{").find(pattern[end]) != std::string_view::npos;
  if (quantified && end > 1) --end;
  return pattern.substr(1, end - 1);
}

}  // namespace rch::policy
