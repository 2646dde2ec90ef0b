#include "mutator.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <random>
#include <set>

#include "base/text.h"

namespace rch::test {
namespace {

using Lines = std::vector<std::string>;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

Lines split(const std::string& text) {
  Lines lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

/// The word of a line that holds the place or ends at it.
std::string word_at(const std::string& line, std::size_t at) {
  std::size_t begin = std::min(at, line.size()), end = begin;
  while (begin > 0 && is_word(line[begin - 1])) --begin;
  while (end < line.size() && is_word(line[end])) ++end;
  return line.substr(begin, end - begin);
}

/// The value of a number with `0x`, without it, or in decimal.
bool is_number(const std::string& word) {
  constexpr std::size_t kDigitsOfAPrefix = 15;
  return parse_integer(word) || (word.size() >= kDigitsOfAPrefix && parse_hex(word));
}

/// Digits of a number of 64 bits in hexadecimal; 0 for other numbers.
std::size_t digits(const std::string& word) {
  constexpr std::size_t kAll = 16;
  const std::size_t count = word.size() - (word.starts_with("0x") || word.starts_with("0X") ? 2 : 0);
  return count + 1 >= kAll ? count : 0;
}

/// Another number where a number stood, or none. A GUID that lost or gained a digit is a slip.
bool number_for_number(const std::string& before, const std::string& after) {
  if (!is_number(before)) return false;
  return after.empty() || (is_number(after) && digits(before) == digits(after));
}

/// Words of one form: `L1/P2` and `L2/P1`; a number and `*`.
bool same_form(const std::string& a, const std::string& b) {
  const auto form = [](const std::string& word) {
    if (is_number(word) || word == "*") return std::string("*");
    std::string shape;
    for (const char c : word) shape += std::isdigit(static_cast<unsigned char>(c)) != 0 ? '0' : c;
    return shape;
  };
  return form(a) == form(b);
}

/// Behind one of these words a line holds what is for people, or what a fabric alone can tell.
bool is_free_text(const std::string& line, std::size_t at) {
  const std::string_view head = std::string_view(line).substr(0, std::min(at, line.size()));
  for (const std::string_view word : {"use:", "use :", "port-regexp:", "hostname=", "\""}) {
    const std::size_t begin = head.rfind(word);
    if (begin != std::string_view::npos &&
        head.substr(begin + word.size()).find('"') == std::string_view::npos)
      return true;
  }
  return false;
}

class Mutator {
 public:
  Mutator(const std::string& text, bool names, std::uint64_t seed)
      : lines_(split(text)), names_(names), random_(seed) {
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (const auto first = lines_[i].find_first_not_of(" \t");
          first != std::string::npos && lines_[i][first] != '#')
        told_.push_back(i);
  }

  bool empty() const { return told_.empty(); }

  std::optional<Mutant> next() {
    using Kind = std::optional<Mutant> (Mutator::*)();
    constexpr Kind kKinds[] = {&Mutator::drop_letter, &Mutator::double_letter, &Mutator::swap_letters,
                               &Mutator::change_case, &Mutator::change_digit,  &Mutator::change_letter,
                               &Mutator::drop_sign,   &Mutator::double_sign,   &Mutator::other_key,
                               &Mutator::drop_line,   &Mutator::double_line,   &Mutator::join_lines};
    line_ = told_[draw(told_.size())];
    return (this->*kKinds[draw(std::size(kKinds))])();
  }

 private:
  std::size_t draw(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }

  /// A place of the line whose character fits, before a comment; nothing if there is none.
  template <class Fits>
  std::optional<std::size_t> place(Fits fits) {
    const std::string& line = lines_[line_];
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < std::min(line.find('#'), line.size()); ++i)
      if (fits(line[i])) places.push_back(i);
    return places.empty() ? std::nullopt : std::optional(places[draw(places.size())]);
  }

  Mutant replaced(std::string_view kind, std::string line, std::size_t at) {
    const std::string before = lines_[line_];
    Lines lines = lines_;
    lines[line_] = line;
    const bool choice = number_for_number(word_at(before, at), word_at(line, at)) ||
                        is_free_text(before, at) || is_own_name(word_at(before, at), word_at(line, at));
    return {joined(lines), kind, before, std::move(line), choice};
  }

  /// A name that stands nowhere else, before and after.
  bool is_own_name(const std::string& before, const std::string& after) const {
    if (!names_) return false;
    const auto stands = [&](const std::string& word) {
      std::size_t count = 0;
      for (const std::string& line : lines_)
        for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1))
          count += word_at(line, at) == word ? 1 : 0;
      return count;
    };
    return !before.empty() && !after.empty() && stands(before) == 1 && stands(after) == 0;
  }

