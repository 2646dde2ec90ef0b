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
  explicit JournalFile(std::string path) : path_(std::move(path)) {}
  ~JournalFile() { close(); }
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;

  /// Is back when it is on the disk. When it fails, the file is removed: one that lacks something must not be
  /// taken for whole by the next process.
  Result<void> keep(const hw::Keeping& keeping);

 private:
  Result<void> write(const hw::Keeping& keeping);
  void close();

  std::string path_;
  int file_ = -1;  ///< open at its end
};

}  // namespace rch::cli
