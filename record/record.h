#pragma once

// What a recording holds: the events of a subnet manager in the order in which it handled them, and hashes of
// what it did then. A manager that gets the same events does the same, byte for byte.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hw/exchange.h"

namespace rch::record {

/// A file that was read before the next Started or Asked.
struct FileRead {
  std::string path;
  Result<std::string> content;
};
/// The manager starts. `options` are those of who records.
struct Started {
  std::string version, options;
  hw::TimePoint now;
};
/// Wall clock of TimePoint 0, when it is another one than before.
struct WallClock {
  std::int64_t offset_ns = 0;
};

// Events of the exchange.
struct Arrived {
  std::vector<hw::Datagram> datagrams;
  hw::TimePoint now;
};
struct JobDone {
  hw::JobId job;
};
struct Broken {
  Error error;
};
struct StopAsked {};
struct Turn {
  hw::TimePoint now;
};

/// A request of the operator.
struct Asked {
  std::string request;
};
/// A job kept a plan or its LIDs, or failed to.
struct FileKept {
  Result<void> result;
};

/// What the Turn before brought; no such record: nothing.
struct Done {
  bool show_sm = false;
  std::vector<std::uint64_t> datagrams;  ///< a hash each
  std::vector<hw::JobId> jobs;

  bool nothing() const { return !show_sm && datagrams.empty() && jobs.empty(); }
  friend bool operator==(const Done&, const Done&) = default;
};

/// The manager has ended.
struct Ended {};
/// The session goes on in the next file.
struct Continued {};

using Record = std::variant<FileRead, Started, WallClock, Arrived, JobDone, Broken, StopAsked, Turn, Asked,
                            FileKept, Done, Ended, Continued>;

/// The hashes of what an exchange wants done.
Done done_of(const hw::Effects& effects);

/// Appends a record as bytes. Integers are little-endian.
void encode(const Record& record, std::string& bytes);
/// Takes a record from the front of `bytes`. None: they begin with no record.
std::optional<Record> decode(std::string_view& bytes);

}  // namespace rch::record
