#include "cli/journal_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "cli/state_file.h"

namespace rch::cli {

std::string journal_file(const std::string& lid_file) { return beside(lid_file, "rch-registrations"); }

void JournalFile::close() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

Result<void> JournalFile::keep(const hw::Keeping& keeping) {
  Result<void> kept = write(keeping);
  if (kept) return kept;
  close();
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
  return kept;
}

Result<void> JournalFile::write(const hw::Keeping& keeping) {
  const auto failure = [&] {
    return fail(ErrorKind::usage,
                fmt::format("cannot write `{}`: {}", path_, std::generic_category().message(errno)));
  };
  if (keeping.afresh) {
    close();
    make_folder_of(path_);
    make_private(path_);
    if (auto written = write_state(path_, keeping.bytes, on_disk_); !written) return written;
    file_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file_ < 0) return failure();
    return {};
  }
  std::string_view left = keeping.bytes;
  while (!left.empty()) {
    const ssize_t count = ::write(file_, left.data(), left.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failure();
    left.remove_prefix(static_cast<std::size_t>(count));
  }
  if (on_disk_ && ::fdatasync(file_) != 0) return failure();
  return {};
}

}  // namespace rch::cli
