#include "cli/layout.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/text.h"

namespace rch::cli {
namespace {

ColorWhen color_when = ColorWhen::automatic;

/// Where the word that begins at `begin` ends: at a blank outside of backticks.
std::size_t end_of_word(std::string_view line, std::size_t begin) {
  bool is_quoted = false;
  for (std::size_t i = begin; i < line.size(); ++i) {
    if (line[i] == '`') is_quoted = !is_quoted && line.find('`', i + 1) != std::string_view::npos;
    if (line[i] == ' ' && !is_quoted) return i;
  }
  return line.size();
}

/// Characters of UTF-8, of which none here is wider than a column.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string wrapped(std::string_view line, std::size_t columns) {
  constexpr std::size_t kBehindLabel = 11;
  if (columns == 0 || width(line) <= columns) return std::string(line);
  const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
  const std::string indent(blanks == 0 ? kBehindLabel : blanks + 2, ' ');
  std::string out(line.substr(0, blanks));
  std::size_t used = blanks;
  bool begins = true;
  for (std::size_t at = blanks; at < line.size();) {
    const std::size_t word = std::min(line.find_first_not_of(' ', at), line.size());
    const std::size_t end = end_of_word(line, word);
    const std::size_t needed = word - at + width(line.substr(word, end - word));
    if (!begins && used + needed > columns) {
      out += "\n" + indent;
      used = indent.size() + needed - (word - at);
    } else {
      out += line.substr(at, word - at);
      used += needed;
    }
    out += line.substr(word, end - word);
    begins = false;
    at = end;
  }
  return out;
}

std::size_t columns_of(std::FILE* stream) {
  const char* asked = std::getenv("COLUMNS");
  if (asked != nullptr)
    if (const auto columns = parse_integer(asked)) return *columns;
  return ::isatty(::fileno(stream)) != 0 ? kColumns : 0;
}

void use_color(ColorWhen when) { color_when = when; }

bool is_colored(std::FILE* stream) {
  if (color_when != ColorWhen::automatic) return color_when == ColorWhen::always;
  const char* refused = std::getenv("NO_COLOR");
  return ::isatty(::fileno(stream)) != 0 && (refused == nullptr || *refused == '\0');
}

std::string painted(std::string_view text, Meaning meaning, bool colored) {
  // As compilers do, and base/diagnostic.cpp.
  constexpr std::string_view kColors[] = {"", "\033[1;32m", "\033[1;35m", "\033[1;31m"};
  if (!colored || meaning == Meaning::plain) return std::string(text);
  return fmt::format("{}{}\033[0m", kColors[static_cast<std::size_t>(meaning)], text);
}

}  // namespace rch::cli
