#pragma once

#include <string>

#include "base/result.h"
#include "fabric/lid_records.h"
#include "policy/model/options.h"

namespace rch::cli {

/// guid2lid in `cache_files_dir`, else where OpenSM has it: in $OSM_CACHE_DIR, or in /var/cache/opensm.
std::string default_lid_file(const policy::ManagerOptions& options = {});

/// Where installed plans are kept if the operator names no file: `rch-plan`, beside the guid2lid file.
std::string default_plan_file(const std::string& lid_file);

/// Writes the file, and its folder if there is none. `on_disk`: as of write_state().
Result<void> write_lid_file(const std::string& path, const fabric::LidRecords& records, bool on_disk = true);

}  // namespace rch::cli
