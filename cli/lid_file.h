#pragma once

#include <string>

#include "base/result.h"
#include "fabric/lid_records.h"

namespace rch::cli {

/// Where OpenSM has it: guid2lid in $OSM_CACHE_DIR, or in /var/cache/opensm.
std::string default_lid_file();

/// Where installed plans are kept if the operator names no file: `rch-plan`, beside the guid2lid file.
std::string default_plan_file(const std::string& lid_file);

/// Writes the file, and its folder if there is none.
Result<void> write_lid_file(const std::string& path, const fabric::LidRecords& records);

}  // namespace rch::cli
