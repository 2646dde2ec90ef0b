#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace rch::fabric {

/// The finite field of q elements, numbered 0..q-1; 0 and 1 are the neutral elements.
class GaloisField {
 public:
  /// Nothing if q is no power of a prime.
  static std::optional<GaloisField> of(std::uint32_t q);

  std::uint32_t size() const { return static_cast<std::uint32_t>(powers_.size()) + 1; }
  std::uint32_t add(std::uint32_t a, std::uint32_t b) const;
  std::uint32_t multiply(std::uint32_t a, std::uint32_t b) const {
    return a == 0 || b == 0 ? 0 : power(logarithms_[a] + logarithms_[b]);
  }
  /// The generator of the multiplicative group to this power.
  std::uint32_t power(std::uint32_t exponent) const { return powers_[exponent % powers_.size()]; }

 private:
  GaloisField(std::uint32_t prime, std::vector<std::uint32_t> powers);

  std::uint32_t prime_;
  std::vector<std::uint32_t> powers_;      ///< of the generator
  std::vector<std::uint32_t> logarithms_;  ///< by element
};

}  // namespace rch::fabric
