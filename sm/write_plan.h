#pragma once

#include <vector>

#include "sm/install.h"

namespace rch::sm {

/// LIDs of all end ports that have one.
std::vector<fabric::LidAssignment> lids_of(const fabric::Fabric& fabric);

/// False: all ports are full members of the default partition, and of no other.
bool keeps_apart(const fabric::PKeyTables& pkeys);

/// What plans are written with.
struct Writing {
  hw::Exchange& exchange;
  const InstallOptions& options;
  hw::Mastership* mastership;
  const chains::Observer& observe;
};

/// Plans the update from what was prepared to `target`, and commits it. `previous`: plans that hosts may have
/// their service levels from (InstallOptions::previous). `announces`: who stands by is told of the target
/// before. Fails as chains::plan_update and hw::commit do.
///
/// What is referred to must outlive the task.
hw::Task<Result<hw::CommitReport>> write_plan(const Writing& with, const hw::LiveFabric& live,
                                              const chains::Plan& target, hw::Preparation& prepared,
                                              const hw::CommitOptions& commit,
                                              std::vector<const chains::Plan*> previous, bool announces);

}  // namespace rch::sm
