#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rch::policy {

/// What the C library makes of an expression. It writes repetitions out (`a+` is `aa*`, `a{3}` is `aaa`, so
/// `a+++` is eight copies of `a`). Then it lists for each part which others follow without a character
/// between them, along every way: `(((a*)?){25})*` has 2^25 of them.
struct RegexpSize {
  std::uint64_t characters = 0;  ///< and brackets, anchors, escapes
  std::uint64_t choices = 0;     ///< alternatives and repetitions
  std::uint64_t anchors = 0;     ///< `^`, `$`, `\<`: what follows is written out again
  std::uint64_t repeated_anchors = 0;
  std::uint64_t depth = 0;       ///< of groups and repetitions inside each other
  std::uint64_t empty_ways = 1;  ///< to match nothing: 0 if it matches a character at least, 2 for an anchor
  std::uint64_t ways = 1;        ///< the product of these of all parts
};

constexpr RegexpSize kLargestRegexp{
    .characters = 20'000, .choices = 4'000, .repeated_anchors = 1, .depth = 50};  // `choices` times `ways`

/// Why the C library must not compile the expression; empty if it may. An expression is refused when it is
/// larger than kLargestRegexp, or refers back to a group: searching for `(a*)(b*)\1\2` takes minutes.
std::string refusal(std::string_view pattern);

}  // namespace rch::policy
