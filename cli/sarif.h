#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/json.h"

#include "base/diagnostic.h"

namespace rch::cli {

/// What a run says besides its findings.
struct SarifNotices {
  std::vector<std::string> errors;  ///< what kept it from its end
  std::vector<std::string> notes;
};

/// Findings as a SARIF 2.1.0 log of one run (OASIS sarif-v2.1.0).
Json sarif_log(std::span<const Diagnostic> findings, const SourceSet& sources, std::optional<Peer> compat,
               const SarifNotices& notices);

}  // namespace rch::cli
