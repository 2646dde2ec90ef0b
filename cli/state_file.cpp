#include "cli/state_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace rch::cli {

std::string beside(const std::string& lid_file, std::string_view name) {
  return std::filesystem::path(lid_file).replace_filename(name).string();
}

void make_folder_of(const std::string& path) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
}

void make_private(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) return;
  ::fchmod(file, S_IRUSR | S_IWUSR);
  ::close(file);
}

}  // namespace rch::cli
