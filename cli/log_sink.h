#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rch::cli {

/// Where the lines of a log go: a file that is appended to, or standard output. Not for two threads at a
/// time.
class LogSink {
 public:
  /// Empty: standard output. Fails (usage) when the file cannot be opened.
  static Result<std::unique_ptr<LogSink>> open(const std::string& path);
  ~LogSink();
  LogSink(const LogSink&) = delete;
  LogSink& operator=(const LogSink&) = delete;

  /// Opens the file by its name again: it may have been moved away. On a failure (usage) the file that is
  /// open stays.
  Result<void> reopen();
  /// Writes whole lines. False: they are lost, because the disk is full.
  bool write(std::string_view lines);
  bool is_file() const { return !path_.empty(); }

 private:
  LogSink(std::string path, int file) : path_(std::move(path)), file_(file) {}

  const std::string path_;
  int file_;
  bool torn_ = false;  ///< the file ends in half a line
};

}  // namespace rch::cli
