#include "record/recorder.h"

#include <unistd.h>

#include <cstdlib>

#include <xxhash.h>
#include <zstd.h>

#include "record/append.h"

namespace rch::record {
namespace {

/// Datagrams are much alike: the fastest level packs them to a few percent.
constexpr int kLevel = 1;
/// A wall clock that moved less is the same one.
constexpr std::int64_t kSameClock = 10'000'000;

/// Records that are written out with the next one.
bool can_wait(const Record& record) {
  const auto* arrived = std::get_if<Arrived>(&record);
  return std::holds_alternative<Done>(record) || std::holds_alternative<WallClock>(record) ||
         std::holds_alternative<FileRead>(record) || (arrived != nullptr && arrived->datagrams.empty());
}

}  // namespace

std::int64_t Recorder::wall_clock_of_zero() {
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::nanoseconds(wall - hw::Clock::now().time_since_epoch()).count();
}

Result<std::unique_ptr<Recorder>> Recorder::create(const std::filesystem::path& path, RingLimits limits,
                                                   std::function<void(const Error&)> lost,
                                                   std::function<std::int64_t()> wall_clock) {
  std::unique_ptr<Recorder> recorder(new Recorder(path, limits, std::move(lost), std::move(wall_clock)));
  if (auto begun = recorder->begin_file(); !begun) return tl::unexpected(begun.error());
  return recorder;
}

Recorder::Recorder(const std::filesystem::path& path, RingLimits limits,
                   std::function<void(const Error&)> lost, std::function<std::int64_t()> wall_clock)
    : ring_(path, limits),
      lost_(std::move(lost)),
      wall_clock_(std::move(wall_clock)),
      packer_(ZSTD_createCCtx(), ZSTD_freeCCtx) {
  const std::int64_t seed[] = {wall_clock_of_zero(), hw::Clock::now().time_since_epoch().count(), getpid()};
  session_ = XXH3_64bits(seed, sizeof seed);
  ZSTD_CCtx_setParameter(packer_.get(), ZSTD_c_compressionLevel, kLevel);
}

Recorder::~Recorder() {
  put(Ended{});
  if (!is_lost_) write_chunk(true);
}

void Recorder::put(const Record& record) {
  const std::lock_guard lock(mutex_);
  if (is_lost_) return;
  encode(record, records_);
  if (!can_wait(record)) write_out();
}

void Recorder::on_arrival(std::span<const hw::Datagram> arrived, hw::TimePoint now) {
  note_wall_clock();
  put(Arrived{{arrived.begin(), arrived.end()}, now});
}

void Recorder::on_turn(hw::TimePoint now) { put(Turn{now}); }

void Recorder::on_effects(const hw::Effects& effects) {
  if (Done done = done_of(effects); !done.nothing()) put(std::move(done));
}

void Recorder::note_wall_clock() {
  const std::int64_t offset = wall_clock_();
  if (std::abs(offset - wall_offset_) < kSameClock) return;
  wall_offset_ = offset;
  put(WallClock{offset});
}

Result<void> Recorder::begin_file() {
  if (auto next = ring_.next(); !next) return next;
  chunks_ = 0;
  wall_offset_ = wall_clock_();
  encode(WallClock{wall_offset_}, records_);
  std::string head(kRecordingMagic);
  append(head, kRecordingVersion);
  append(head, session_);
  append(head, files_++);
  append(head, XXH3_64bits(head.data(), head.size()));
  return ring_.write(head);
}

/// Everything that waits, as one chunk.
Result<void> Recorder::write_chunk(bool last) {
  ZSTD_inBuffer in{records_.data(), records_.size(), 0};
  chunk_.clear();
  for (std::size_t rest = 1; rest != 0;) {
    const std::size_t have = chunk_.size();
    chunk_.resize(have + ZSTD_CStreamOutSize());
    ZSTD_outBuffer out{chunk_.data(), chunk_.size(), have};
    rest = ZSTD_compressStream2(packer_.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_flush);
    chunk_.resize(out.pos);
  }
  records_.clear();
  std::string head;
  append(head, static_cast<std::uint32_t>(chunk_.size()));
  append(head, XXH3_64bits_withSeed(chunk_.data(), chunk_.size(), chunks_++));
  chunk_.insert(0, head);
  return ring_.write(chunk_);
}

void Recorder::write_out() {
  auto written = write_chunk(false);
  if (written && ring_.full()) {
    encode(Continued{}, records_);
    written = write_chunk(true);
    if (written) written = begin_file();
  }
  if (written) return;
  is_lost_ = true;
  lost_(written.error());
}

}  // namespace rch::record
