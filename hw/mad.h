#pragma once

// The 256 bytes of a management datagram (IBA 13.4.3 and 14.2.1). A field is data: byte, bit and width; get()
// and set() are the only code. The wire is big-endian, arguments are in host order. attributes.h has the
// payloads.

#include <endian.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace rch::hw {

using Mad = std::array<std::uint8_t, 256>;
/// The payload of an SMP: one attribute.
using SmpData = std::array<std::uint8_t, 64>;

/// Where a field lies: in at most eight bytes. `bit` counts from the most significant bit of `byte`.
struct Field {
  std::uint16_t byte = 0;
  std::uint8_t bit = 0;
  std::uint8_t width = 8;

  constexpr std::size_t bytes() const { return (bit + width + 7U) / 8U; }
  friend constexpr bool operator==(const Field&, const Field&) = default;
};

/// Value of a field; it must lie inside `bytes`.
inline std::uint64_t get(std::span<const std::uint8_t> bytes, Field field) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + field.byte, field.bytes());
  return be64toh(word) << field.bit >> (64U - field.width);
}

/// Bits of `value` beyond the width are dropped; neighbours in the same bytes stay.
inline void set(std::span<std::uint8_t> bytes, Field field, std::uint64_t value) {
  const unsigned right = 64U - field.bit - field.width;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64U - field.width) << right;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + field.byte, field.bytes());
  word = htobe64((be64toh(word) & ~mask) | (value << right & mask));
  std::memcpy(bytes.data() + field.byte, &word, field.bytes());
}

/// Common header (IBA 13.4.3) and the directed-route part of an SMP (IBA 14.2.1), by offset in the whole
/// datagram.
namespace mad_header {
inline constexpr Field kBaseVersion{0, 0, 8};
inline constexpr Field kClass{1, 0, 8};
inline constexpr Field kClassVersion{2, 0, 8};
inline constexpr Field kMethod{3, 0, 8};
inline constexpr Field kResponse{3, 0, 1};
inline constexpr Field kStatus{4, 0, 16};
inline constexpr Field kDirection{4, 0, 1};  ///< directed route: set on the way back
inline constexpr Field kHopPointer{6, 0, 8};
inline constexpr Field kHopCount{7, 0, 8};
inline constexpr Field kTransaction{8, 0, 64};
inline constexpr Field kTransactionLow{12, 0, 32};  ///< the half that is ours (ibsim's umad2sim.c)
inline constexpr Field kAttribute{16, 0, 16};
inline constexpr Field kModifier{20, 0, 32};
inline constexpr Field kMKey{24, 0, 64};
inline constexpr Field kDrSlid{32, 0, 16};
inline constexpr Field kDrDlid{34, 0, 16};
inline constexpr std::size_t kData = 64;
inline constexpr std::size_t kInitialPath = 128;
inline constexpr std::size_t kReturnPath = 192;  ///< of a request: the ports that it came in by
}  // namespace mad_header

enum class MadClass : std::uint8_t {
  lid_routed = 0x01,
  sa = 0x03,
  performance = 0x04,
  directed_route = 0x81
};
enum class Method : std::uint8_t {
  get = 0x01,
  set = 0x02,
  trap = 0x05,
  trap_repress = 0x07,
  get_resp = 0x81
};

enum class Attribute : std::uint16_t {
  notice = 0x02,
  node_description = 0x10,
  node_info = 0x11,
  switch_info = 0x12,
  guid_info = 0x14,
  port_info = 0x15,
  p_key_table = 0x16,
  sl2vl = 0x17,
  vl_arbitration = 0x18,
  linear_table = 0x19,
  multicast_table = 0x1B,
  sm_info = 0x20,
  general_info = 0xFF17,        ///< of NVIDIA's devices
  rate_limits = 0xFF82,         ///< QosConfigSL of NVIDIA's devices
  extended_port_info = 0xFF90,  ///< MlnxExtPortInfo of NVIDIA's devices
};

/// Status "invalid value in attribute or modifier".
inline constexpr std::uint16_t kStatusInvalidValue = 0x1C;

}  // namespace rch::hw
