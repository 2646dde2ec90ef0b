#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "verify/transition/change.h"

namespace rch::verify {

/// Knows what is in the switches after each round, and turns decisions by entry into blocks to write.
class BlockWriter {
 public:
  explicit BlockWriter(const Change& change);

  /// Numbers of the blocks that are to be written on some switch, ascending.
  const std::vector<std::size_t>& numbers() const { return numbers_; }

  /// Adds to the round the blocks of this number that change when entries become `entry(sw, lid, now)`, on
  /// all switches.
  template <class Entry>
  void write(std::size_t number, const Entry& entry, fabric::WriteRound& round) {
    for_places(number, [&](std::size_t place) {
      fabric::BlockWrite write{change_.blocks[place], {}};
      const auto now = now_at(place);
      for (std::size_t i = 0; i < kBlock; ++i)
        write.entries[i] = entry(write.at.sw, Lid(static_cast<std::uint16_t>(number * kBlock + i)), now[i]);
      if (!std::ranges::equal(write.entries, now)) send(place, write, round);
    });
  }

  /// Adds blocks that differ from the target, and those that were never written, as they may hold anything.
  void finish(std::size_t number, fabric::WriteRound& round) {
    for_places(number, [&](std::size_t place) {
      const auto target = block_of(change_.target, change_.blocks[place]);
      if (sent_[place] && std::ranges::equal(target, now_at(place))) return;
      fabric::BlockWrite write{change_.blocks[place], {}};
      std::ranges::copy(target, write.entries.begin());
      send(place, write, round);
    });
  }

 private:
  template <class F>
  void for_places(std::size_t number, const F& f) {
    const auto at = static_cast<std::size_t>(std::ranges::lower_bound(numbers_, number) - numbers_.begin());
    for (std::size_t place = first_[at]; place < first_[at + 1]; ++place) f(place);
  }
  std::span<std::uint8_t> now_at(std::size_t place) {
    return std::span(now_).subspan(place * kBlock, kBlock);
  }
  void send(std::size_t place, const fabric::BlockWrite& write, fabric::WriteRound& round) {
    sent_[place] = true;
    std::ranges::copy(write.entries, now_at(place).begin());
    round.writes.push_back(write);
  }

  const Change& change_;
  std::vector<std::uint8_t> now_;  ///< entries by place in change_.blocks
  std::vector<std::size_t> numbers_;
  std::vector<std::size_t> first_;  ///< by number: its first place in change_.blocks; and one past the last
  std::vector<bool> sent_;          ///< by place in change_.blocks
};

}  // namespace rch::verify
