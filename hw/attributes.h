#pragma once

// The attributes that a subnet manager reads and writes (IBA 14.2.5): a struct with the values in host order,
// and a namespace with the place of each member in the payload.
//
// decode() and encode() convert. Bits of no member travel in `rest`, so a Set that is built from a Get leaves
// what we do not own as it was.

#include <cstdint>
#include <tuple>

#include "base/ids.h"
#include "fabric/fabric.h"
#include "hw/mad.h"

namespace rch::hw {

/// Modifier bit of PortInfo: the SM knows extended speeds (IBA 14.2.5.6).
inline constexpr std::uint32_t kExtendedSpeeds = 0x80000000U;

/// PortInfo.PortState: 0 asks for no change, the others are those of fabric::Port.
using fabric::PortState;
inline constexpr PortState kStateUnchanged{0};

/// PortInfo.PortPhysicalState, and LinkDownDefaultState (sleep and polling only).
enum class PhysState : std::uint8_t {
  unchanged = 0,
  sleep = 1,
  polling = 2,
  disabled = 3,
  training = 4,
  link_up = 5,
  error_recovery = 6,
  phy_test = 7
};

/// SMInfo.SMState.
enum class SmState : std::uint8_t { not_active = 0, discovering = 1, standby = 2, master = 3 };

/// A field and the member that has its value.
template <class Info, class Value>
struct MemberField : Field {
  Value Info::*member;
  constexpr MemberField(Value Info::*m, std::uint16_t at_byte, std::uint8_t at_bit, std::uint8_t bits)
      : Field{at_byte, at_bit, bits}, member(m) {}
};

struct NodeInfo {
  fabric::NodeType type{};
  std::uint8_t num_ports = 0;
  Guid system_guid;
  Guid node_guid;
  Guid port_guid;
  std::uint16_t partition_cap = 0;
  std::uint16_t device_id = 0;
  std::uint32_t revision = 0;
  PortNum local_port;
  std::uint32_t vendor_id = 0;
  SmpData rest{};

  friend bool operator==(const NodeInfo&, const NodeInfo&) = default;
};

namespace node_info {
inline constexpr MemberField kType{&NodeInfo::type, 2, 0, 8};
inline constexpr MemberField kNumPorts{&NodeInfo::num_ports, 3, 0, 8};
inline constexpr MemberField kSystemGuid{&NodeInfo::system_guid, 4, 0, 64};
inline constexpr MemberField kNodeGuid{&NodeInfo::node_guid, 12, 0, 64};
inline constexpr MemberField kPortGuid{&NodeInfo::port_guid, 20, 0, 64};
inline constexpr MemberField kPartitionCap{&NodeInfo::partition_cap, 28, 0, 16};
inline constexpr MemberField kDeviceId{&NodeInfo::device_id, 30, 0, 16};
inline constexpr MemberField kRevision{&NodeInfo::revision, 32, 0, 32};
inline constexpr MemberField kLocalPort{&NodeInfo::local_port, 36, 0, 8};
inline constexpr MemberField kVendorId{&NodeInfo::vendor_id, 37, 0, 24};
/// All of them.
inline constexpr std::tuple kMembers{kType,         kNumPorts, kSystemGuid, kNodeGuid,  kPortGuid,
                                     kPartitionCap, kDeviceId, kRevision,   kLocalPort, kVendorId};
}  // namespace node_info

struct SwitchInfo {
  std::uint16_t linear_cap = 0;
  std::uint16_t multicast_cap = 0;
  Lid linear_top;
  std::uint8_t life_time = 0;      ///< code: 4.096 us x 2^n
  bool port_state_change = false;  ///< writing true clears it
  std::uint8_t optimized_sl2vl = 0;
  std::uint16_t partition_enforcement_cap = 0;
  bool enhanced_port0 = false;
  Lid multicast_top;  ///< 0: never set
  SmpData rest{};

