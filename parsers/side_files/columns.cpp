#include "parsers/side_files/columns.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/common/guid_shape.h"
#include "parsers/rules.h"

namespace rch::parsers::side_files {
namespace {

constexpr std::string_view kGlue = ",;:=/";
/// A word of so many hexadecimal digits is a GUID that lacks its prefix, not a name such as `cafe`.
constexpr std::size_t kDigitsOfAGuid = 12;

/// `1,2` in place of `1 2`; `0x11,` in place of `0x11`.
bool glued(std::string_view word) {
  const std::size_t at = word.find_first_of(kGlue);
  return at != std::string_view::npos && at > 0 && parse_integer(word.substr(0, at)).has_value();
}

/// Group names hold none of the signs of the group file's lines (config-files 2).
bool is_name(std::string_view word) {
  return std::isdigit(static_cast<unsigned char>(word.front())) == 0 &&
         word.find_first_of(":,;=@") == std::string_view::npos && !resembles_guid(word) &&
         (word.size() < kDigitsOfAGuid || !parse_hex(word));
}

/// The repair takes the words apart; only in a line of one column it is not the only one possible.
void report_glue(const Token& word, std::string_view what, bool certain, Diagnostics& diagnostics) {
  const std::size_t at = word.text.find_first_of(kGlue);
  const auto begin = word.span.begin + static_cast<std::uint32_t>(at);
  Diagnostic& d = diagnostics.add(kBadNumber, {word.span.source, begin, begin + 1},
                                  fmt::format("expected {}, saw `{}`", what, word.text));
  const bool trailing = at + 1 == word.text.size();
  d.hint = trailing  ? fmt::format("drop the `{}`", word.text[at])
           : certain ? fmt::format("put a blank in place of `{}`", word.text[at])
                     : "give each its own line";
  if (!trailing && !certain) return;
  std::string apart = word.text;
  for (char& c : apart)
    if (kGlue.find(c) != std::string_view::npos) c = ' ';
  d.fixes.push_back({word.span, std::string(trim(apart))});
}

}  // namespace

const Token* Columns::word() {
  if (more()) return &line_[next_++];
  if (!silent_)
    diagnostics_
        .add(kMissingArgument, line_.back().span,
             fmt::format("a line holds `{}`, saw {}", usage_, counted(line_.size(), "word")))
        .hint = fmt::format("write `{}`", usage_);
  good_ = false;
  silent_ = true;
  return nullptr;
}

PlacedGuid Columns::guid() {
  const Token* word = this->word();
  if (word == nullptr) return {};
  if (const std::string meant = parsers::guid_of_pairs(word->text); !meant.empty()) {
    Diagnostic& d =
        diagnostics_.add(kBadNumber, word->span, fmt::format("expected a GUID, saw `{}`", word->text));
    d.hint = fmt::format("write `{}`", meant);
    d.fixes.push_back({word->span, meant});
  } else if (glued(word->text)) {
    report_glue(*word, "a GUID", usage_.find(' ') != std::string_view::npos, diagnostics_);
  } else if (const auto guid = read_guid(*word, diagnostics_)) {
    return {*guid, word->span};
  }
  good_ = false;
  silent_ = true;
  return {};
}

Subject Columns::subject() {
  if (more() && is_name(line_[next_].text)) return {line_[next_++], std::nullopt};
  return guid_subject();
}

Subject Columns::guid_subject() {
  const PlacedGuid at = guid();
  return {line_[next_ - 1], at.guid};
}

Number Columns::number(const NumberKind& kind) {
  const Token* word = this->word();
  if (word == nullptr) return {};
  if (silent_) return {};
  if (glued(word->text)) {
    report_glue(*word, kind.what, true, diagnostics_);
    silent_ = true;  // the words that are missing are in this one
  } else if (const auto number = read_number(*word, kind, diagnostics_)) {
    return *number;
  }
  good_ = false;
  return {};
}

bool Columns::finish(Severity left_over) {
  if (!good_ || !more()) return good_;
  report_extra(line_[next_], usage_, left_over, diagnostics_);
  return true;
}

}  // namespace rch::parsers::side_files
