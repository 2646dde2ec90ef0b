#include "policy/model/regexp_set.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/text.h"

namespace rch::policy {
namespace {

/// Characters of a word worth looking for. With three, `sw.*07` would have none.
constexpr int kShortestWord = 2;

/// Descriptions are bytes to both, and a line end in them means nothing special to the C library.
re2::RE2::Options options() {
  re2::RE2::Options options(re2::RE2::POSIX);
  options.set_encoding(re2::RE2::Options::EncodingLatin1);
  options.set_one_line(true);
  options.set_dot_nl(true);
  options.set_log_errors(false);
  options.set_max_mem(std::int64_t{256} << 20);
  return options;
}

bool digit(char c) { return c >= '0' && c <= '9'; }

/// Length of the number that `rest` begins with, 0 if there is none; none that is a number to both if it has
/// a zero in front: then the braces are text to RE2.
std::optional<std::size_t> number_length(std::string_view rest) {
  std::size_t length = 0;
  while (length < rest.size() && digit(rest[length])) ++length;
  return length > 1 && rest[0] == '0' ? std::nullopt : std::optional(length);
}

/// `{2}`, `{2,}`, `{2,3}`: the intervals that are ones to both. `rest` begins with the brace.
bool common_interval(std::string_view rest) {
  const auto least = number_length(rest.substr(1));
  if (!least || *least == 0) return false;
  rest.remove_prefix(1 + *least);
  if (rest.starts_with(',')) {
    const auto most = number_length(rest.substr(1));
    if (!most) return false;
    rest.remove_prefix(1 + *most);
  }
  return rest.starts_with('}');
}

/// Length of a bracket expression without escapes, classes and collating symbols; 0 if it has some or does
/// not end.
std::size_t common_bracket(std::string_view rest) {
  std::size_t at = rest.starts_with("[^") ? 2 : 1;
  for (const std::size_t first = at; at < rest.size(); ++at) {
    if (rest[at] == ']' && at > first) return at + 1;
    if (rest[at] == '\\' || rest[at] == '[') return 0;
  }
  return 0;
}

}  // namespace

// Read differently, or by one of them only: escapes of other than special characters (GNU's `\<`, `\w`; RE2's
// `\d`), a backslash inside brackets, `{,3}`, `{02}`, anchors in the middle, and a repetition behind an
// anchor (`^*` is a literal star to the GNU library).
bool RegexpSet::is_common(std::string_view expression) {
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const std::string_view rest = expression.substr(i);
    const char next = rest.size() > 1 ? rest[1] : '\0';
    switch (rest[0]) {
      case '\\':
        if (next == '\0' || std::string_view(".[]{}()*+?^$|\\").find(next) == std::string_view::npos)
          return false;
        ++i;
        break;
      case '[': {
        const std::size_t length = common_bracket(rest);
        if (length == 0) return false;
        i += length - 1;
        break;
      }
      case '{':
        if (!common_interval(rest)) return false;
        break;
      case '^':
        if (i > 0 && expression[i - 1] != '(' && expression[i - 1] != '|') return false;
        if (next == '*' || next == '+' || next == '?' || next == '{') return false;
        break;
      case '$':
        if (next != '\0' && next != ')' && next != '|') return false;
        break;
      default:
        break;
    }
  }
  return true;
}

RegexpSet::RegexpSet(std::span<const std::string> expressions)
    : filter_(kShortestWord), words_(options(), re2::RE2::UNANCHORED) {
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    auto regexp = Regexp::create(expressions[i]);
    if (!regexp) continue;
    int number = 0;
    const bool known =
        is_common(expressions[i]) && filter_.Add(expressions[i], options(), &number) == re2::RE2::NoError;
    (known ? filtered_ : always_).push_back({i, std::move(*regexp)});
  }
  if (filtered_.empty()) return;
  std::vector<std::string> words;
  filter_.Compile(&words);
  for (const std::string& word : words) words_.Add(re2::RE2::QuoteMeta(word), nullptr);
  has_words_ = !words.empty() && words_.Compile();
  if (has_words_) return;
  std::move(filtered_.begin(), filtered_.end(), std::back_inserter(always_));
  filtered_.clear();
}

std::span<const std::size_t> RegexpSet::matching(const std::string& text) {
  found_.clear();
  for (const Expression& expression : always_) try_one(expression, text);
  if (!has_words_) return found_;
  re2::RE2::Set::ErrorInfo error{};
  seen_.clear();
  words_.Match(to_lower(text), &seen_, &error);  // the words are in lower case
  if (error.kind == re2::RE2::Set::kNoError) {
    filter_.AllPotentials(seen_, &candidates_);
    for (const int number : candidates_) try_one(filtered_[static_cast<std::size_t>(number)], text);
  } else {
    for (const Expression& expression : filtered_) try_one(expression, text);
  }
  return found_;
}

void RegexpSet::try_one(const Expression& expression, const std::string& text) {
  if (expression.regexp.matches(text)) found_.push_back(expression.index);
}

}  // namespace rch::policy
