#include "cli/lid_file.h"

#include <cstdlib>

#include "base/source.h"
#include "cli/state_file.h"

namespace rch::cli {

std::string default_lid_file() {
  const char* folder = std::getenv("OSM_CACHE_DIR");
  return std::string(folder != nullptr && *folder != '\0' ? folder : "/var/cache/opensm") + "/guid2lid";
}

std::string default_plan_file(const std::string& lid_file) { return beside(lid_file, "rch-plan"); }

Result<void> write_lid_file(const std::string& path, const fabric::LidRecords& records) {
  make_folder_of(path);
  return write_file(path, fabric::write_guid2lid(records));
}

}  // namespace rch::cli
