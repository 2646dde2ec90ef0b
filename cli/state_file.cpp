#include "cli/state_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "base/source.h"

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

Result<void> write_state(const std::string& path, std::string_view content, bool on_disk) {
  if (on_disk) return write_file(path, content);
  const std::string fresh = fmt::format("{}.{}.tmp", path, ::getpid());
  std::error_code failed;
  if (std::filesystem::exists(path, failed)) {  // with its owner and its mode
    std::filesystem::copy_file(path, fresh, std::filesystem::copy_options::overwrite_existing, failed);
    if (struct stat info{}; ::stat(path.c_str(), &info) == 0 && ::geteuid() == 0)
      static_cast<void>(::chown(fresh.c_str(), info.st_uid, info.st_gid) == 0);
  }
  std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (file) std::filesystem::rename(fresh, path, failed);
  if (file && !failed) return {};
  std::error_code ignored;
  std::filesystem::remove(fresh, ignored);
  return fail(ErrorKind::usage, fmt::format("cannot write `{}`", path));
}

Result<StateLock> StateLock::take(const std::string& lid_file) {
  make_folder_of(lid_file);
  const std::string path = beside(lid_file, "rch-lock");
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) return StateLock(-1);
  StateLock lock(file);
  char owner[32] = {};
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) {
    const auto end = fmt::format_to_n(owner, sizeof owner - 1, "{}\n", ::getpid());
    // The number is for messages: a full disk does not matter.
    static_cast<void>(::ftruncate(file, 0) == 0 && ::write(file, owner, end.size) >= 0);
    return Result<StateLock>(std::move(lock));
  }
  if (::read(file, owner, sizeof owner - 1) < 0) owner[0] = '\0';
  std::string_view pid(owner);
  pid = pid.substr(0, pid.find('\n'));
  return fail(
      ErrorKind::usage,
      fmt::format("another subnet manager{} keeps its state beside `{}`: stop it, or name another file "
                  "by `--guid2lid`",
                  pid.empty() ? "" : fmt::format(" (process {})", pid), lid_file));
}

StateLock::~StateLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace rch::cli
