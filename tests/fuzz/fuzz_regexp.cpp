// Any bytes may be given as a regular expression, in a line of their own; the rest is searched. What is taken
// compiles at once, and the set finds what the expression finds.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "policy/model/regexp_set.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rch::policy;
  constexpr std::size_t kDescription = 64;
  const std::string input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(input.find('\n'), size);
  const std::string pattern = input.substr(0, std::min(end, input.find('\0')));
  const auto regexp = Regexp::create(pattern);
  if (!regexp) return 0;
  const std::string text = end < size ? input.substr(end + 1, kDescription) : "";
  const bool found = !RegexpSet(std::vector<std::string>{pattern}).matching(text).empty();
  if (found != regexp->matches(text)) std::abort();
  return 0;
}
