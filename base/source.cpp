#include "base/source.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <utility>

namespace rch {
namespace {

constexpr const char* kStandardInput = "<stdin>";  // its name in findings

/// Closes a descriptor at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

tl::unexpected<Error> system_failure(std::string_view verb, const std::filesystem::path& path, int error) {
  return fail(ErrorKind::usage, fmt::format("cannot {} `{}`: {}", verb, path.string(), std::strerror(error)));
}

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

SourceText::SourceText(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  line_starts_.push_back(0);
  for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1))
    line_starts_.push_back(static_cast<std::uint32_t>(at + 1));
}

Position SourceText::position(std::uint32_t offset) const {
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<std::uint32_t>(next - line_starts_.begin());
  return {line, offset - line_starts_[line - 1] + 1};
}

void SourceText::hide(std::uint32_t begin, std::uint32_t end) {
  for (std::size_t at = begin; at < std::min<std::size_t>(end, text_.size()); ++at)
    if (text_[at] != '\n' && text_[at] != '\r') text_[at] = '*';
}

std::string_view SourceText::line(std::uint32_t line) const {
  if (line == 0 || line > line_starts_.size()) return {};
  const std::size_t begin = line_starts_[line - 1];
  std::size_t end = line < line_starts_.size() ? line_starts_[line] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

SourceId SourceSet::add(std::string name, std::string text) {
  const auto id = SourceId(static_cast<std::uint32_t>(texts_.size()));
  texts_.emplace_back(std::move(name), std::move(text));
  return id;
}

void SourceSet::provide(const std::filesystem::path& path, std::string text) {
  provided_[path.lexically_normal()] = std::move(text);
}

Result<SourceId> SourceSet::load(const std::filesystem::path& given) {
  const std::filesystem::path path = given == "-" ? kStandardInput : given;
  if (const auto at = provided_.find(path.lexically_normal()); at != provided_.end())
    return add(path.string(), at->second);
  if (sealed_) return system_failure("read", path, ENOENT);
  auto text = read_file(given);
  if (!text) return tl::unexpected(text.error());
  if (text->size() >= std::numeric_limits<std::uint32_t>::max())
    return fail(ErrorKind::usage, fmt::format("cannot read `{}`: larger than 4 GiB", path.string()));
  return add(path.string(), std::move(*text));
}

/// Assigning an empty string would keep the memory of the old one.
void SourceSet::forget(SourceId id) {
  SourceText empty(texts_[id.index()].name(), {});
  std::swap(texts_[id.index()], empty);
}

bool SourceSet::exists(const std::filesystem::path& path) const {
  std::error_code ignored;
  return provided_.contains(path.lexically_normal()) || (!sealed_ && std::filesystem::exists(path, ignored));
}

std::string_view SourceSet::text(Span span) const {
  if (span.source.is_none()) return {};
  return at(span.source).text().substr(span.begin, span.end - span.begin);
}

namespace {

/// How long a FIFO waits for somebody who writes into it.
constexpr int kWriterMs = 1000;

bool wait_for_input(int fd, int milliseconds) {
  pollfd poll{fd, POLLIN, 0};
  return ::poll(&poll, 1, milliseconds) > 0;
}

/// Reads to the end. Of a FIFO that nobody has opened to write, that end is none yet: `writer_to_come`.
Result<std::string> read_all(const std::filesystem::path& path, int fd, std::size_t expected,
                             bool writer_to_come) {
  std::string text(expected + 1, '\0');  // one to spare, so that its end is found without more room
  std::size_t have = 0;
  while (true) {
    if (have == text.size()) text.resize(have + 65536);  // the file may have grown, or be one of /proc
    const ssize_t n = ::read(fd, text.data() + have, text.size() - have);
    if (n < 0 && errno == EAGAIN) wait_for_input(fd, -1);
    if (n < 0 && errno != EINTR && errno != EAGAIN) return system_failure("read", path, errno);
    if (n == 0 && !writer_to_come) break;
    if (n == 0 && !wait_for_input(fd, kWriterMs))
      return fail(ErrorKind::usage, fmt::format("cannot read `{}`: nobody writes into it", path.string()));
    writer_to_come = false;
    have += static_cast<std::size_t>(std::max<ssize_t>(n, 0));
  }
  text.resize(have);
  return text;
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path) {
  if (path == "-") return read_all(kStandardInput, STDIN_FILENO, 0, false);
  // O_NONBLOCK: opening a FIFO does not wait for ever.
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (fd.get() < 0) return system_failure("read", path, errno);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return system_failure("read", path, errno);
  const bool fifo = S_ISFIFO(info.st_mode);
  if (!S_ISREG(info.st_mode) && !fifo) {
    const char* what = S_ISDIR(info.st_mode) ? "is a folder" : "is not a regular file";
    return fail(ErrorKind::usage, fmt::format("cannot read `{}`: {}", path.string(), what));
  }
  return read_all(path, fd.get(), static_cast<std::size_t>(info.st_size), fifo);
}

namespace {

/// For what cannot be replaced by another file: a device, a pipe, a link.
Result<void> write_through(const std::filesystem::path& path, std::string_view content) {
  const Descriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (fd.get() < 0 || !write_all(fd.get(), content)) return system_failure("write", path, errno);
  return {};
}

/// Only the superuser can give a file away.
bool keeps_owner_and_mode(int fd, const struct stat& old) {
  return (::fchown(fd, old.st_uid, old.st_gid) == 0 || ::geteuid() != 0) &&
         ::fchmod(fd, old.st_mode & 07777) == 0;
}

}  // namespace

Result<void> write_file(const std::filesystem::path& path, std::string_view content) {
  struct stat info {};
  const bool replaces = ::lstat(path.c_str(), &info) == 0;
  if (replaces && !S_ISREG(info.st_mode)) return write_through(path, content);
  std::filesystem::path temporary = path;
  temporary += fmt::format(".{}.tmp", ::getpid());
  {
    const Descriptor fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (fd.get() < 0) return system_failure("write", path, errno);
    if ((replaces && !keeps_owner_and_mode(fd.get(), info)) || !write_all(fd.get(), content) ||
        ::fsync(fd.get()) != 0) {
      const int error = errno;
      ::unlink(temporary.c_str());
      return system_failure("write", path, error);
    }
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    return system_failure("write", path, error);
  }
  // The new name is on the disk when its folder is. Not every file system can say so.
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() >= 0) ::fsync(fd.get());
  return {};
}

}  // namespace rch
