#include "hw/key_source.h"

#include <bit>

namespace rch::hw {
namespace {

/// SipHash-2-4 (Aumasson, Bernstein 2012) of one word of 8 bytes, by a key of two words.
class SipHash {
 public:
  SipHash(std::uint64_t key0, std::uint64_t key1)
      : v0_(key0 ^ 0x736f6d6570736575),
        v1_(key1 ^ 0x646f72616e646f6d),
        v2_(key0 ^ 0x6c7967656e657261),
        v3_(key1 ^ 0x7465646279746573) {}

  std::uint64_t of(std::uint64_t word) {
    constexpr std::uint64_t kLength = 8;
    absorb(word);
    absorb(kLength << 56U);
    v2_ ^= 0xFF;
    for (int rounds = 0; rounds < 4; ++rounds) round();
    return v0_ ^ v1_ ^ v2_ ^ v3_;
  }

 private:
  void absorb(std::uint64_t word) {
    v3_ ^= word;
    round();
    round();
    v0_ ^= word;
  }
  void round() {
    v0_ += v1_, v1_ = std::rotl(v1_, 13) ^ v0_, v0_ = std::rotl(v0_, 32);
    v2_ += v3_, v3_ = std::rotl(v3_, 16) ^ v2_;
    v0_ += v3_, v3_ = std::rotl(v3_, 21) ^ v0_;
    v2_ += v1_, v1_ = std::rotl(v1_, 17) ^ v2_, v2_ = std::rotl(v2_, 32);
  }

  std::uint64_t v0_, v1_, v2_, v3_;
};

}  // namespace

std::uint64_t key_of(const KeySource& source, Guid agent) {
  if (!source.per_port || source.m_key == 0) return source.m_key;
  const std::uint64_t key = SipHash(source.m_key, source.seed).of(agent.value);
  return key != 0 ? key : 1;  // 0 would be no key
}

}  // namespace rch::hw