  friend bool operator==(const SwitchInfo&, const SwitchInfo&) = default;
};

namespace switch_info {
inline constexpr MemberField kLinearCap{&SwitchInfo::linear_cap, 0, 0, 16};
inline constexpr MemberField kMulticastCap{&SwitchInfo::multicast_cap, 4, 0, 16};
inline constexpr MemberField kLinearTop{&SwitchInfo::linear_top, 6, 0, 16};
inline constexpr MemberField kLifeTime{&SwitchInfo::life_time, 11, 0, 5};
inline constexpr MemberField kPortStateChange{&SwitchInfo::port_state_change, 11, 5, 1};
inline constexpr MemberField kOptimizedSl2Vl{&SwitchInfo::optimized_sl2vl, 11, 6, 2};
inline constexpr MemberField kPartitionEnforcementCap{&SwitchInfo::partition_enforcement_cap, 14, 0, 16};
inline constexpr MemberField kEnhancedPort0{&SwitchInfo::enhanced_port0, 16, 4, 1};
inline constexpr MemberField kMulticastTop{&SwitchInfo::multicast_top, 18, 0, 16};
/// All of them.
inline constexpr std::tuple kMembers{kLinearCap,
                                     kMulticastCap,
                                     kLinearTop,
                                     kLifeTime,
                                     kPortStateChange,
                                     kOptimizedSl2Vl,
                                     kPartitionEnforcementCap,
                                     kEnhancedPort0,
                                     kMulticastTop};
}  // namespace switch_info

struct PortInfo {
  std::uint64_t m_key = 0;
  std::uint64_t gid_prefix = 0;
  Lid lid;
  Lid master_sm_lid;
  bool heeds_multicast_top = false;  ///< capability bits, as the fields of their names
  bool reregisters_clients = false;
  bool has_extended_speeds = false;
  bool maps_sls = false;
  bool is_sm = false;
  bool suppresses_multicast_traps = false;
  std::uint16_t m_key_lease = 0;
  std::uint8_t width_enabled = 0;  ///< bits of widths; 255: what is supported
  std::uint8_t width_supported = 0;
  fabric::LinkWidth width_active{};
  std::uint8_t speed_supported = 0;  ///< bits of speeds
  PortState state{};
  PhysState phys_state{};
  PhysState link_down_default{};
  std::uint8_t m_key_protect = 0;
  std::uint8_t lmc = 0;
  std::uint8_t speed_active = 0;   ///< codes of IBA 14.2.5
  std::uint8_t speed_enabled = 0;  ///< bits of speeds; 15: what is supported
  std::uint8_t neighbor_mtu = 0;   ///< code 1..5 = 256..4096 bytes
  std::uint8_t master_sm_sl = 0;
  std::uint8_t vl_cap = 0;  ///< code 1..5 = 1, 2, 4, 8, 15 data VLs
  std::uint8_t vl_high_limit = 0;
  std::uint8_t vl_arb_high_cap = 0;  ///< entries
  std::uint8_t vl_arb_low_cap = 0;
  std::uint8_t mtu_cap = 0;  ///< code
  std::uint8_t vl_stall = 0;
  std::uint8_t hoq_life = 0;  ///< code
  std::uint8_t oper_vls = 0;  ///< code
  bool partition_enforcement_in = false;
  bool partition_enforcement_out = false;
  std::uint8_t guid_cap = 0;
  bool client_reregister = false;
  std::uint8_t multicast_trap_suppression = 0;  ///< of traps about P_Keys: 0 or 1
  std::uint8_t subnet_timeout = 0;              ///< code
  std::uint8_t local_phy_errors = 0;
  std::uint8_t overrun_errors = 0;
  std::uint8_t speed_ext_active2 = 0;
  std::uint8_t speed_ext_supported2 = 0;  ///< bits of the speeds from XDR on
  std::uint8_t speed_ext_enabled2 = 0;    ///< 6: none, 7: what is supported
  std::uint8_t speed_ext_active = 0;
  std::uint8_t speed_ext_supported = 0;  ///< bits of extended speeds
  std::uint8_t speed_ext_enabled = 0;    ///< 30: none, 31: what is supported
  SmpData rest{};

