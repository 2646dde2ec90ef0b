// Elements are polynomials over the integers modulo a prime; the number of one has its coefficients as
// digits. The generator is x modulo a monic polynomial, searched until the powers of x meet every element but
// 0. For a field of prime size that polynomial is x - g, which makes x the number g.

#include "fabric/galois_field.h"

#include <utility>

namespace rch::fabric {
namespace {

std::uint32_t smallest_prime_factor(std::uint32_t n) {
  for (std::uint32_t p = 2; p * p <= n; ++p)
    if (n % p == 0) return p;
  return n;
}

/// Powers of x, starting with x^0, modulo x^n - `rest`, until 1 comes again or 0 does.
std::vector<std::uint32_t> powers_of_x(std::uint32_t prime, std::uint32_t q, std::uint32_t rest) {
  std::vector<std::uint32_t> powers{1};
  while (powers.size() < q) {
    const std::uint32_t top = powers.back() / (q / prime);
    std::uint32_t next = powers.back() % (q / prime) * prime;  // times x, without the term x^n
    std::uint32_t sum = 0;
    for (std::uint32_t digit = 1, term = rest; digit < q; digit *= prime, term /= prime, next /= prime)
      sum += (next + top * (term % prime)) % prime * digit;
    if (sum <= 1) break;
    powers.push_back(sum);
  }
  return powers;
}

}  // namespace

std::optional<GaloisField> GaloisField::of(std::uint32_t q) {
  if (q < 2) return std::nullopt;
  const std::uint32_t prime = smallest_prime_factor(q);
  for (std::uint32_t left = q; left > 1; left /= prime)
    if (left % prime != 0) return std::nullopt;
  for (std::uint32_t rest = 1; rest < q; ++rest)
    if (auto powers = powers_of_x(prime, q, rest); powers.size() == q - 1)
      return GaloisField(prime, std::move(powers));
  return std::nullopt;
}

GaloisField::GaloisField(std::uint32_t prime, std::vector<std::uint32_t> powers)
    : prime_(prime), powers_(std::move(powers)), logarithms_(powers_.size() + 1) {
  for (std::uint32_t e = 0; e < powers_.size(); ++e) logarithms_[powers_[e]] = e;
}

std::uint32_t GaloisField::add(std::uint32_t a, std::uint32_t b) const {
  std::uint32_t sum = 0;
  for (std::uint32_t digit = 1; digit < size(); digit *= prime_, a /= prime_, b /= prime_)
    sum += (a + b) % prime_ * digit;
  return sum;
}

}  // namespace rch::fabric
