#include "cli/lid_file.h"

#include <cstdlib>

#include "cli/state_file.h"

namespace rch::cli {

std::string default_lid_file(const policy::ManagerOptions& options) {
  if (options.cache_files_dir) return (*options.cache_files_dir / "guid2lid").string();
  const char* folder = std::getenv("OSM_CACHE_DIR");
  return std::string(folder != nullptr && *folder != '\0' ? folder : "/var/cache/opensm") + "/guid2lid";
}

std::string default_plan_file(const std::string& lid_file) { return beside(lid_file, "rch-plan"); }

Result<void> write_lid_file(const std::string& path, const fabric::LidRecords& records, bool on_disk) {
  make_folder_of(path);
  return write_state(path, fabric::write_guid2lid(records), on_disk);
}

}  // namespace rch::cli
