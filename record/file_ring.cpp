#include "record/file_ring.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace rch::record {
namespace {

tl::unexpected<Error> cannot_write(const std::filesystem::path& path, int code) {
  return fail(ErrorKind::usage,
              fmt::format("cannot write `{}`: {}", path.string(), std::generic_category().message(code)));
}

}  // namespace

std::filesystem::path ring_file(const std::filesystem::path& path, unsigned number) {
  std::filesystem::path file = path;
  if (number > 0) file += fmt::format(".{}", number);
  return file;
}

FileRing::~FileRing() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> FileRing::next() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  std::error_code ignored;
  const auto present = std::filesystem::symlink_status(path_, ignored).type();
  using std::filesystem::file_type;
  if (present != file_type::not_found && present != file_type::regular)
    return fail(ErrorKind::usage, fmt::format("cannot write `{}`: it is no regular file", path_.string()));
  unsigned last = 0;  // behind it a number is free, or the ring ends
  while (last + 1 < limits_.files && std::filesystem::exists(ring_file(path_, last), ignored)) ++last;
  for (unsigned number = last; number > 0; --number)
    std::filesystem::rename(ring_file(path_, number - 1), ring_file(path_, number), ignored);
  written_ = 0;
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor_ < 0) return cannot_write(path_, errno);
  return {};
}

Result<void> FileRing::write(std::string_view bytes) {
  written_ += bytes.size();
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return cannot_write(path_, count < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

}  // namespace rch::record
