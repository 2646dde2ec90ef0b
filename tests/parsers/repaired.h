#pragma once

#include <string>

#include "base/repair.h"

namespace rch::parsers {

/// The text once nothing certain is left to repair.
std::string repaired(std::string text, auto parse) {
  for (;;) {
    SourceSet sources;
    Diagnostics diagnostics;
    parse(sources, sources.add("input", text), diagnostics);
    const auto better = repair(diagnostics, sources);
    if (better.empty()) return text;
    text = better.front().text;
  }
}

}  // namespace rch::parsers
