#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "hw/exchange.h"
#include "record/file_ring.h"
#include "record/record.h"

struct ZSTD_CCtx_s;

namespace rch::record {

// A file: `rch-rec`, a version (u32), the session (u64), its number in the session from 0 (u32), and the XXH3
// hash of these. Then chunks, each a size (u32), the XXH3 hash of its bytes with the number of the chunk as
// seed, and the bytes: a part of one zstd frame, flushed. A chunk holds whole records. Integers are
// little-endian. The last record of a session is Ended; of a file that another one follows, Continued.

inline constexpr std::string_view kRecordingMagic = "rch-rec\n";
inline constexpr std::uint32_t kRecordingVersion = 4;

/// Writes what an exchange gets and does into files.
///
/// An event is handed to the system before it is handled; what it brought goes with the next one. A session
/// may need several files. Without the first of them it cannot be replayed.
class Recorder : public hw::Tap {
 public:
  /// `lost` is told once, when the recording ends because it cannot be written. `wall_clock` gives the wall
  /// clock of TimePoint 0, in nanoseconds.
  /// Fails (usage) when `path` cannot be written.
  static Result<std::unique_ptr<Recorder>> create(
      const std::filesystem::path& path, RingLimits limits, std::function<void(const Error&)> lost,
      std::function<std::int64_t()> wall_clock = wall_clock_of_zero);
  /// Ends the session.
  ~Recorder() override;

  /// Any thread may call it.
  void put(const Record& record);

  void on_arrival(std::span<const hw::Datagram> arrived, hw::TimePoint now) override;
  void on_job_done(hw::JobId job) override { put(JobDone{job}); }
  void on_broken(const Error& error) override { put(Broken{error}); }
  void on_stop() override { put(StopAsked{}); }
  void on_turn(hw::TimePoint now) override;
  void on_effects(const hw::Effects& effects) override;

  static std::int64_t wall_clock_of_zero();

 private:
  Recorder(const std::filesystem::path& path, RingLimits limits, std::function<void(const Error&)> lost,
           std::function<std::int64_t()> wall_clock);
  Result<void> begin_file();
  Result<void> write_chunk(bool last);
  void write_out();
  void note_wall_clock();

  std::mutex mutex_;
  FileRing ring_;
  std::function<void(const Error&)> lost_;
  std::function<std::int64_t()> wall_clock_;
  std::unique_ptr<ZSTD_CCtx_s, std::size_t (*)(ZSTD_CCtx_s*)> packer_;
  std::uint64_t session_;
  std::uint32_t files_ = 0;
  std::uint64_t chunks_ = 0;  ///< of this file
  std::int64_t wall_offset_ = 0;
  std::string records_, chunk_;
  bool is_lost_ = false;
};

}  // namespace rch::record
