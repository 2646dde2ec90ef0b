#pragma once

// Files that a manager keeps for its next start, beside the guid2lid file.

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace rch::cli {

/// The path of such a file.
std::string beside(const std::string& lid_file, std::string_view name);

/// Makes the folder of a file. Errors are left to the write that follows.
void make_folder_of(const std::string& path);

/// Makes the file, if it is not there. Only the user may read or write it from its first byte on; a write
/// that replaces it keeps that. Errors are left to that write.
void make_private(const std::string& path);

/// Replaces the file as a whole. `on_disk`: it is back when the content is on the disk (fsync). Fails (usage)
/// when it cannot be written.
Result<void> write_state(const std::string& path, std::string_view content, bool on_disk);

/// The files beside `lid_file` belong to one manager, until the end of the object or of the process. Fails
/// (usage) while another process has them. Nothing is locked where no file can be made: nothing is kept
/// there.
class StateLock {
 public:
  static Result<StateLock> take(const std::string& lid_file);
  StateLock(StateLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  StateLock& operator=(StateLock&&) = delete;
  ~StateLock();

 private:
  explicit StateLock(int file) : file_(file) {}

  int file_;  ///< -1: none
};

}  // namespace rch::cli
