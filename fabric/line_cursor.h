#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/source.h"

namespace rch::fabric {

/// Walks once over one line of a fabric file. Cheap: a view and an offset.
class LineCursor {
 public:
  /// `begin`: offset of the line in its text.
  LineCursor(std::string_view line, SourceId source, std::uint32_t begin)
      : line_(line), source_(source), begin_(begin) {}

  bool at_end() const { return pos_ >= line_.size(); }
  char peek() const { return at_end() ? '\0' : line_[pos_]; }
  std::size_t pos() const { return pos_; }
  void seek(std::size_t pos) { pos_ = pos; }
  std::string_view rest() const { return line_.substr(pos_); }
  std::string_view line() const { return line_; }

  void skip_blanks() {
    while (!at_end() && (line_[pos_] == ' ' || line_[pos_] == '\t')) ++pos_;
  }
  bool accept(char c) {
    if (peek() != c) return false;
    ++pos_;
    return true;
  }
  bool accept(std::string_view text) {
    if (!rest().starts_with(text)) return false;
    pos_ += text.size();
    return true;
  }
  /// Moves to the next `c`; false (and stays) if there is none.
  bool find(char c) {
    const std::size_t at = line_.find(c, pos_);
    if (at == std::string_view::npos) return false;
    pos_ = at;
    return true;
  }
  /// Everything up to `stop`, which is consumed too; nothing if it is missing.
  std::optional<std::string_view> until(char stop) {
    const std::size_t at = line_.find(stop, pos_);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view text = line_.substr(pos_, at - pos_);
    pos_ = at + 1;
    return text;
  }
  /// Up to the next blank or the end.
  std::string_view word() {
    const std::size_t at = std::min(line_.find_first_of(" \t", pos_), line_.size());
    const std::string_view text = line_.substr(pos_, at - pos_);
    pos_ = at;
    return text;
  }
  /// Digits of `base` at this place; nothing if there are none or the value does not fit.
  std::optional<std::uint64_t> number(int base) {
    std::uint64_t value = 0;
    const char* from = line_.data() + pos_;
    const auto [end, error] = std::from_chars(from, line_.data() + line_.size(), value, base);
    if (error != std::errc{} || end == from) return std::nullopt;
    pos_ += static_cast<std::size_t>(end - from);
    return value;
  }

  Span span(std::size_t from, std::size_t to) const {
    return {source_, begin_ + static_cast<std::uint32_t>(from), begin_ + static_cast<std::uint32_t>(to)};
  }
  /// From `from` to where the cursor stands, at least one byte if the line has it.
  Span span_from(std::size_t from) const { return span(from, std::max(pos_, byte_at(from))); }
  /// The word at this place.
  Span span_here() const {
    const std::size_t end = std::min(line_.find_first_of(" \t", pos_), line_.size());
    return span(pos_, std::max(end, byte_at(pos_)));
  }
  Span span_line() const { return span(0, std::max<std::size_t>(line_.size(), 1)); }

 private:
  /// The end of the byte at a place; the place itself at the end of the line, which may end the text.
  std::size_t byte_at(std::size_t pos) const { return std::max(pos, std::min(pos + 1, line_.size())); }

  std::string_view line_;
  SourceId source_;
  std::uint32_t begin_;
  std::size_t pos_ = 0;
};

/// UTF-8's byte order mark, which editors put before a text.
inline constexpr std::string_view kByteOrderMarkBytes = "\xEF\xBB\xBF";

/// Calls f(line, offset) for every line of `text`, without its line end (LF or CR LF) and without a byte
/// order mark.
template <class F>
void for_each_line(std::string_view text, F&& f) {
  for (std::size_t begin = text.starts_with(kByteOrderMarkBytes) ? kByteOrderMarkBytes.size() : 0;
       begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    f(line, static_cast<std::uint32_t>(begin));
    begin = end + 1;
  }
}

}  // namespace rch::fabric