  friend bool operator==(const PortInfo&, const PortInfo&) = default;
};

namespace port_info {
inline constexpr MemberField kMKey{&PortInfo::m_key, 0, 0, 64};
inline constexpr MemberField kGidPrefix{&PortInfo::gid_prefix, 8, 0, 64};
inline constexpr MemberField kLid{&PortInfo::lid, 16, 0, 16};
inline constexpr MemberField kMasterSmLid{&PortInfo::master_sm_lid, 18, 0, 16};
inline constexpr MemberField kCapMulticastTop{&PortInfo::heeds_multicast_top, 20, 1,
                                              1};  ///< capability bit 30
inline constexpr MemberField kCapTrapSuppression{&PortInfo::suppresses_multicast_traps, 20, 2,
                                                 1};  ///< capability bit 29
inline constexpr MemberField kCapClientReregistration{&PortInfo::reregisters_clients, 20, 6,
                                                      1};  ///< capability bit 25
inline constexpr MemberField kCapExtendedSpeeds{&PortInfo::has_extended_speeds, 22, 1,
                                                1};                         ///< capability bit 14
inline constexpr MemberField kCapSlMapping{&PortInfo::maps_sls, 23, 1, 1};  ///< capability bit 6
inline constexpr MemberField kCapIsSm{&PortInfo::is_sm, 23, 6, 1};          ///< capability bit 1
inline constexpr MemberField kMKeyLease{&PortInfo::m_key_lease, 26, 0, 16};
inline constexpr MemberField kWidthEnabled{&PortInfo::width_enabled, 29, 0, 8};
inline constexpr MemberField kWidthSupported{&PortInfo::width_supported, 30, 0, 8};
inline constexpr MemberField kWidthActive{&PortInfo::width_active, 31, 0, 8};
inline constexpr MemberField kState{&PortInfo::state, 32, 4, 4};
inline constexpr MemberField kSpeedSupported{&PortInfo::speed_supported, 32, 0, 4};
inline constexpr MemberField kPhysState{&PortInfo::phys_state, 33, 0, 4};
inline constexpr MemberField kLinkDownDefault{&PortInfo::link_down_default, 33, 4, 4};
inline constexpr MemberField kMKeyProtect{&PortInfo::m_key_protect, 34, 0, 2};
inline constexpr MemberField kLmc{&PortInfo::lmc, 34, 5, 3};
inline constexpr MemberField kSpeedActive{&PortInfo::speed_active, 35, 0, 4};
inline constexpr MemberField kSpeedEnabled{&PortInfo::speed_enabled, 35, 4, 4};
inline constexpr MemberField kNeighborMtu{&PortInfo::neighbor_mtu, 36, 0, 4};
inline constexpr MemberField kMasterSmSl{&PortInfo::master_sm_sl, 36, 4, 4};
inline constexpr MemberField kVlCap{&PortInfo::vl_cap, 37, 0, 4};
inline constexpr MemberField kVlHighLimit{&PortInfo::vl_high_limit, 38, 0, 8};
inline constexpr MemberField kVlArbHighCap{&PortInfo::vl_arb_high_cap, 39, 0, 8};
inline constexpr MemberField kVlArbLowCap{&PortInfo::vl_arb_low_cap, 40, 0, 8};
inline constexpr MemberField kMtuCap{&PortInfo::mtu_cap, 41, 4, 4};
inline constexpr MemberField kVlStall{&PortInfo::vl_stall, 42, 0, 3};
inline constexpr MemberField kHoqLife{&PortInfo::hoq_life, 42, 3, 5};
inline constexpr MemberField kOperVls{&PortInfo::oper_vls, 43, 0, 4};
inline constexpr MemberField kPartitionEnforcementIn{&PortInfo::partition_enforcement_in, 43, 4, 1};
inline constexpr MemberField kPartitionEnforcementOut{&PortInfo::partition_enforcement_out, 43, 5, 1};
inline constexpr MemberField kGuidCap{&PortInfo::guid_cap, 50, 0, 8};
inline constexpr MemberField kClientReregister{&PortInfo::client_reregister, 51, 0, 1};
inline constexpr MemberField kTrapSuppression{&PortInfo::multicast_trap_suppression, 51, 1, 2};
inline constexpr MemberField kSubnetTimeout{&PortInfo::subnet_timeout, 51, 3, 5};
inline constexpr MemberField kLocalPhyErrors{&PortInfo::local_phy_errors, 53, 0, 4};
inline constexpr MemberField kOverrunErrors{&PortInfo::overrun_errors, 53, 4, 4};
inline constexpr MemberField kSpeedExtActive2{&PortInfo::speed_ext_active2, 56, 1, 2};
inline constexpr MemberField kSpeedExtSupported2{&PortInfo::speed_ext_supported2, 56, 3, 2};
inline constexpr MemberField kSpeedExtEnabled2{&PortInfo::speed_ext_enabled2, 56, 5, 3};
inline constexpr MemberField kSpeedExtActive{&PortInfo::speed_ext_active, 62, 0, 4};
inline constexpr MemberField kSpeedExtSupported{&PortInfo::speed_ext_supported, 62, 4, 4};
inline constexpr MemberField kSpeedExtEnabled{&PortInfo::speed_ext_enabled, 63, 3, 5};
/// All of them.
inline constexpr std::tuple kMembers{kMKey,
                                     kGidPrefix,
                                     kLid,
                                     kMasterSmLid,
                                     kCapMulticastTop,
                                     kCapTrapSuppression,
                                     kCapClientReregistration,
                                     kCapExtendedSpeeds,
                                     kCapSlMapping,
                                     kCapIsSm,
                                     kMKeyLease,
                                     kWidthEnabled,
                                     kWidthSupported,
                                     kWidthActive,
                                     kState,
                                     kSpeedSupported,
                                     kPhysState,
                                     kLinkDownDefault,
                                     kMKeyProtect,
                                     kLmc,
                                     kSpeedActive,
                                     kSpeedEnabled,
                                     kNeighborMtu,
                                     kMasterSmSl,
                                     kVlCap,
                                     kVlHighLimit,
                                     kVlArbHighCap,
                                     kVlArbLowCap,
                                     kMtuCap,
                                     kVlStall,
                                     kHoqLife,
                                     kOperVls,
                                     kPartitionEnforcementIn,
                                     kPartitionEnforcementOut,
                                     kGuidCap,
                                     kClientReregister,
                                     kTrapSuppression,
                                     kSubnetTimeout,
                                     kLocalPhyErrors,
                                     kOverrunErrors,
                                     kSpeedExtActive2,
                                     kSpeedExtSupported2,
                                     kSpeedExtEnabled2,
                                     kSpeedExtActive,
                                     kSpeedExtSupported,
                                     kSpeedExtEnabled};
}  // namespace port_info

/// General information of NVIDIA's devices.
namespace general_info {
inline constexpr std::uint32_t kCapabilities = 4;  ///< attribute modifier of the capability mask
inline constexpr Field kRateLimits{0, 7, 1};       ///< bit 24: rate limits per SL
}  // namespace general_info

/// MlnxExtPortInfo.
namespace extended_port_info {
inline constexpr Field kStateChangeEnable{3, 0, 8};  ///< 1: a Set changes the speed that is enabled
inline constexpr Field kSpeedSupported{7, 0, 8};
inline constexpr Field kSpeedEnabled{11, 0, 8};
inline constexpr Field kSpeedActive{15, 0, 8};
inline constexpr std::uint64_t kFdr10 = 1;  ///< bit of speeds
}  // namespace extended_port_info

struct SmInfo {
  Guid guid;
  std::uint64_t key = 0;  ///< SM_Key as shown
  std::uint32_t activity = 0;
  std::uint8_t priority = 0;
  SmState state{};
  SmpData rest{};

  friend bool operator==(const SmInfo&, const SmInfo&) = default;
};

namespace sm_info {
inline constexpr MemberField kGuid{&SmInfo::guid, 0, 0, 64};
inline constexpr MemberField kKey{&SmInfo::key, 8, 0, 64};
inline constexpr MemberField kActivity{&SmInfo::activity, 16, 0, 32};
inline constexpr MemberField kPriority{&SmInfo::priority, 20, 0, 4};
inline constexpr MemberField kState{&SmInfo::state, 20, 4, 4};
/// All of them.
inline constexpr std::tuple kMembers{kGuid, kKey, kActivity, kPriority, kState};
}  // namespace sm_info

/// Defined for the four structs above. Any payload decodes; values are not checked.
template <class Info>
Info decode(const SmpData& payload);
/// encode(decode<Info>(payload)) is `payload`.
template <class Info>
SmpData encode(const Info& info);

}  // namespace rch::hw
