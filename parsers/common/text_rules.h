#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace rch::parsers {

/// The byte order mark of UTF-8.
inline constexpr std::string_view kMarkBytes = "\xEF\xBB\xBF";

/// How a dialect's lines are read, as far as the rules of all texts care.
struct TextRules {
  std::size_t longest_line = 0;  ///< bytes that OpenSM's reader takes at once; 0: no limit
  /// `#` starts a comment anywhere; else at the start of a line or after a blank.
  bool hash_anywhere = false;
  /// Texts may stand between double quotes. Elsewhere a quote is part of a name, so nobody knows what a
  /// typographic one is for.
  bool quotes = false;
  /// A carriage return at the end of a line, outside a comment, makes OpenSM drop the file, so it is
  /// reported.
  bool returns_matter = false;
};

/// The text as the grammars may see it, with the offsets of the original: byte order mark, NUL, carriage
/// returns at line ends and typographic quotes become blanks, typographic dashes become `-`. Reports all of
/// them; of the returns where they matter, one finding for the file.
std::string prepare_text(const SourceSet& sources, SourceId source, const TextRules& rules,
                         Diagnostics& diagnostics);

}  // namespace rch::parsers
