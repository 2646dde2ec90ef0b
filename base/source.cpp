#include "base/source.h"

#include <fcntl.h>
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

Result<SourceId> SourceSet::load(const std::filesystem::path& path) {
  if (const auto at = provided_.find(path.lexically_normal()); at != provided_.end())
    return add(path.string(), at->second);
  auto text = read_file(path);
  if (!text) return tl::unexpected(text.error());
  if (text->size() >= std::numeric_limits<std::uint32_t>::max())
    return fail(ErrorKind::usage, fmt::format("cannot read `{}`: larger than 4 GiB", path.string()));
  return add(path.string(), std::move(*text));
}

bool SourceSet::exists(const std::filesystem::path& path) const {
  std::error_code ignored;
  return provided_.contains(path.lexically_normal()) || std::filesystem::exists(path, ignored);
}

std::string_view SourceSet::text(Span span) const {
  if (span.source.is_none()) return {};
  return at(span.source).text().substr(span.begin, span.end - span.begin);
}

Result<std::string> read_file(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a FIFO must not wait for a writer; it is refused below.
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (fd.get() < 0) return system_failure("read", path, errno);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return system_failure("read", path, errno);
  if (!S_ISREG(info.st_mode)) {
    const char* what = S_ISDIR(info.st_mode) ? "is a folder" : "is not a regular file";
    return fail(ErrorKind::usage, fmt::format("cannot read `{}`: {}", path.string(), what));
  }
  std::string text(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t have = 0;
  while (true) {
    if (have == text.size()) text.resize(have + 65536);  // the file may have grown, or be one of /proc
    const ssize_t n = ::read(fd.get(), text.data() + have, text.size() - have);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_failure("read", path, errno);
    if (n == 0) break;
    have += static_cast<std::size_t>(n);
  }
  text.resize(have);
  return text;
}

namespace {

/// For what cannot be replaced by another file: a device, a pipe, a link.
Result<void> write_through(const std::filesystem::path& path, std::string_view content) {
  const Descriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (fd.get() < 0 || !write_all(fd.get(), content)) return system_failure("write", path, errno);
  return {};
}

}  // namespace

Result<void> write_file(const std::filesystem::path& path, std::string_view content) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) return write_through(path, content);
  std::filesystem::path temporary = path;
  temporary += fmt::format(".{}.tmp", ::getpid());
  {
    const Descriptor fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (fd.get() < 0) return system_failure("write", path, errno);
    if (!write_all(fd.get(), content)) {
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
  return {};
}

}  // namespace rch
