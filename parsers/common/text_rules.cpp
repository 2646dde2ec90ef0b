#include "parsers/common/text_rules.h"

#include <fmt/format.h>

#include "parsers/rules.h"

namespace rch::parsers {
namespace {

/// Works on one line of the copy; offsets are those of the whole text.
class LineCheck {
 public:
  LineCheck(std::string& text, SourceId source, const TextRules& rules, Diagnostics& diagnostics)
      : text_(text), source_(source), rules_(rules), diagnostics_(diagnostics) {}

  void run(std::size_t begin, std::size_t end) {
    if (end > begin && text_[end - 1] == '\r') text_[end - 1] = ' ';
    if (rules_.longest_line != 0 && end - begin > rules_.longest_line) report_length(begin, end);
    replace_nuls(begin, end);
    replace_typography(begin, comment_start(begin, end));
  }

 private:
  Span span(std::size_t begin, std::size_t end) const {
    return {source_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
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

  /// UTF-8 of U+2010..U+2015 (dashes) and U+2018..U+201F (quotes). One finding for all of a line.
  void replace_typography(std::size_t begin, std::size_t end) {
    Diagnostic* found = nullptr;
    for (std::size_t i = begin; i + 2 < end; ++i) {
      const char plain = plain_character(i);
      if (plain == '\0') continue;
      if (found == nullptr) {
        found = &diagnostics_.add(
            kTypographicCharacter, span(i, i + 3),
            fmt::format("typographic {} in place of `{}`", plain == '-' ? "dash" : "quote", plain));
        found->hint = "the text looks pasted from a manual; type the plain character";
      }
      found->fixes.push_back({span(i, i + 3), std::string(1, plain)});
      text_.replace(i, 3, plain == '-' ? "-  " : "   ");
    }
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
  return text;
}

}  // namespace rch::parsers
