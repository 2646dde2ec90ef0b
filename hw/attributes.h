#pragma once

// The attributes that a subnet manager reads and writes (sm-sa 1.7), each twice: its fields, as places in the
// payload, and a struct with the values of all of them in host order.
//
// decode() and encode() convert. Bits that no field covers travel in `rest`, so a Set that is built from a
// Get leaves what we do not own as it was.

#include <cstdint>

#include "base/ids.h"
#include "fabric/fabric.h"
#include "hw/mad.h"

namespace rch::hw {

/// Modifier bit of PortInfo: the SM knows extended speeds (sm-sa 1.8).
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

namespace node_info {
inline constexpr Field kType{2, 0, 8};
inline constexpr Field kNumPorts{3, 0, 8};
inline constexpr Field kSystemGuid{4, 0, 64};
inline constexpr Field kNodeGuid{12, 0, 64};
inline constexpr Field kPortGuid{20, 0, 64};
inline constexpr Field kPartitionCap{28, 0, 16};
inline constexpr Field kDeviceId{30, 0, 16};
inline constexpr Field kRevision{32, 0, 32};
inline constexpr Field kLocalPort{36, 0, 8};
inline constexpr Field kVendorId{37, 0, 24};
}  // namespace node_info

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

namespace switch_info {
inline constexpr Field kLinearCap{0, 0, 16};
inline constexpr Field kMulticastCap{4, 0, 16};
inline constexpr Field kLinearTop{6, 0, 16};
inline constexpr Field kLifeTime{11, 0, 5};
inline constexpr Field kPortStateChange{11, 5, 1};
inline constexpr Field kOptimizedSl2Vl{11, 6, 2};
inline constexpr Field kPartitionEnforcementCap{14, 0, 16};
inline constexpr Field kEnhancedPort0{16, 4, 1};
inline constexpr Field kMulticastTop{18, 0, 16};
}  // namespace switch_info

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

namespace port_info {
inline constexpr Field kMKey{0, 0, 64};
inline constexpr Field kGidPrefix{8, 0, 64};
inline constexpr Field kLid{16, 0, 16};
inline constexpr Field kMasterSmLid{18, 0, 16};
inline constexpr Field kCapMulticastTop{20, 1, 1};          ///< capability bit 30
inline constexpr Field kCapClientReregistration{20, 6, 1};  ///< capability bit 25
inline constexpr Field kCapExtendedSpeeds{22, 1, 1};        ///< capability bit 14
inline constexpr Field kCapSlMapping{23, 1, 1};             ///< capability bit 6
inline constexpr Field kCapIsSm{23, 6, 1};                  ///< capability bit 1
inline constexpr Field kMKeyLease{26, 0, 16};
inline constexpr Field kWidthActive{31, 0, 8};
inline constexpr Field kState{32, 4, 4};
inline constexpr Field kPhysState{33, 0, 4};
inline constexpr Field kLinkDownDefault{33, 4, 4};
inline constexpr Field kMKeyProtect{34, 0, 2};
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
inline constexpr Field kPartitionEnforcementIn{43, 4, 1};
inline constexpr Field kPartitionEnforcementOut{43, 5, 1};
inline constexpr Field kGuidCap{50, 0, 8};
inline constexpr Field kClientReregister{51, 0, 1};
inline constexpr Field kSubnetTimeout{51, 3, 5};
inline constexpr Field kLocalPhyErrors{53, 0, 4};
inline constexpr Field kOverrunErrors{53, 4, 4};
inline constexpr Field kSpeedExtActive2{56, 1, 2};
inline constexpr Field kSpeedExtActive{62, 0, 4};
}  // namespace port_info

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
  std::uint16_t m_key_lease = 0;
  fabric::LinkWidth width_active{};
  PortState state{};
  PhysState phys_state{};
  PhysState link_down_default{};
  std::uint8_t m_key_protect = 0;
  std::uint8_t lmc = 0;
  std::uint8_t speed_active = 0;  ///< codes of sm-sa 1.7
  std::uint8_t neighbor_mtu = 0;  ///< code 1..5 = 256..4096 bytes
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
  std::uint8_t subnet_timeout = 0;  ///< code
  std::uint8_t local_phy_errors = 0;
  std::uint8_t overrun_errors = 0;
  std::uint8_t speed_ext_active2 = 0;
  std::uint8_t speed_ext_active = 0;
  SmpData rest{};

  friend bool operator==(const PortInfo&, const PortInfo&) = default;
};

namespace sm_info {
inline constexpr Field kGuid{0, 0, 64};
inline constexpr Field kKey{8, 0, 64};
inline constexpr Field kActivity{16, 0, 32};
inline constexpr Field kPriority{20, 0, 4};
inline constexpr Field kState{20, 4, 4};
}  // namespace sm_info

struct SmInfo {
  Guid guid;
  std::uint64_t key = 0;  ///< SM_Key as shown
  std::uint32_t activity = 0;
  std::uint8_t priority = 0;
  SmState state{};
  SmpData rest{};

  friend bool operator==(const SmInfo&, const SmInfo&) = default;
};

/// Defined for the four structs above. Any payload decodes; values are not checked.
template <class Info>
Info decode(const SmpData& payload);
/// encode(decode<Info>(payload)) is `payload`.
template <class Info>
SmpData encode(const Info& info);

}  // namespace rch::hw
