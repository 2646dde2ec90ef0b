#include "schedulers/host_list.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include <fmt/format.h>

#include "base/text.h"

namespace rch::schedulers {
namespace {

constexpr std::size_t kMostNames = 1'000'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// `host007` as `host`, and 7 in 3 digits. Longer numbers than 18 digits stay part of the name.
struct Numbered {
  std::string_view name;
  std::size_t digits = 0;
  std::uint64_t number = 0;

  explicit Numbered(std::string_view whole) : name(whole) {
    while (digits < name.size() && digits < 18 && is_digit(name[name.size() - 1 - digits])) ++digits;
    for (const char c : name.substr(name.size() - digits))
      number = number * 10 + static_cast<std::uint64_t>(c - '0');
    name.remove_suffix(digits);
  }
};

std::string range(std::uint64_t first, std::uint64_t last, std::size_t digits) {
  std::string text = fmt::format("{:0{}}", first, digits);
  if (last != first) text += fmt::format("-{:0{}}", last, digits);
  return text;
}

/// Ranges of ascending numbers, written in so many digits.
std::string ranges(const std::vector<std::uint64_t>& numbers, std::size_t digits) {
  std::string text;
  for (std::size_t begin = 0; begin < numbers.size();) {
    std::size_t end = begin + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ",") + range(numbers[begin], numbers[end - 1], digits);
    begin = end;
  }
  return text;
}

tl::unexpected<Error> wrong(std::string_view list, std::string_view why) {
  return fail(ErrorKind::usage, fmt::format("`{}` is no list of hosts: {}", printable(list), why));
}

/// What stands between brackets, `001-003,7`, as words.
Result<std::vector<std::string>> numbers_of(std::string_view inside, std::string_view list) {
  std::vector<std::string> words;
  while (!inside.empty()) {
    const std::size_t comma = std::min(inside.find(','), inside.size());
    const std::string_view word = inside.substr(0, comma);
    const std::size_t dash = std::min(word.find('-'), word.size());
    const Numbered first(word.substr(0, dash)), last(dash == word.size() ? word : word.substr(dash + 1));
    if (first.digits == 0 || !first.name.empty() || last.digits == 0 || !last.name.empty() ||
        last.number < first.number)
      return wrong(list, fmt::format("`{}` is no range", printable(word)));
    if (last.number - first.number >= kMostNames) return wrong(list, "it has too many hosts");
    for (std::uint64_t number = first.number; number <= last.number; ++number)
      words.push_back(fmt::format("{:0{}}", number, first.digits));
    inside.remove_prefix(std::min(comma + 1, inside.size()));
  }
  return words;
}

/// One element of a list, with its brackets.
Result<std::vector<std::string>> names_of(std::string_view element, std::string_view list) {
  std::vector<std::string> names{""};
  while (!element.empty()) {
    const std::size_t open = std::min(element.find('['), element.size());
    for (std::string& name : names) name += element.substr(0, open);
    if (open == element.size()) break;
    const std::size_t close = element.find(']', open);
    if (close == std::string_view::npos) return wrong(list, "a bracket is not closed");
    const auto numbers = numbers_of(element.substr(open + 1, close - open - 1), list);
    if (!numbers) return numbers;
    if (names.size() * numbers->size() > kMostNames) return wrong(list, "it has too many hosts");
    std::vector<std::string> longer;
    for (const std::string& name : names)
      for (const std::string& number : *numbers) longer.push_back(name + number);
    names = std::move(longer);
    element.remove_prefix(close + 1);
  }
  return names;
}

/// Where the first element of the list ends: at a comma outside of brackets.
std::size_t end_of_element(std::string_view list) {
  int depth = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    depth += list[i] == '[' ? 1 : list[i] == ']' ? -1 : 0;
    if (list[i] == ',' && depth <= 0) return i;
  }
  return list.size();
}

}  // namespace

std::string folded(std::vector<std::string> names) {
  std::map<std::string_view, std::map<std::size_t, std::vector<std::uint64_t>>> by_name;
  for (const std::string& name : names) {
    const Numbered numbered(name);
    by_name[numbered.name][numbered.digits].push_back(numbered.number);
  }
  std::string list;
  for (auto& [name, by_digits] : by_name) {
    std::string inside;
    for (auto& [digits, numbers] : by_digits) {
      std::ranges::sort(numbers);
      numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
      if (digits == 0)
        list += (list.empty() ? "" : ",") + std::string(name);
      else
        inside += (inside.empty() ? "" : ",") + ranges(numbers, digits);
    }
    if (inside.empty()) continue;
    const bool is_one = inside.find_first_of(",-") == std::string::npos;
    list += fmt::format("{}{}{}", list.empty() ? "" : ",", name, is_one ? inside : "[" + inside + "]");
  }
  return list;
}

Result<std::vector<std::string>> unfolded(std::string_view list) {
  std::vector<std::string> names;
  for (std::string_view rest = list; !rest.empty();) {
    const std::size_t end = end_of_element(rest);
    auto more = names_of(trim(rest.substr(0, end)), list);
    if (!more) return more;
    for (std::string& name : *more)
      if (!name.empty()) names.push_back(std::move(name));
    if (names.size() > kMostNames) return wrong(list, "it has too many hosts");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return names;
}

}  // namespace rch::schedulers
