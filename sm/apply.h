#pragma once

#include "sm/install.h"

namespace rch::sm {

/// One pass over a live fabric: win the mastership and discover, then install(). A part that falls silent or
/// refuses a request after the discovery is left out of another pass, which goes on from the tables that it
/// finds; with `strict` that fails. Returns what the last pass wrote.
/// Fails (fabric) as hw::Mastership::win does, too.
hw::Task<Result<hw::CommitReport>> apply(hw::Exchange& exchange, Planner planner, InstallOptions options,
                                         chains::Observer observe = {});

}  // namespace rch::sm
