#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/json.h"

#include "base/diagnostic.h"

namespace rch::cli {

/// Findings as a SARIF 2.1.0 log of one run (OASIS sarif-v2.1.0). `errors`: what kept the run from its end.
Json sarif_log(std::span<const Diagnostic> findings, const SourceSet& sources, std::optional<Peer> compat,
               const std::vector<std::string>& errors);

}  // namespace rch::cli
