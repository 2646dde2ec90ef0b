#pragma once

#include "policy/build/build_context.h"
#include "policy/model/partitions.h"

namespace rch::policy::partitions {

/// The partitions of a file's syntax: P_Keys chosen, definitions merged, groups made, names of port groups
/// resolved (OpenSM's doc/partition-config.txt). The result is of use only when nothing was an error. Without
/// main options neither `qos` nor `allow_both_pkeys` is checked; at most a hundred findings of each rule are
/// reported.
Partitions build_partitions(const parsers::partitions::Syntax& syntax, const BuildContext& context);

/// The partitions of a configuration without a file, and its broadcast group as the main options want it.
/// `main` may be null.
Partitions open_partitions(const OptionFile* main);

}  // namespace rch::policy::partitions
