#include "cli/log_sink.h"

#include <fcntl.h>
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

}  // namespace

Result<std::unique_ptr<LogSink>> LogSink::open(const std::string& path) {
  if (path.empty()) return std::unique_ptr<LogSink>(new LogSink(path, STDOUT_FILENO));
  const auto file = open_to_append(path);
  if (!file) return tl::unexpected(file.error());
  return std::unique_ptr<LogSink>(new LogSink(path, *file));
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

bool LogSink::write(std::string_view lines) {
  const std::string whole = (torn_ ? "\n" : "") + std::string(lines);
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
