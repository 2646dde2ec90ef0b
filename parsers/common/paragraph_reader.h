#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsers/common/paragraphs.h"

namespace rch::parsers {

/// Puts lines together to paragraphs: the state behind parse_paragraphs.
class ParagraphReader {
 public:
  ParagraphReader(const ParagraphSpec& spec, Diagnostics& diagnostics);

  /// A line `key : value`; an absent value is an empty token.
  void qualifier(const Token& key, const Token& value);
  /// Any other line with text.
  void text(const Token& line);
  std::vector<Paragraph> finish();

 private:
  enum class Where { outside, inside, foreign };

  /// `behind_colon`: where the colon that follows the word ends; nothing if none does.
  bool keyword(const Token& word, std::optional<std::uint32_t> behind_colon);
  bool misspelt_keyword(const Token& word);
  void begin(const Token& word);
  void end(const Token& word);
  void foreign(const Token& word);
  void close();
  void stray(const Token& line);
  void add(std::size_t spec, const Token& key, const Token& value, bool guessed);
  void continuation(const Token& line);
  std::optional<std::size_t> find_qualifier(std::string_view word) const;
  void unknown_qualifier(const Token& key, const Token& value);
  void check_counts();
  void check_value(Qualifier& qualifier);
  void check_case(const Token& word);

  const ParagraphSpec& spec_;
  Diagnostics& diagnostics_;
  std::vector<std::string_view> words_;  ///< of all qualifiers
  Where where_ = Where::outside;
  bool stray_reported_ = false;  ///< a run of stray lines is one mistake
  bool value_open_ = false;      ///< a continuation line would belong to the last qualifier
  bool value_ignored_ = false;   ///< … which was reported as unknown
  bool excused_ = false;         ///< a reported line of the open paragraph may be the qualifier it lacks
  Paragraph open_;
  std::vector<Paragraph> done_;
};

}  // namespace rch::parsers
