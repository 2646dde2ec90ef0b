#pragma once

#include <span>

#include "base/diagnostic.h"
#include "base/result.h"

namespace rch::parsers::ibdm {

/// Lints IBNL texts together, and topology files against them. Without an IBNL text the topology files are
/// read against the installed ones (system_files()), whose own findings are not told; fails (usage) when
/// those cannot be read.
Result<void> lint(SourceSet& sources, std::span<const SourceId> ibnl, std::span<const SourceId> topos,
                  Diagnostics& diagnostics);

}  // namespace rch::parsers::ibdm
