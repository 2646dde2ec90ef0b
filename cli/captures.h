#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/source.h"
#include "cli/flags.h"
#include "record/packet_log.h"
#include "record/recorder.h"

namespace rch::cli {

/// Where to write what a manager gets and does; empty: nowhere.
struct CaptureFlags {
  std::string record, pcap;
  std::uint32_t ring_size = 64, ring_files = 16;

  record::RingLimits limits() const { return {std::uint64_t{ring_size} << 20U, ring_files}; }
};
/// `--record`, `--pcap`, `--ring-size` and `--ring-files`.
void add_captures(const Command& command, CaptureFlags& flags);
/// `--pcap` and the limits.
void add_packet_log(const Command& command, CaptureFlags& flags);

/// The files that a manager writes of itself while it runs.
class Captures {
 public:
  /// Fails (usage) when a file cannot be written. `lost`: one cannot be written any more.
  static Result<Captures> create(const CaptureFlags& flags, const std::function<void(const Error&)>& lost);

  /// `exchange` must not be used after the captures have ended.
  void tap(hw::Exchange& exchange) const;
  /// Any thread may call it.
  void put(const record::Record& record) const;
  /// Files that were read.
  void put_files(const SourceSet& sources) const;

 private:
  std::unique_ptr<record::Recorder> recorder_;
  std::unique_ptr<record::PacketLog> packets_;
};

}  // namespace rch::cli
