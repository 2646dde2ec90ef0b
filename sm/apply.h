#pragma once

#include "sm/install.h"

namespace rch::sm {

/// One pass over a live fabric: win the mastership and discover, then install(). Returns what was written.
/// Fails (fabric) as hw::Mastership::win does, too.
hw::Task<Result<hw::CommitReport>> apply(hw::Exchange& exchange, Planner planner, InstallOptions options,
                                         chains::Observer observe = {});

}  // namespace rch::sm
