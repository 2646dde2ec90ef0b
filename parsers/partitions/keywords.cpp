#include "parsers/partitions/keywords.h"

#include <cctype>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/partitions/rules.h"

namespace rch::parsers::partitions {

Found find_word(std::string_view text, std::span<const Word> words) {
  constexpr std::size_t kShortest = 3;
  Found found;
  std::size_t fitting = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].text == text) return {Fit::exact, i};
    if (!words[i].abbreviates || !words[i].text.starts_with(text)) continue;
    if (fitting++ == 0) found.index = i;
  }
  if (fitting > 0) found.fit = fitting == 1 && text.size() >= kShortest ? Fit::abbreviated : Fit::ambiguous;
  return found;
}

std::string_view nearest_word(std::string_view text, std::span<const Word> words) {
  std::vector<std::string_view> known;
  for (const Word& word : words) known.push_back(word.text);
  return nearest(text, known);
}

bool accept(const Found& found, Piece piece, std::span<const Word> words, Text& text) {
  if (found.fit == Fit::exact) return true;
  const std::string_view meant = words[found.index].text;
  if (found.fit == Fit::ambiguous) {
    text.report()
        .add(kAmbiguousKeyword, text.span(piece),
             fmt::format("`{}` is no keyword; OpenSM reads it as `{}`", text.at(piece), meant))
        .hint = "write the keyword in full";
    return false;
  }
  text.report()
      .add(kAbbreviatedKeyword, text.span(piece), fmt::format("`{}` is read as `{}`", text.at(piece), meant))
      .fixes.push_back({text.span(piece), std::string(meant)});
  return true;
}

std::optional<Membership> read_membership(Piece piece, Text& text) {
  const std::string_view word = text.at(piece);
  const Found found = find_word(word, kMembershipWords);
  if (found.fit == Fit::none) {
    Diagnostic& d =
        text.report().add(kUnknownMembership, text.span(piece),
                          fmt::format("`{}` is no membership; OpenSM reads it as `limited`", word));
    if (const std::string_view meant = nearest_word(word, kMembershipWords); !meant.empty())
      d.hint = fmt::format("did you mean `{}`?", meant);
    return Membership::limited;
  }
  if (!accept(found, piece, kMembershipWords, text)) return std::nullopt;
  return kMemberships[found.index];
}

bool resembles_comment(std::string_view word) {
  if (word.empty() || word.front() == '_') return false;
  // A quote may belong to a name, unless a blank follows it.
  const bool is_quote = word.front() == '"' || word.front() == '\'';
  if (is_quote && (word.size() == 1 || std::isspace(static_cast<unsigned char>(word[1])) == 0)) return false;
  return std::ispunct(static_cast<unsigned char>(word.front())) != 0;
}

bool is_number(std::string_view word) { return !word.empty() && word.front() >= '0' && word.front() <= '9'; }

bool names_member(std::string_view word) {
  return is_number(word) || find_word(word, kWhoWords).fit == Fit::exact;
}

}  // namespace rch::parsers::partitions
