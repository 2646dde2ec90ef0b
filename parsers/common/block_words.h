#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/common/blocks.h"

namespace rch::parsers {

/// Looks up the words of one dialect of blocks, and finds where values end.
class BlockWords {
 public:
  explicit BlockWords(const BlockDialect& dialect);

  /// A word that begins or ends a block.
  struct Bound {
    const BlockSpec* block;
    bool begins;
  };
  std::optional<Bound> find_bound(std::string_view lower) const;
  /// Like find_bound, for another dialect of Scanner::lines.
  bool is_foreign(std::string_view lower) const;
  /// The bound that a misspelt word resembles; empty if none. Of two that are equally near, the one that may
  /// stand in `block` (null: outside all blocks) wins.
  std::string_view nearest_bound(std::string_view word, const BlockSpec* block) const;

  /// Ignores case; null without a block.
  static const Keyword* find_keyword(const BlockSpec* block, std::string_view word);
  static std::vector<std::string_view> keywords(const BlockSpec& block);
  /// A block that has the keyword; null if none has.
  const BlockSpec* home_of(std::string_view word) const;

  /// Where a value ends: at the end of the line, or where a further definition begins on it. That is an end
  /// keyword or, outside of free text, `KEYWORD:`.
  std::size_t end_of_value(Form form, std::string_view text) const;
  /// Where a statement ends, which may be read from its colon on: behind the word that follows the colon.
  std::size_t end_of_statement(const BlockSpec& block, std::string_view text) const;

 private:
  bool starts_bound(std::string_view text, bool ends_only) const;
  bool is_keyword(std::string_view word) const;

  const BlockDialect& dialect_;
  std::vector<std::string> ends_;
  std::vector<std::string_view> bounds_;
};

/// `end-port-group` of `port-group`.
std::string end_of(std::string_view begin);

/// What may be a keyword before its colon, or before the place where its colon is missing.
inline Token first_key(const Token& content) { return first_word(content, " \t:="); }

/// `key : value`; an absent value stands behind the line.
struct Definition {
  Token key, value;
};
/// Nothing if the line has another form.
std::optional<Definition> split_definition(const Token& content);

}  // namespace rch::parsers
