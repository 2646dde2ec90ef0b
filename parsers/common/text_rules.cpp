#include "parsers/common/text_rules.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "parsers/rules.h"

namespace rch::parsers {
namespace {

/// Works on one line of the copy; offsets are those of the whole text.
class LineCheck {
 public:
  LineCheck(std::string& text, SourceId source, const TextRules& rules, Diagnostics& diagnostics)
      : text_(text), source_(source), rules_(rules), diagnostics_(diagnostics) {}

  void run(std::size_t begin, std::size_t end) {
    const std::size_t comment = comment_start(begin, end);
    if (end > begin && text_[end - 1] == '\r') blank_return(end - 1, comment < end);
    if (rules_.longest_line != 0 && end - begin > rules_.longest_line) report_length(begin, end);
    replace_nuls(begin, end);
    replace_typography(begin, comment);
  }

  void finish() {
    if (first_return_.source.is_none()) return;
    Diagnostic& d =
        diagnostics_.add(kCarriageReturn, first_return_,
                         fmt::format("{} in a carriage return and a line feed",
                                     returns_.size() == 1 ? std::string("a line ends")
                                                          : fmt::format("{} lines end", returns_.size())));
    d.hint = "save the file with the line ends of Unix";
    d.fixes = std::move(returns_);
  }

 private:
  Span span(std::size_t begin, std::size_t end) const {
    return {source_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

  /// OpenSM leaves comments out, with what ends them.
  void blank_return(std::size_t at, bool in_comment) {
    text_[at] = ' ';
    if (!rules_.returns_matter) return;
    if (!in_comment && first_return_.source.is_none()) first_return_ = span(at, at + 1);
    returns_.push_back({span(at, at + 1), ""});
  }

  void report_length(std::size_t begin, std::size_t end) {
    diagnostics_.add(kLongLine, span(begin + rules_.longest_line, end),
                     fmt::format("line of {} bytes; OpenSM reads only the first {} of them as this line",
                                 end - begin, rules_.longest_line));
  }

  std::size_t comment_start(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (text_[i] != '#') continue;
      if (rules_.hash_anywhere || i == begin || text_[i - 1] == ' ' || text_[i - 1] == '\t') return i;
    }
    return end;
  }

  void replace_nuls(std::size_t begin, std::size_t end) {
    bool reported = false;
    for (std::size_t i = begin; i < end; ++i) {
      if (text_[i] != '\0') continue;
      if (!reported) diagnostics_.add(kNulByte, span(i, i + 1), "NUL byte in the text");
      reported = true;
      text_[i] = ' ';
    }
  }

  /// UTF-8 of U+2010..U+2015 (dashes) and U+2018..U+201F (quotes). One finding for all of a line. It holds a
  /// repair when each of them can stand for one character alone: a name may have been meant with a dash or a
  /// quote of its own, so only numbers, arrows and pairs of quotes round a text are certain.
  void replace_typography(std::size_t begin, std::size_t end) {
    std::vector<Edit> edits;
    bool certain = true;
    std::size_t quotes = 0;
    for (std::size_t i = begin; i + 2 < end; ++i) {
      const char plain = plain_character(i);
      if (plain == '\0') continue;
      if (plain == '"') ++quotes;
      certain = certain && (plain == '-' ? is_of_numbers(begin, i, end) : is_outer_quote(begin, i, end));
      edits.push_back({span(i, i + 3), std::string(1, plain)});
    }
    if (edits.empty()) return;
    for (const Edit& edit : edits) text_.replace(edit.span.begin, 3, edit.text == "-" ? "-  " : "   ");
    Diagnostic& d =
        diagnostics_.add(kTypographicCharacter, edits.front().span,
                         fmt::format("typographic {} in place of `{}`",
                                     edits.front().text == "-" ? "dash" : "quote", edits.front().text));
    certain = certain && quotes % 2 == 0;
    d.hint = certain ? "the text looks pasted from a manual; type the plain character"
             : edits.front().text == "-"
                 ? "type the plain character, unless the name itself has this one"
                 : "the text looks pasted from a manual; type the plain character, or "
                   "take it out";
    if (certain) d.fixes = std::move(edits);
  }

  static bool separates(char c) {
    return std::string_view(" \t,:;=@/[](){}<>").find(c) != std::string_view::npos;
  }

  /// A dash of `->`, of a number below zero or of a range of numbers.
  bool is_of_numbers(std::size_t begin, std::size_t at, std::size_t end) const {
    const std::string_view line(text_.data() + begin, end - begin);
    const std::string_view before = line.substr(0, at - begin), after = line.substr(at - begin + 3);
    if (after.starts_with('>')) return before.empty() || separates(before.back());
    const auto word_end = std::find_if(after.begin(), after.end(), separates) - after.begin();
    if (!parse_integer(after.substr(0, static_cast<std::size_t>(word_end)))) return false;
    if (before.empty() || separates(before.back())) return true;
    const auto word_size = std::find_if(before.rbegin(), before.rend(), separates) - before.rbegin();
    return parse_integer(before.substr(before.size() - static_cast<std::size_t>(word_size))).has_value();
  }

  /// A double quote at the start or the end of a word, in a text where such quotes have a meaning.
  bool is_outer_quote(std::size_t begin, std::size_t at, std::size_t end) const {
    const bool starts = at == begin || separates(text_[at - 1]);
    const bool ends = at + 3 == end || separates(text_[at + 3]) || text_[at + 3] == '\r';
    return plain_character(at) == '"' && rules_.quotes && (starts || ends);
  }

  /// What a typographic character stands for; NUL for any other.
  char plain_character(std::size_t at) const {
    const auto last = static_cast<unsigned char>(text_[at + 2]);
    if (text_[at] != '\xE2' || text_[at + 1] != '\x80' || last < 0x90 || last > 0x9F) return '\0';
    if (last <= 0x95) return '-';
    if (last < 0x98) return '\0';
    return last < 0x9C ? '\'' : '"';
  }

  std::string& text_;
  SourceId source_;
  const TextRules& rules_;
  Diagnostics& diagnostics_;
  std::vector<Edit> returns_;  ///< what takes each carriage return out
  Span first_return_;
};

}  // namespace

std::string prepare_text(const SourceSet& sources, SourceId source, const TextRules& rules,
                         Diagnostics& diagnostics) {
  std::string text(sources.at(source).text());
  if (text.starts_with(kMarkBytes)) {
    Diagnostic& d = diagnostics.add(kByteOrderMark, {source, 0, 3}, "the file starts with a byte order mark");
    d.hint = "save the file without it";
    d.fixes.push_back({d.span, ""});
    text.replace(0, 3, "   ");
  }
  LineCheck check(text, source, rules, diagnostics);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t newline = text.find('\n', begin);
    const std::size_t end = newline == std::string::npos ? text.size() : newline;
    check.run(begin, end);
    begin = end + 1;
  }
  check.finish();
  return text;
}

}  // namespace rch::parsers
