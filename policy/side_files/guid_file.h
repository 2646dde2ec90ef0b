#pragma once

#include <vector>

#include "base/diagnostic.h"

namespace rch::policy {

/// GUIDs in file order, each once: one a line, blank lines and comments skipped (config-files 10). OpenSM
/// stops at the first line it cannot read; here that is an error, and so is a file without a GUID.
std::vector<Guid> read_guid_file(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::policy
