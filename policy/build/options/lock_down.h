#pragma once

#include "policy/build/options/option_file.h"

namespace rch::policy {

/// The profile `lock-down`: what a fabric of tenants who do not trust each other needs. Options that nobody
/// set get its values, which `main` then has. Reports what contradicts it, and what it cannot choose: keys,
/// and who else may be subnet manager. `profile`: where it is asked for.
void lock_down(OptionFile& main, Span profile, Diagnostics& diagnostics);

/// The same for partitions: hosts are limited members of the default partition.
void check_lock_down(const partitions::Partitions& partitions, Span profile, Diagnostics& diagnostics);

}  // namespace rch::policy
