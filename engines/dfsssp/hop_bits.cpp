#include "engines/dfsssp/hop_bits.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"

namespace rch::engines::dfsssp {
namespace {

/// An unknown distance borders on 254 hops, which is 2 modulo 4. Coded as 0 it is neither nearer nor farther
/// by one.
std::uint8_t code(std::uint8_t hops) { return hops == HopMatrix::kUnknown ? 0 : hops; }

std::uint64_t eight(const std::uint8_t* bytes) {
  const auto byte = [&](unsigned i) { return std::uint64_t{bytes[i]} << (8 * i); };
  return byte(0) | byte(1) | byte(2) | byte(3) | byte(4) | byte(5) | byte(6) | byte(7);  // one load
}

/// The lowest bit of each byte, the first byte's lowest.
std::uint64_t lowest_bits(std::uint64_t bytes) {
  return (bytes & 0x0101010101010101) * 0x0102040810204080 >> 56;
}

}  // namespace

HopBits::HopBits(const HopMatrix& hops, std::vector<SwitchId> order)
    : order_(std::move(order)),
      blocks_((order_.size() + 64 * kWords - 1) / (64 * kWords)),
      pairs_(order_.size() * blocks_) {
  constexpr std::size_t kGrain = 64;
  parallel_ranges(order_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint8_t> row(blocks_ * 64 * kWords);
    for (std::size_t s = begin; s < end; ++s) {
      const auto hops_to = [of = hops.row(SwitchId(static_cast<std::uint32_t>(s))).data()](SwitchId to) {
        return code(of[to.index()]);
      };
      std::ranges::transform(order_, row.begin(), hops_to);
      for (std::size_t i = 0; i < row.size(); i += 8) {
        Pair& pair = pairs_[s * blocks_ + i / (64 * kWords)];
        const std::uint64_t bytes = eight(row.data() + i);
        pair.low[i / 64 % kWords] |= lowest_bits(bytes) << (i % 64);
        pair.high[i / 64 % kWords] |= lowest_bits(bytes >> 1) << (i % 64);
      }
    }
  });
}

/// Hacker's Delight, 7-3: swaps blocks of 32, then of 16, and so on.
void transpose(BitSquare& bits) {
  std::uint64_t mask = 0x00000000FFFFFFFF;
  for (std::size_t width = 32; width != 0; width /= 2, mask ^= mask << width)
    for (std::size_t r = 0; r < 64; r = (r + width + 1) & ~width) {
      const std::uint64_t swapped = ((bits[r] >> width) ^ bits[r + width]) & mask;
      bits[r] ^= swapped << width;
      bits[r + width] ^= swapped;
    }
}

}  // namespace rch::engines::dfsssp
