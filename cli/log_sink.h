#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rch::cli {

struct LogSinkOptions {
  bool accumulate = true;        ///< false: the file is emptied when it is opened first
  std::uint64_t most_bytes = 0;  ///< of the file, which then begins anew; 0: no limit
  unsigned backlogs = 0;         ///< full files that are kept: `PATH.1` is the last one
};

/// Where the lines of a log go: a file that is appended to, or standard output. Not for two threads at a
/// time.
class LogSink {
 public:
  /// Empty: standard output. Fails (usage) when the file cannot be opened.
  static Result<std::unique_ptr<LogSink>> open(const std::string& path, const LogSinkOptions& options = {});
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
  LogSink(std::string path, int file, const LogSinkOptions& options)
      : path_(std::move(path)), options_(options), file_(file) {}
  void make_room(std::size_t bytes);
  bool put_aside();

  const std::string path_;
  const LogSinkOptions options_;
  int file_;
  bool torn_ = false;  ///< the file ends in half a line
};

}  // namespace rch::cli
