#pragma once

// The 256 bytes of a management datagram, and the fields of the attributes that a subnet manager touches, as
// data: each field is a place (byte, bit, width) and get() and set() are the only code (sm-sa 1.1, 1.2, 1.7).
// Everything is big-endian on the wire and host order in the arguments.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rch::hw {

using Mad = std::array<std::uint8_t, 256>;
/// The payload of an SMP: one attribute.
using SmpData = std::array<std::uint8_t, 64>;

/// Where a field lies. `bit` counts from the most significant bit of `byte`. A field lies inside one byte or
/// covers whole bytes.
struct Field {
  std::uint16_t byte = 0;
  std::uint8_t bit = 0;
  std::uint8_t width = 8;

  friend constexpr bool operator==(const Field&, const Field&) = default;
};

/// Value of a field; it must lie inside `bytes`.
std::uint64_t get(std::span<const std::uint8_t> bytes, Field field);
/// Bits of `value` beyond the width are dropped; neighbours in the same byte stay.
void set(std::span<std::uint8_t> bytes, Field field, std::uint64_t value);

/// Common header (sm-sa 1.1) and the directed-route part of an SMP (1.2), by offset in the whole datagram.
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
inline constexpr Field kTransactionLow{12, 0, 32};  ///< the half that is ours (ibsim-lab 0.12)
inline constexpr Field kAttribute{16, 0, 16};
inline constexpr Field kModifier{20, 0, 32};
inline constexpr Field kMKey{24, 0, 64};
inline constexpr Field kDrSlid{32, 0, 16};
inline constexpr Field kDrDlid{34, 0, 16};
inline constexpr std::size_t kData = 64;
inline constexpr std::size_t kInitialPath = 128;
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
  node_description = 0x10,
  node_info = 0x11,
  switch_info = 0x12,
  port_info = 0x15,
  sl2vl = 0x17,
  vl_arbitration = 0x18,
  linear_table = 0x19,
  multicast_table = 0x1B,
  sm_info = 0x20,
};

/// Status "invalid value in attribute or modifier".
inline constexpr std::uint16_t kStatusInvalidValue = 0x1C;
/// Modifier bit of PortInfo: the SM knows extended speeds (sm-sa 1.8).
inline constexpr std::uint32_t kExtendedSpeeds = 0x80000000U;

namespace node_info {
inline constexpr Field kType{2, 0, 8};
inline constexpr Field kNumPorts{3, 0, 8};
inline constexpr Field kSystemGuid{4, 0, 64};
inline constexpr Field kNodeGuid{12, 0, 64};
inline constexpr Field kPortGuid{20, 0, 64};
inline constexpr Field kDeviceId{30, 0, 16};
inline constexpr Field kRevision{32, 0, 32};
inline constexpr Field kLocalPort{36, 0, 8};
inline constexpr Field kVendorId{37, 0, 24};
}  // namespace node_info

namespace switch_info {
inline constexpr Field kLinearCap{0, 0, 16};
inline constexpr Field kMulticastCap{4, 0, 16};
inline constexpr Field kLinearTop{6, 0, 16};
inline constexpr Field kLifeTime{11, 0, 5};
inline constexpr Field kPortStateChange{11, 5, 1};  ///< writing 1 clears it
inline constexpr Field kEnhancedPort0{16, 4, 1};
inline constexpr Field kMulticastTop{18, 0, 16};
}  // namespace switch_info

namespace port_info {
inline constexpr Field kGidPrefix{8, 0, 64};
inline constexpr Field kLid{16, 0, 16};
inline constexpr Field kMasterSmLid{18, 0, 16};
inline constexpr Field kCapIsSm{23, 6, 1};                  ///< capability bit 1
inline constexpr Field kCapSlMapping{23, 1, 1};             ///< capability bit 6
inline constexpr Field kCapExtendedSpeeds{22, 1, 1};        ///< capability bit 14
inline constexpr Field kCapClientReregistration{20, 6, 1};  ///< capability bit 25
inline constexpr Field kCapMulticastTop{20, 1, 1};          ///< capability bit 30
inline constexpr Field kWidthActive{31, 0, 8};
inline constexpr Field kState{32, 4, 4};
inline constexpr Field kPhysState{33, 0, 4};
inline constexpr Field kLinkDownDefault{33, 4, 4};
inline constexpr Field kLmc{34, 5, 3};
inline constexpr Field kSpeedActive{35, 0, 4};
inline constexpr Field kNeighborMtu{36, 0, 4};
inline constexpr Field kMasterSmSl{36, 4, 4};
inline constexpr Field kVlCap{37, 0, 4};
inline constexpr Field kVlHighLimit{38, 0, 8};
inline constexpr Field kVlArbHighCap{39, 0, 8};
inline constexpr Field kVlArbLowCap{40, 0, 8};
inline constexpr Field kMtuCap{41, 4, 4};
inline constexpr Field kVlStall{42, 0, 3};
inline constexpr Field kHoqLife{42, 3, 5};
inline constexpr Field kOperVls{43, 0, 4};
inline constexpr Field kClientReregister{51, 0, 1};
inline constexpr Field kSubnetTimeout{51, 3, 5};
inline constexpr Field kErrorThresholds{53, 0, 8};
inline constexpr Field kSpeedExtActive2{56, 1, 2};
inline constexpr Field kSpeedExtActive{62, 0, 4};
}  // namespace port_info

namespace sm_info {
inline constexpr Field kGuid{0, 0, 64};
inline constexpr Field kKey{8, 0, 64};
inline constexpr Field kActivity{16, 0, 32};
inline constexpr Field kPriority{20, 0, 4};
inline constexpr Field kState{20, 4, 4};
}  // namespace sm_info

/// SMInfo.SMState.
enum class SmState : std::uint8_t { not_active = 0, discovering = 1, standby = 2, master = 3 };

}  // namespace rch::hw
