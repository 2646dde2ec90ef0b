#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>

#include "cli/json.h"

namespace rch::cli {

/// The last events of the log, numbered from 1, for those who watch. Any thread may call it.
class EventLog {
 public:
  /// `most`: events that are kept.
  explicit EventLog(std::size_t most = 10000) : most_(most) {}

  /// `event` is an object. The oldest event goes if there are too many.
  /// Returns the line of JSON, with its end.
  std::string add(const Json& event);
  /// The number that the next event gets.
  std::uint64_t next() const;
  /// A line of JSON with its end: the event `number`, which becomes that of the next line. Events that are
  /// gone are one line that says so. Empty: no such event yet.
  std::string take(std::uint64_t& number) const;

 private:
  const std::size_t most_;
  mutable std::mutex mutex_;
  std::deque<std::string> lines_;
  std::uint64_t first_ = 1;  ///< number of the first line
};

}  // namespace rch::cli
