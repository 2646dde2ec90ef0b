#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/ids.h"

namespace rch::fabric {

/// Linear forwarding tables of a set of switches: one byte per (switch, LID), the exit port, kNoPath = drop.
///
/// One row-major array; rows run over LIDs 0..max_lid and are padded to whole blocks of 64 entries, the unit
/// in which switches are written (padding is kNoPath).
class ForwardingTables {
 public:
  static constexpr std::size_t kBlock = 64;

  ForwardingTables() = default;
  /// All entries kNoPath.
  ForwardingTables(std::size_t switch_count, Lid max_lid);
  /// Entries not set at all: for an engine that writes every row whole, padding included.
  static ForwardingTables uninitialised(std::size_t switch_count, Lid max_lid);

  ForwardingTables(ForwardingTables&&) = default;
  ForwardingTables& operator=(ForwardingTables&&) = default;
  ForwardingTables clone() const;

  std::size_t switch_count() const { return switch_count_; }
  Lid max_lid() const { return max_lid_; }
  /// Bytes from one row to the next, a multiple of kBlock.
  std::size_t stride() const { return stride_; }
  std::size_t blocks() const { return stride_ / kBlock; }
  std::span<std::uint8_t> row(SwitchId sw) { return {data_.get() + sw.index() * stride_, stride_}; }
  std::span<const std::uint8_t> row(SwitchId sw) const {
    return {data_.get() + sw.index() * stride_, stride_};
  }
  std::uint8_t at(SwitchId sw, Lid lid) const { return data_[sw.index() * stride_ + lid.index()]; }
  std::span<const std::uint8_t> bytes() const { return {data_.get(), switch_count_ * stride_}; }
  std::span<std::uint8_t> bytes() { return {data_.get(), switch_count_ * stride_}; }

 private:
  std::size_t switch_count_ = 0;
  std::size_t stride_ = 0;
  Lid max_lid_;
  std::unique_ptr<std::uint8_t[]> data_;
};

}  // namespace rch::fabric
