#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rch::test {

/// A text with one slip of a hand.
struct Mutant {
  std::string text;
  std::string_view kind;      ///< `a letter dropped`
  std::string before, after;  ///< the line, empty where there is none
  /// Somebody could have meant it so, and nothing in the files says otherwise: nobody expects to be told.
  bool is_choice = false;
};

/// `count` mutants of a text that are no repeats of each other nor the text itself, fewer when the text is
/// short; drawn with `seed`.
///
/// A mutant is a choice when
/// - a number is another number, or absent. GUIDs have 16 digits, so one of 15 or 17 is a slip;
/// - a line is absent, or part of the comment above it;
/// - the mutation is in words for people: `use`, a name between quotes;
/// - it is in what only a fabric can tell: an expression, the name of a host;
/// - the first word of a line is one of the same form, `L1/P2` for `L2/P1`;
/// - `names`: it is in a word that stands nowhere else in the text. Partitions, systems and devices have such
///   names of their own, which nothing refers to.
std::vector<Mutant> mutants(const std::string& text, bool names, std::size_t count, std::uint64_t seed);

}  // namespace rch::test
