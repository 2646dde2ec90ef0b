#pragma once

#include "policy/bind/bind.h"

namespace rch::policy {

/// Reports roots of updn, dnup and ftree that are no spines: hosts hang on them, or a neighbour is further
/// from the hosts. Fabrics whose switches all have hosts tell nothing about roots. Needs the bound side
/// files.
void check_roots(const BoundPolicy& bound, Diagnostics& diagnostics);

}  // namespace rch::policy
