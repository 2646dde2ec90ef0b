#pragma once

#include <span>

#include "policy/model/policy.h"

namespace rch::policy {

/// Reports GUIDs and groups that the files name in roles that exclude each other: root and compute node,
/// compute and I/O node, held back and yet a root or a seed (docs/diagnostics.md).
void check_roles(std::span<const Step> steps, const FabricFiles& fabric, Diagnostics& diagnostics);

}  // namespace rch::policy
