#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace rch::record {

struct RingLimits {
  std::uint64_t file_bytes = std::uint64_t{64} << 20;  ///< a file that is as large is followed by the next
  unsigned files = 16;
};

/// Files of bounded number and size: FILE is the newest, then come FILE.1, FILE.2, and so on. The oldest is
/// removed when there are too many. Only the user may read them.
class FileRing {
 public:
  FileRing(std::filesystem::path path, RingLimits limits) : path_(std::move(path)), limits_(limits) {}
  ~FileRing();
  FileRing(const FileRing&) = delete;
  FileRing& operator=(const FileRing&) = delete;

  /// Renames the files there are, and begins a new FILE. Fails (usage) when it cannot.
  Result<void> next();
  /// Fails (usage) when the disk is full.
  Result<void> write(std::string_view bytes);
  bool full() const { return written_ >= limits_.file_bytes; }

 private:
  std::filesystem::path path_;
  RingLimits limits_;
  int descriptor_ = -1;
  std::uint64_t written_ = 0;
};

/// FILE.`number`; number 0: FILE.
std::filesystem::path ring_file(const std::filesystem::path& path, unsigned number);

}  // namespace rch::record
