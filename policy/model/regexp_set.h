#pragma once

#include <re2/filtered_re2.h>
#include <re2/set.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/model/regexp.h"

namespace rch::policy {

/// Many expressions searched for in one text after another. Finds what Regexp finds, and tries on each text
/// only the expressions that may match it: RE2 tells the words that a match cannot do without, and one
/// automaton finds the words of all expressions in a text at once.
class RegexpSet {
 public:
  /// Those that do not compile match nothing.
  explicit RegexpSet(std::span<const std::string> expressions);

  /// Indices of the expressions that match, in no order; valid until the next call.
  std::span<const std::size_t> matching(const std::string& text);

  /// True when RE2's POSIX syntax surely gives the expression the meaning that the C library gives it, if it
  /// takes it.
  static bool is_common(std::string_view expression);

 private:
  struct Expression {
    std::size_t index;
    Regexp regexp;
  };

  void try_one(const Expression& expression, const std::string& text);

  re2::FilteredRE2 filter_;
  std::vector<Expression> filtered_;  ///< by their number in filter_
  re2::RE2::Set words_;
  bool has_words_ = false;
  std::vector<Expression> always_;  ///< those to try on each text
  std::vector<int> seen_, candidates_;
  std::vector<std::size_t> found_;
};

}  // namespace rch::policy
