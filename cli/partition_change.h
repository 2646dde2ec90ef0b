#pragma once

#include <string>

#include "cli/service.h"

namespace rch::cli {

/// A change of one port's membership that an operator asks for.
struct PartitionChange {
  std::string file;  ///< the partition file
  std::string text;  ///< as it shall be
  std::string note;  ///< what the operator has to know of it; empty: nothing
};

/// Returns the change that a request asks for. Its `port` is the GUID of a port, or names it as
/// find_end_port() takes it. Fails (invalid) when the file that lies on the disk is not the one that runs,
/// when the partition or the member is not there, when a port is to be added that is not in the fabric
/// (unless `absent` is true), or the request says nothing that can be done. A partition file that does not
/// exist yet is made, beside `opensm_conf` where no option names it.
Result<PartitionChange> partition_change(const PartitionRequest& request, const Service& service,
                                         const std::string& opensm_conf);

/// Fails (invalid) when the manager's own port, `own`, would not be a full member of the default partition
/// any more: hosts could not reach it.
Result<void> keeps_manager(const policy::Policy& policy, const chains::Plan& plan, Guid own);

/// Ports by partition.
Json partitions_json(const policy::Policy& policy, const chains::Plan& plan);

}  // namespace rch::cli
