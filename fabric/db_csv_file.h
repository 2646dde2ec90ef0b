#pragma once

#include <filesystem>

#include "base/source.h"

namespace rch::fabric {

/// Loads a fabric file as SourceSet::load does, but of a large db_csv the sections that are read alone:
/// counters make such a file many times as large. Lines keep their numbers.
Result<SourceId> load_fabric_text(SourceSet& sources, const std::filesystem::path& path);

}  // namespace rch::fabric
