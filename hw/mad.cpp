#include "hw/mad.h"

namespace rch::hw {
namespace {

/// Bits of the byte to the right of a field that lies inside it.
constexpr unsigned right_of(Field field) { return 8U - field.bit - field.width; }

constexpr unsigned byte_mask(Field field) { return ((1U << field.width) - 1U) << right_of(field); }

}  // namespace

std::uint64_t get(std::span<const std::uint8_t> bytes, Field field) {
  if (field.width < 8) return (bytes[field.byte] & byte_mask(field)) >> right_of(field);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < field.width / 8U; ++i) value = value << 8U | bytes[field.byte + i];
  return value;
}

void set(std::span<std::uint8_t> bytes, Field field, std::uint64_t value) {
  if (field.width < 8) {
    const auto fresh = static_cast<unsigned>(value << right_of(field)) & byte_mask(field);
    bytes[field.byte] = static_cast<std::uint8_t>((bytes[field.byte] & ~byte_mask(field)) | fresh);
    return;
  }
  for (std::size_t i = field.width / 8U; i-- > 0; value >>= 8U)
    bytes[field.byte + i] = static_cast<std::uint8_t>(value);
}

}  // namespace rch::hw
