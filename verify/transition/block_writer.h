#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "verify/transition/change.h"

namespace rch::verify {

/// Knows what is in the switches after each batch, and turns decisions by entry into blocks to write.
class BlockWriter {
 public:
  explicit BlockWriter(const Change& change);

  /// Numbers of the blocks that are to be written on some switch, ascending.
  const std::vector<std::size_t>& numbers() const { return numbers_; }

  /// Adds to the batch the blocks of this number that change when entries become `entry(sw, lid, now)`, on
  /// all switches.
  template <class Entry>
  void write(std::size_t number, const Entry& entry, fabric::Batch& batch) {
    for_places(number, [&](std::size_t place) {
      fabric::BlockWrite write{change_.blocks[place], {}};
      const auto now = now_at(place);
      for (std::size_t i = 0; i < kBlock; ++i)
        write.entries[i] = entry(write.at.sw, Lid(static_cast<std::uint16_t>(number * kBlock + i)), now[i]);
      if (!std::ranges::equal(write.entries, now)) send(place, write, batch);
    });
  }

  /// Adds what is not as wanted yet, and blocks that were never written as they may hold anything.
  void finish(std::size_t number, fabric::Batch& batch) {
    for_places(number, [&](std::size_t place) {
      const auto wanted = block_of(change_.wanted, change_.blocks[place]);
      if (sent_[place] && std::ranges::equal(wanted, now_at(place))) return;
      fabric::BlockWrite write{change_.blocks[place], {}};
      std::ranges::copy(wanted, write.entries.begin());
      send(place, write, batch);
    });
  }

 private:
  static constexpr std::size_t kBlock = fabric::ForwardingTables::kBlock;

  template <class F>
  void for_places(std::size_t number, const F& f) {
    const auto at = static_cast<std::size_t>(std::ranges::lower_bound(numbers_, number) - numbers_.begin());
    for (std::size_t place = first_[at]; place < first_[at + 1]; ++place) f(place);
  }
  std::span<std::uint8_t> now_at(std::size_t place) {
    return std::span(now_).subspan(place * kBlock, kBlock);
  }
  void send(std::size_t place, const fabric::BlockWrite& write, fabric::Batch& batch) {
    sent_[place] = true;
    std::ranges::copy(write.entries, now_at(place).begin());
    batch.writes.push_back(write);
  }

  const Change& change_;
  std::vector<std::uint8_t> now_;  ///< entries by place in change_.blocks
  std::vector<std::size_t> numbers_;
  std::vector<std::size_t> first_;  ///< by number: its first place in change_.blocks; and one past the last
  std::vector<bool> sent_;          ///< by place in change_.blocks
};

}  // namespace rch::verify
