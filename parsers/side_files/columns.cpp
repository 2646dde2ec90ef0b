#include "parsers/side_files/columns.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/common/guid_shape.h"
#include "parsers/rules.h"
#include "parsers/side_files/rules.h"

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

/// Group names hold none of the signs of the group file's lines (docs/keywords.md).
bool is_name(std::string_view word) {
  return std::isdigit(static_cast<unsigned char>(word.front())) == 0 &&
         word.find_first_of(":,;=@") == std::string_view::npos && !resembles_guid(word) &&
         (word.size() < kDigitsOfAGuid || !parse_hex(word));
}

/// Whether a number is too large for anything but a GUID.
bool has_size_of_guid(std::string_view word) {
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 40;
  return parse_integer(word).value_or(0) >= kLeast;
}

}  // namespace

/// The repair takes the words apart. It is certain when the line has all its columns then.
void Columns::report_glue(const Token& word, std::string_view what) {
  const std::size_t at = word.text.find_first_of(kGlue);
  const auto begin = word.span.begin + static_cast<std::uint32_t>(at);
  Diagnostic& d = diagnostics_.add(kBadNumber, {word.span.source, begin, begin + 1},
                                   fmt::format("expected {}, saw `{}`", what, word.text));
  std::string apart = word.text;
  for (char& c : apart)
    if (kGlue.find(c) != std::string_view::npos) c = ' ';
  apart = trim(apart);
  const auto blanks = [](std::string_view text) { return std::ranges::count(text, ' '); };
  const bool trailing = at + 1 == word.text.size();
  const bool open_ended = usage_.ends_with("…");
  const auto columns = static_cast<std::ptrdiff_t>(line_.size()) + blanks(apart);
  const bool certain = trailing || (open_ended && blanks(usage_) > 0) || columns == blanks(usage_) + 1;
  d.hint = trailing              ? fmt::format("drop the `{}`", word.text[at])
           : blanks(usage_) == 0 ? "give each its own line"
           : certain             ? fmt::format("put a blank in place of `{}`", word.text[at])
                                 : fmt::format("write `{}`", usage_);
  if (certain) d.fixes.push_back({word.span, apart});
}

/// `11 0x0002c90200500008` where the GUID stands first.
bool Columns::is_swapped(const Token& word) {
  constexpr std::uint64_t kLargest = 0xFFFF;
  const std::string_view before = first().text;
  if (!has_size_of_guid(word.text) || before.starts_with("0x") ||
      parse_integer(before).value_or(kLargest + 1) > kLargest)
    return false;
  if (swapped_.count++ == 0) {
    swapped_.first = word.span;
    swapped_.message = fmt::format("the GUID `{}` stands behind `{}`", word.text, first().text);
  }
  silent_ = true;
  return true;
}

void SwappedLines::report(std::string_view usage, Diagnostics& diagnostics) const {
  if (count == 0) return;
  Diagnostic& d = diagnostics.add(kSwappedColumns, first, message);
  if (count > 1)
    d.message += fmt::format("; {} {} alike", counted(count - 1, "more line"), count == 2 ? "is" : "are");
  d.hint = fmt::format("write `{}`", usage);
}

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
  if (guid_of_groups(word->text).empty() && glued(word->text)) {
    report_glue(*word, "a GUID");
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
  if (is_swapped(*word)) {
    good_ = false;
    return {};
  }
  if (glued(word->text)) {
    report_glue(*word, kind.what);
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
