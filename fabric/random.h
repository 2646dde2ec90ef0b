#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace rch::fabric {

/// Random numbers that are the same on every machine (the distributions of the standard library are not).
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// 0 .. bound - 1, each as likely; `bound` must not be 0.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t limit = ~std::uint64_t{0} - ~std::uint64_t{0} % bound;
    std::uint64_t value = engine_();
    while (value >= limit) value = engine_();
    return value % bound;
  }

  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace rch::fabric
