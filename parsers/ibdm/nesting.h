#pragma once

#include "base/diagnostic.h"

namespace rch::parsers::ibdm {

class SystemFile;

/// False, reported, when boards contain each other or are nested deeper than SystemFile::kDeepest. What is
/// sound may be walked by recursion.
bool check_nesting(const SystemFile& file, Diagnostics& diagnostics);

}  // namespace rch::parsers::ibdm
