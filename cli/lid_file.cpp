#include "cli/lid_file.h"

#include <cstdlib>
#include <filesystem>

#include "base/source.h"

namespace rch::cli {

std::string default_lid_file() {
  const char* folder = std::getenv("OSM_CACHE_DIR");
  return std::string(folder != nullptr && *folder != '\0' ? folder : "/var/cache/opensm") + "/guid2lid";
}

Result<void> write_lid_file(const std::string& path, const fabric::LidRecords& records) {
  std::error_code ignored;  // the write says what is wrong
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  return write_file(path, fabric::write_guid2lid(records));
}

}  // namespace rch::cli