  template <class Fits, class Change>
  std::optional<Mutant> edit(std::string_view kind, Fits fits, Change change) {
    const auto at = place(fits);
    if (!at) return std::nullopt;
    std::string line = lines_[line_];
    change(line, *at);
    return replaced(kind, std::move(line), *at);
  }

  static bool is_letter(char c) { return is_word(c); }
  static bool is_sign(char c) { return !is_word(c) && c != '"'; }

  std::optional<Mutant> drop_letter() {
    return edit("a letter dropped", is_letter, [](std::string& s, std::size_t at) { s.erase(at, 1); });
  }
  std::optional<Mutant> double_letter() {
    return edit("a letter doubled", is_letter,
                [](std::string& s, std::size_t at) { s.insert(at, 1, s[at]); });
  }
  std::optional<Mutant> swap_letters() {
    return edit("two letters swapped", is_letter, [](std::string& s, std::size_t at) {
      if (at + 1 < s.size()) std::swap(s[at], s[at + 1]);
    });
  }
  std::optional<Mutant> change_case() {
    return edit(
        "case changed", [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; },
        [](std::string& s, std::size_t at) { s[at] = static_cast<char>(s[at] ^ 0x20); });
  }
  std::optional<Mutant> change_digit() {
    return edit(
        "a digit changed", [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; },
        [&](std::string& s, std::size_t at) { s[at] = static_cast<char>('0' + draw(10)); });
  }
  std::optional<Mutant> change_letter() {
    return edit(
        "a letter changed", [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; },
        [&](std::string& s, std::size_t at) { s[at] = static_cast<char>('a' + draw(26)); });
  }
  std::optional<Mutant> drop_sign() {
    return edit("a separator dropped", is_sign, [](std::string& s, std::size_t at) { s.erase(at, 1); });
  }
  std::optional<Mutant> double_sign() {
    return edit("a separator doubled", is_sign,
                [](std::string& s, std::size_t at) { s.insert(at, 1, s[at]); });
  }

  /// The first word of another line in place of that of this one.
  std::optional<Mutant> other_key() {
    const auto key = [](const std::string& line) {
      const std::size_t begin = line.find_first_not_of(" \t");
      std::size_t end = begin;
      while (end < line.size() && line.find_first_of(" \t:=,;", end) != end) ++end;
      return std::pair(begin, end);
    };
    const std::string& other = lines_[told_[draw(told_.size())]];
    std::string line = lines_[line_];
    const auto [begin, end] = key(line);
    const auto [from, to] = key(other);
    const std::string before = line.substr(begin, end - begin), after = other.substr(from, to - from);
    line.replace(begin, end - begin, after);
    Mutant mutant = replaced("a word of another key", std::move(line), begin);
    mutant.is_choice = mutant.is_choice || same_form(before, after);
    return mutant;
  }

  std::optional<Mutant> drop_line() {
    Lines lines = lines_;
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(line_));
    return Mutant{joined(lines), "a line dropped", lines_[line_], {}, true};
  }
  std::optional<Mutant> double_line() {
    Lines lines = lines_;
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(line_), lines_[line_]);
    return Mutant{joined(lines), "a line doubled", lines_[line_], lines_[line_]};
  }
  std::optional<Mutant> join_lines() {
    if (line_ + 1 >= lines_.size()) return std::nullopt;
    Lines lines = lines_;
    lines[line_] += " " + lines[line_ + 1];
    const std::string after = lines[line_];
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(line_) + 1);
    const bool in_comment = lines_[line_].find('#') != std::string::npos;
    return Mutant{joined(lines), "a line end dropped", lines_[line_], after,
                  in_comment || is_free_text(after, lines_[line_].size())};
  }

  Lines lines_;
  bool names_;
  std::vector<std::size_t> told_;  ///< lines that are no comments
  std::mt19937_64 random_;
  std::size_t line_ = 0;
};

}  // namespace

std::vector<Mutant> mutants(const std::string& text, bool names, std::size_t count, std::uint64_t seed) {
  constexpr std::size_t kTriesForOne = 50;
  Mutator mutator(text, names, seed);
  std::vector<Mutant> made;
  std::set<std::string> seen{text};
  for (std::size_t tries = 0; !mutator.empty() && made.size() < count && tries < count * kTriesForOne;
       ++tries)
    if (auto mutant = mutator.next(); mutant && seen.insert(mutant->text).second)
      made.push_back(std::move(*mutant));
  return made;
}

}  // namespace rch::test
