#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engines/engine.h"

namespace rch::engines::dfsssp {

/// Hops between switches modulo 4, two bits each. The ends of a link differ by one hop at most, so two bits
/// tell which end is nearer to a destination: for many destinations at once. These are numbered by structure,
/// so that consecutive ones mostly have the same next hops, whatever their GUIDs.
class HopBits {
 public:
  static constexpr std::size_t kWords = 4;
  /// A bit for each of 64 * kWords consecutive destinations.
  using Block = std::array<std::uint64_t, kWords>;

  /// `order`: all switches; the order of destinations.
  HopBits(const HopMatrix& hops, std::vector<SwitchId> order);

  std::size_t switch_count() const { return order_.size(); }
  const std::vector<SwitchId>& order() const { return order_; }
  std::size_t blocks() const { return blocks_; }

  /// Destinations of a block to which a neighbour is nearer.
  Block nearer(SwitchId own, SwitchId neighbor, std::size_t block) const {
    const Pair& a = pairs_[own.index() * blocks_ + block];
    const Pair& b = pairs_[neighbor.index() * blocks_ + block];
    Block found;
    for (std::size_t w = 0; w < kWords; ++w)  // a == b + 1
      found[w] = (a.low[w] ^ b.low[w]) & ~(a.high[w] ^ b.high[w] ^ b.low[w]);
    return found;
  }

 private:
  struct Pair {
    Block low{}, high{};
  };

  std::vector<SwitchId> order_;
  std::size_t blocks_;
  std::vector<Pair> pairs_;  ///< by switch, then block
};

using BitSquare = std::array<std::uint64_t, 64>;
/// Bit c of word r becomes bit r of word c.
void transpose(BitSquare& bits);

}  // namespace rch::engines::dfsssp
