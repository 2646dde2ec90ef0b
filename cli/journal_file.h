#pragma once

#include <string>

#include "base/result.h"
#include "hw/service.h"

namespace rch::cli {

/// Where the registrations of hosts are kept, beside the LIDs.
std::string journal_file(const std::string& lid_file);

/// The file of registrations. Only the user may read it: services have keys.
class JournalFile {
 public:
  /// `on_disk` FALSE: keep() does not wait for the disk.
  explicit JournalFile(std::string path, bool on_disk = true) : path_(std::move(path)), on_disk_(on_disk) {}
  ~JournalFile() { close(); }
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;

  /// Is back when it is on the disk, or written where `on_disk` is false. When it fails, the file is removed:
  /// one that lacks something must not be taken for whole by the next process.
  Result<void> keep(const hw::Keeping& keeping);

 private:
  Result<void> write(const hw::Keeping& keeping);
  void close();

  std::string path_;
  bool on_disk_;
  int file_ = -1;  ///< open at its end
};

}  // namespace rch::cli
