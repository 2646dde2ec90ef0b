#include "cli/log_sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include <fmt/format.h>

namespace rch::cli {
namespace {

Result<int> open_to_append(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
  if (file >= 0) return file;
  return fail(ErrorKind::usage,
              fmt::format("cannot write `{}`: {}", path, std::generic_category().message(errno)));
}

/// A pipe or a terminal stays as it is.
void empty(int file) { [[maybe_unused]] const int done = ::ftruncate(file, 0); }

}  // namespace

Result<std::unique_ptr<LogSink>> LogSink::open(const std::string& path, const LogSinkOptions& options) {
  if (path.empty()) return std::unique_ptr<LogSink>(new LogSink(path, STDOUT_FILENO, {}));
  const auto file = open_to_append(path);
  if (!file) return tl::unexpected(file.error());
  auto sink = std::unique_ptr<LogSink>(new LogSink(path, *file, options));
  if (!options.accumulate) empty(*file);
  return sink;
}

LogSink::~LogSink() {
  if (is_file()) ::close(file_);
}

Result<void> LogSink::reopen() {
  if (!is_file()) return {};
  const auto file = open_to_append(path_);
  if (!file) return tl::unexpected(file.error());
  ::close(file_);
  file_ = *file;
  torn_ = false;
  return {};
}

/// The full file becomes `PATH.1`, that one `PATH.2`, and so on. False: it could not, and the file goes on.
bool LogSink::put_aside() {
  const auto name = [this](unsigned number) { return fmt::format("{}.{}", path_, number); };
  for (unsigned number = options_.backlogs; number > 1; --number)
    ::rename(name(number - 1).c_str(), name(number).c_str());  // there may be none yet
  return ::rename(path_.c_str(), name(1).c_str()) == 0 && reopen().has_value();
}

/// A file that would be too large begins again, as OpenSM's does.
void LogSink::make_room(std::size_t bytes) {
  struct stat file {};
  if (options_.most_bytes == 0 || ::fstat(file_, &file) != 0 || !S_ISREG(file.st_mode) ||
      static_cast<std::uint64_t>(file.st_size) + bytes <= options_.most_bytes)
    return;
  if (options_.backlogs == 0 || !put_aside()) empty(file_);
}

bool LogSink::write(std::string_view lines) {
  const std::string whole = (torn_ ? "\n" : "") + std::string(lines);
  make_room(whole.size());
  std::string_view left = whole;
  while (!left.empty()) {
    const ssize_t count = ::write(file_, left.data(), left.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      torn_ = torn_ || left.size() < whole.size();
      return false;
    }
    left.remove_prefix(static_cast<std::size_t>(count));
  }
  torn_ = false;
  return true;
}

}  // namespace rch::cli
