#pragma once

#include <vector>

#include "policy/bind/bind.h"

namespace rch::policy {

/// The side files of each step on the fabric, by index of Policy::steps (docs/side-files.md): groups
/// expanded, switches by node GUID, end ports by port GUID, every ignored port as one of a switch. What the
/// fabric does not have is left out. Reports that, and what the files of the fabric as a whole name wrongly.
std::vector<StepFiles> bind_side_files(const BoundPolicy& bound, Diagnostics& diagnostics);

}  // namespace rch::policy
