#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace rch::cli {

/// Longest line of a report for people, in columns.
inline constexpr std::size_t kColumns = 100;

/// How long lines may be on a stream: as COLUMNS in the environment says, else kColumns on a terminal. 0: as
/// long as they are, for programs that look for a line.
std::size_t columns_of(std::FILE* stream);

/// Cuts a line at blanks into lines of at most `columns`; 0: nowhere. What stands in backticks stays whole,
/// and a word that is longer. The lines behind the first are indented: by 11 columns, as what stands behind a
/// label is, or by two more than the first. No newline at the end.
std::string wrapped(std::string_view line, std::size_t columns = kColumns);

/// The meaning of a line, which gives it its colour.
enum class Meaning { plain, good, warning, bad };

enum class ColorWhen { automatic, always, never };

/// For this process, as `--color` asks. Without a call it is automatic: on a terminal, unless NO_COLOR is
/// set.
void use_color(ColorWhen when);
bool is_colored(std::FILE* stream);

/// The text, in the colour of its meaning where `colored`.
std::string painted(std::string_view text, Meaning meaning, bool colored);

}  // namespace rch::cli
