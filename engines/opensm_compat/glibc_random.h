#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rch::engines::opensm_compat {

/// The numbers that glibc's random() gives after srandom(seed): an additive feedback generator over 31 words,
/// r[i] = r[i-3] + r[i-31], of which the upper 31 bits are given out. OpenSM draws from it to scatter ports.
class GlibcRandom {
 public:
  explicit GlibcRandom(std::uint32_t seed) {
    constexpr std::int64_t kMultiplier = 16807, kModulus = 2147483647;
    std::int64_t word = static_cast<std::int32_t>(seed == 0 ? 1 : seed);
    for (std::uint32_t& w : words_) {
      w = static_cast<std::uint32_t>(word);
      word = kMultiplier * word % kModulus;
      if (word < 0) word += kModulus;
    }
    for (std::size_t i = 0; i < 10 * words_.size(); ++i) next();
  }

  std::uint32_t next() {
    words_[front_] += words_[rear_];
    const std::uint32_t drawn = words_[front_] >> 1;
    front_ = front_ + 1 == words_.size() ? 0 : front_ + 1;
    rear_ = rear_ + 1 == words_.size() ? 0 : rear_ + 1;
    return drawn;
  }

 private:
  std::array<std::uint32_t, 31> words_;
  std::size_t front_ = 3, rear_ = 0;
};

}  // namespace rch::engines::opensm_compat
