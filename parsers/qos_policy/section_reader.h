#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "parsers/common/value.h"
#include "parsers/qos_policy/sections.h"

namespace rch::parsers::qos_policy {

/// `key: value` of a paragraph.
struct Entry {
  std::size_t key = 0;  ///< index into SectionSpec::keys
  Token word;
  Value value;
  bool reported = false;  ///< something about it was reported; an empty value is no mistake of its own
};

/// A section that held entries or lines, closed.
struct Section {
  SectionId id = SectionId::none;
  Token keyword;
  std::vector<Entry> entries;  ///< one each where the key may stand once
  std::vector<Value> lines;    ///< of qos-ulps
  bool excused = false;        ///< a line of it was reported, which may be what it lacks
};

/// Puts the lines of a QoS policy file together to sections. Misspelt keywords are read as the ones they
/// resemble; a paragraph outside its section opens it, a missing end closes what is open: no mistake follows
/// from another.
class SectionReader {
 public:
  explicit SectionReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// One line without its comment, not empty.
  void line(const Token& content);
  /// Paragraphs and qos-ulps sections, in file order.
  std::vector<Section> finish();

 private:
  struct Open {
    Section section;
    bool implied = false;       ///< opened for a paragraph that stood outside
    bool guessed = false;       ///< its keyword is misspelt; without content it was none
    bool end_reported = false;  ///< a reported line may have been meant as its end
    std::size_t children = 0;
  };
  /// What a further line may continue.
  enum class Target { nothing, entry, ulp, dropped };

  SectionId current() const { return open_.empty() ? SectionId::none : open_.back().section.id; }
  bool is_open(SectionId id) const;
  Value& value();

  // Each takes what it understands of a line and returns the rest, which is read as a line of its own.
  Token piece(const Token& content);
  std::optional<Token> keyword_line(const Token& content);
  Token entry_line(const Token& content);
  Token ulp_line(const Token& content);
  Token join(const Token& content);
  Token take(const Token& text);

  bool continues(const Token& content);
  bool begins_definition(const Token& content) const;
  void report_wrap(const Token& content);
  void report_rest(const Token& rest);
  std::string_view keyword_meant(const Token& content) const;
  void misspelt_keyword(const Token& content, std::string_view meant);
  void keyword(const SectionSpec& section, bool begins, const Token& word);
  void begin(const SectionSpec& section, const Token& word);
  void end(const SectionSpec& section, const Token& word);
  void push(const SectionSpec& section, const Token& word, bool implied);
  void close();
  void close_unended();
  void check_required(const Section& section);
  void add(std::size_t key, const Token& word, bool reported);
  void unknown_key(const Token& word);
  void drop_value();
  void stray(const Token& content);
  void check_case(const Token& word, std::string_view right);

  Diagnostics& diagnostics_;
  std::vector<Open> open_;
  std::vector<Section> done_;
  Target target_ = Target::nothing;
  Form form_ = Form::text;       ///< of the target
  Value dropped_;                ///< takes what belongs to a value that is not kept
  bool rest_reported_ = false;   ///< several definitions on one line are one mistake
  bool wrap_reported_ = false;   ///< a value over several lines is one mistake
  bool stray_reported_ = false;  ///< a run of stray lines is one mistake
};

}  // namespace rch::parsers::qos_policy
