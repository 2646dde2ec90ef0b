#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "parsers/common/numbers.h"
#include "parsers/common/token.h"

namespace rch::parsers::side_files {

using Words = std::vector<Token>;

/// Bytes of a line that the readers of OpenSM and NVIDIA SM take at once.
struct LineLimits {
  std::size_t opensm = 255;
  std::size_t nvidia = 119;
  bool quotes = false;  ///< a text stands between double quotes
};

/// The text as the grammars may see it; lines that a reader would split are reported.
std::string prepare_lines(const SourceSet& sources, SourceId source, const LineLimits& limits,
                          Diagnostics& diagnostics);

/// Calls `line` with the words of each line that has any, comments left out.
void read_lines(const SourceSet& sources, SourceId source, const LineLimits& limits,
                const std::function<void(const Words&)>& line, Diagnostics& diagnostics);

/// Reports a word behind the end of a line.
void report_extra(const Token& extra, std::string_view usage, Severity severity, Diagnostics& diagnostics);

}  // namespace rch::parsers::side_files
