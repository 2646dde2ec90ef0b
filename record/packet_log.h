#pragma once

#include <array>
#include <functional>
#include <memory>

#include "hw/exchange.h"
#include "record/file_ring.h"

namespace rch::record {

/// Writes what an exchange sends and receives as packets, in pcap files that Wireshark reads. Not known, and
/// written as 0: the CRCs of a packet, and our own LID and GID before our port told them.
/// What is sent has the capture interface 1, what is received 0.
class PacketLog : public hw::Tap {
 public:
  /// `lost` is told once, when the log ends because it cannot be written. `wall_clock` gives the wall clock
  /// of TimePoint 0, in nanoseconds. Fails (usage) when `path` cannot be written.
  static Result<std::unique_ptr<PacketLog>> create(const std::filesystem::path& path, RingLimits limits,
                                                   std::function<void(const Error&)> lost,
                                                   std::function<std::int64_t()> wall_clock);

  void on_arrival(std::span<const hw::Datagram> arrived, hw::TimePoint now) override;
  void on_turn(hw::TimePoint now) override { now_ = now; }
  void on_effects(const hw::Effects& effects) override;

 private:
  PacketLog(const std::filesystem::path& path, RingLimits limits, std::function<void(const Error&)> lost,
            std::function<std::int64_t()> wall_clock)
      : ring_(path, limits), lost_(std::move(lost)), wall_clock_(std::move(wall_clock)) {}
  Result<void> begin_file();
  void learn_own_address(const hw::Datagram& answer);
  void add(const hw::Datagram& datagram, std::uint16_t from, std::uint16_t to, bool sent);
  void write_out();

  FileRing ring_;
  std::function<void(const Error&)> lost_;
  std::function<std::int64_t()> wall_clock_;
  hw::TimePoint now_{};
  std::uint16_t own_lid_ = 0;
  std::array<std::uint8_t, 16> own_gid_{};
  std::string packets_;
  bool is_lost_ = false;
};

}  // namespace rch::record
