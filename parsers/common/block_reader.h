#pragma once

#include <string_view>
#include <vector>

#include "parsers/common/block_words.h"

namespace rch::parsers {

/// `keyword: value`, or a statement, as written.
struct RawEntry {
  const Keyword* keyword;
  Token word;
  Value value;
  bool reported = false;  ///< something about it was reported; an empty value is no mistake of its own
};

struct RawBlock {
  const BlockSpec* spec;
  Token keyword;
  std::vector<RawEntry> entries;  ///< one each where the keyword may stand once
  bool excused = false;           ///< a line of it was reported, which may be what it lacks
};

/// Puts the lines of a file together to blocks.
///
/// The state is the stack of open blocks and the value that a further line may continue. A line is taken
/// piece by piece; each piece is, in this order: the begin or end of a block, a continuation, a misspelt
/// begin or end, a statement or `keyword: value` of the open block, or stray text. A mistake is repaired by a
/// guess, so that no other follows from it: a block outside its parent opens it, a missing end closes what is
/// open, a misspelt word is read as its neighbour.
class BlockReader {
 public:
  BlockReader(const BlockDialect& dialect, Diagnostics& diagnostics)
      : dialect_(dialect), words_(dialect), diagnostics_(diagnostics) {}
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;

  /// One line without its comment, not empty.
  void line(const Token& content);
  /// All blocks, in the order of their ends.
  std::vector<RawBlock> finish();

 private:
  struct Open {
    RawBlock block;
    bool implied = false;       ///< opened for a block that stood outside
    bool guessed = false;       ///< its keyword is misspelt; without content it was none
    bool end_reported = false;  ///< a reported line may have been meant as its end
    std::size_t children = 0;
  };

  bool by_lines() const { return dialect_.scanner == Scanner::lines; }
  const BlockSpec* current() const { return open_.empty() ? nullptr : open_.back().block.spec; }
  bool in_statements() const { return current() != nullptr && current()->starts_statement != nullptr; }
  bool is_open(std::string_view begin) const;
  RawEntry& last_entry() { return open_.back().block.entries.back(); }

  // Each takes what it understands of a line and returns the rest, which is read as a line of its own.
  Token piece(const Token& content);
  std::optional<Token> bound_line(const Token& content);
  Token definition_line(const Token& content);
  Token statement_line(const Token& content);
  Token join(const Token& content);
  Token take(const Token& text);

  // What a line is.
  bool continues(const Token& content) const;
  bool begins_definition(const Token& content) const;
  bool is_assignment(const Token& content) const;
  Token lone_word(const Token& content) const;
  std::string bound_meant(const Token& content) const;

  // Begin and end of blocks.
  void misspelt_bound(const Token& word, const std::string& meant);
  void bound(const BlockWords::Bound& bound, const Token& word);
  void begin(const BlockSpec& spec, const Token& word);
  void end(const BlockSpec& spec, const Token& word);
  void foreign(const Token& word, bool ends);
  void push(const BlockSpec& spec, const Token& word, bool implied);
  void close();
  void close_unended(const Token* next = nullptr);
  void report_unended(const Token* next);
  void check_required(const RawBlock& block);

  // Content of blocks.
  void add(const Keyword& keyword, const Token& word, bool reported);
  bool repeated(const Keyword& keyword, const Token& word, bool reported);
  void unknown_keyword(const Token& word);
  void drop_value();
  void stray(const Token& content);
  void no_definition(const Token& content);
  void report_missing_colon(const Token& key, const Token& value);
  void report_rest(const Token& rest);
  void report_wrap(const Token& content);
  void check_case(const Token& word, std::string_view right);

  const BlockDialect& dialect_;
  const BlockWords words_;
  Diagnostics& diagnostics_;
  std::vector<Open> open_;
  std::vector<RawBlock> done_;
  bool foreign_ = false;         ///< inside a block of another dialect
  Value* value_ = nullptr;       ///< that a further line may continue; null: none
  Form form_ = Form::text;       ///< of that value
  Value dropped_;                ///< takes what belongs to a value that is not kept
  bool rest_reported_ = false;   ///< several definitions on one line are one mistake
  bool wrap_reported_ = false;   ///< a value over several lines is one mistake
  bool stray_reported_ = false;  ///< a run of stray lines is one mistake
};

}  // namespace rch::parsers
