#pragma once

#include "base/diagnostic.h"

namespace rch::parsers::ibdm {

class SystemFile;

/// Reports what does not fit together in one IBNL file: ports, parts, boards, rates, attributes
/// (docs/ibdm.md).
void check_definitions(const SystemFile& file, Diagnostics& diagnostics);

}  // namespace rch::parsers::ibdm
