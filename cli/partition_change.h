#pragma once

#include <string>

#include "cli/service.h"

namespace rch::cli {

/// A change of one port's membership that an operator asks for.
struct PartitionChange {
  std::string file;  ///< the partition file
  std::string text;  ///< as it shall be
};

/// What `{"request":"partition","action":"add"|"remove",...}` asks for. Fails (invalid) when the file that
/// lies on the disk is not the one that runs, when the partition or the member is not there, or the request
/// says nothing that can be done.
Result<PartitionChange> partition_change(const Json& request, const Service& service);

/// Fails (invalid) when the manager's own port would not be a full member of the default partition any more:
/// hosts could not reach it.
Result<void> keeps_manager(const policy::Policy& policy, const chains::Plan& plan);

/// Ports by partition.
Json partitions_json(const policy::Policy& policy, const chains::Plan& plan);

}  // namespace rch::cli
