#include "hw/mad.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace rch::hw {
namespace {

bool bit_at(std::span<const std::uint8_t> bytes, std::size_t bit) {
  return (bytes[bit / 8] >> (7 - bit % 8) & 1) != 0;
}

// Bit by bit, the most significant first.
RC_GTEST_PROP(Mad, AFieldIsItsBits, ()) {
  const auto bytes = *rc::gen::container<std::vector<std::uint8_t>>(64, rc::gen::arbitrary<std::uint8_t>());
  const auto bit = *rc::gen::inRange<std::uint8_t>(0, 8);
  const auto width = *rc::gen::inRange<std::uint8_t>(1, static_cast<std::uint8_t>(65 - bit));
  const Field any{0, bit, width};
  const Field field{*rc::gen::inRange<std::uint16_t>(0, static_cast<std::uint16_t>(65 - any.bytes())), bit,
                    width};
  const std::size_t begin = std::size_t{field.byte} * 8 + bit;
  std::uint64_t expected = 0;
  for (std::size_t b = begin; b < begin + width; ++b) expected = expected << 1 | (bit_at(bytes, b) ? 1U : 0U);
  RC_ASSERT(get(bytes, field) == expected);

  const auto value = *rc::gen::arbitrary<std::uint64_t>();
  std::vector<std::uint8_t> changed = bytes;
  set(changed, field, value);
  for (std::size_t b = 0; b < bytes.size() * 8; ++b) {
    const bool inside = b >= begin && b < begin + width;
    RC_ASSERT(bit_at(changed, b) ==
              (inside ? (value >> (begin + width - 1 - b) & 1) != 0 : bit_at(bytes, b)));
  }
}

}  // namespace
}  // namespace rch::hw
