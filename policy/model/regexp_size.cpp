#include "policy/model/regexp_size.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace rch::policy {
namespace {

constexpr auto kEnd = std::string_view::npos;
constexpr std::uint64_t kMostCopies = 0x7FFF;  // more do not compile

constexpr RegexpSize kCharacter{.characters = 1, .empty_ways = 0};
constexpr RegexpSize kAnchor{.characters = 1, .anchors = 1, .empty_ways = 2, .ways = 2};

bool beyond_largest(const RegexpSize& size) {
  return size.characters > kLargestRegexp.characters || size.depth > kLargestRegexp.depth ||
         size.repeated_anchors > kLargestRegexp.repeated_anchors ||
         size.choices * size.ways > kLargestRegexp.choices;
}

/// A product that stays small enough to be multiplied again.
std::uint64_t times(std::uint64_t a, std::uint64_t b) { return std::min(a * b, kLargestRegexp.choices + 1); }

/// One behind the other.
RegexpSize operator+(const RegexpSize& a, const RegexpSize& b) {
  RegexpSize both;
  both.characters = a.characters + b.characters;
  both.choices = a.choices + b.choices;
  both.anchors = a.anchors + b.anchors;
  both.repeated_anchors = a.repeated_anchors + b.repeated_anchors;
  both.depth = std::max(a.depth, b.depth);
  both.empty_ways = times(a.empty_ways, b.empty_ways);
  both.ways = times(a.ways, b.ways);
  return both;
}

/// Instead of each other.
RegexpSize operator|(const RegexpSize& a, const RegexpSize& b) {
  RegexpSize either = a + b;
  ++either.choices;
  either.empty_ways = a.empty_ways + b.empty_ways;
  either.ways = std::max({a.ways, b.ways, either.empty_ways});
  return either;
}

/// `+`: `XX*`. `{2}`: `XX`. `{2,}`: `XXX*`. `{2,4}`: `XX(XX?)?`. `{,4}`: `{0,4}`. Stops when it is too large.
RegexpSize repeated(const RegexpSize& item, std::string_view repetition) {
  std::string_view rest = repetition.substr(1);
  const auto number = [&] {
    std::uint64_t value = 0;
    for (; !rest.empty() && rest[0] >= '0' && rest[0] <= '9'; rest.remove_prefix(1))
      value = std::min(value * 10 + static_cast<std::uint64_t>(rest[0] - '0'), kMostCopies);
    return value;
  };
  std::uint64_t least = repetition[0] == '+' ? 1 : 0, more = 1;  // `more`: copies that may be absent
  if (repetition[0] == '{') {
    least = number();
    if (rest.starts_with('}')) more = 0;
    if (rest.starts_with(',') && !rest.starts_with(",}")) {
      rest.remove_prefix(1);
      more = std::max(least, number()) - least;
    }
  }
  RegexpSize out;
  for (; more > 0 && !beyond_largest(out); --more) out = (item + out) | RegexpSize{};
  for (; least > 0 && !beyond_largest(out); --least) out = item + out;
  out.repeated_anchors = out.anchors;
  out.depth = item.depth + 1;
  return out;
}

/// The expression as far as it is read.
class WrittenOut {
 public:
  RegexpSize size() const {
    RegexpSize sum;
    for (std::uint64_t depth = 0; depth < open_.size(); ++depth) {
      RegexpSize group = open_[depth].size();
      group.depth += depth;
      sum = sum + group;
    }
    return sum;
  }
  void add(const RegexpSize& item) {
    open_.back().before = open_.back().before + open_.back().last;
    open_.back().last = item;
  }
  void alternative() {
    Group& group = open_.back();
    group = {group.size(), {}, {}};
  }
  void repeat(std::string_view repetition) { open_.back().last = repeated(open_.back().last, repetition); }
  void open_group() { open_.emplace_back(); }
  void close_group() {
    if (open_.size() == 1) return add(kCharacter);  // a character like any other
    RegexpSize group = open_.back().size();
    ++group.depth;
    ++group.choices;
    open_.pop_back();
    add(group);
  }

 private:
  struct Group {
    std::optional<RegexpSize> alternatives;  ///< those before the one that is read
    RegexpSize before, last;                 ///< `last`: what a repetition would repeat

    RegexpSize size() const { return alternatives ? *alternatives | (before + last) : before + last; }
  };
  std::vector<Group> open_{{}};  ///< groups, the outermost first
};

/// Length of the bracket expression that `rest` begins with; 0 if it does not end.
std::size_t bracket_length(std::string_view rest) {
  std::size_t at = rest.starts_with("[^") ? 2 : 1;
  for (const std::size_t first = at; at < rest.size(); ++at) {
    if (rest[at] == ']' && at > first) return at + 1;
    if (rest[at] != '[' || at + 1 == rest.size()) continue;
    const char kind = rest[at + 1];
    if (kind != ':' && kind != '.' && kind != '=') continue;
    const std::array<char, 2> closing{kind, ']'};
    const std::size_t end = rest.find({closing.data(), closing.size()}, at + 2);
    if (end == kEnd) return 0;
    at = end + 1;
  }
  return 0;
}

/// The C library's own among them.
bool is_anchor(std::string_view token) {
  constexpr std::string_view kEscaped = "<>bB`'";
  return token == "^" || token == "$" || (token[0] == '\\' && kEscaped.find(token[1]) != kEnd);
}

/// `\1`
bool is_back_reference(std::string_view token) {
  return token[0] == '\\' && token[1] >= '1' && token[1] <= '9';
}

/// Length of what `rest` begins with; 0 if it does not end.
std::size_t token_length(std::string_view rest) {
  switch (rest[0]) {
    case '[':
      return bracket_length(rest);
    case '{':
      return rest.find('}') + 1;
    case '\\':
      return rest.size() > 1 ? 2 : 0;
    default:
      return 1;
  }
}

}  // namespace

std::string refusal(std::string_view pattern) {
  WrittenOut written;
  while (!pattern.empty() && !beyond_largest(written.size())) {
    const std::size_t length = token_length(pattern);
    if (length == 0) break;  // it does not compile
    if (is_back_reference(pattern.substr(0, length)))
      return "it refers back to a group, which POSIX extended expressions do not";
    switch (pattern[0]) {
      case '(':
        written.open_group();
        break;
      case ')':
        written.close_group();
        break;
      case '|':
        written.alternative();
        break;
      case '{':
      case '*':
      case '+':
      case '?':
        written.repeat(pattern.substr(0, length));
        break;
      default:
        written.add(is_anchor(pattern.substr(0, length)) ? kAnchor : kCharacter);
    }
    pattern.remove_prefix(length);
  }
  if (!beyond_largest(written.size())) return "";
  return fmt::format("more than {} characters or {} choices with its repetitions written out, or {} levels",
                     kLargestRegexp.characters, kLargestRegexp.choices, kLargestRegexp.depth);
}

}  // namespace rch::policy
