#pragma once

#include <optional>
#include <string_view>

#include "base/diagnostic.h"
#include "parsers/common/token.h"

namespace rch::parsers {

/// Numbers of PathRecords that people write as the figure they stand for: `rate=40` for 7, `mtu=4096` for 5.
enum class CodeOf { mtu, rate };

/// True, reported with the code, if the word is such a figure and no code.
bool report_figure(const Token& word, CodeOf kind, Diagnostics& diagnostics);

}  // namespace rch::parsers
