#pragma once

#include "hw/mad.h"

/// MCMemberRecord (IBA 15.2.5): places of its fields, and their component numbers.
namespace rch::sa::mc_member {

using hw::Field;
inline constexpr std::size_t kSize = 56;

inline constexpr std::size_t kMgid = 0, kPortGid = 16;
inline constexpr Field kQKey{32, 0, 32};
inline constexpr Field kMlid{36, 0, 16};
inline constexpr Field kMtuSelector{38, 0, 2};
inline constexpr Field kMtu{38, 2, 6};
inline constexpr Field kTrafficClass{39, 0, 8};
inline constexpr Field kPKey{40, 0, 16};
inline constexpr Field kRateSelector{42, 0, 2};
inline constexpr Field kRate{42, 2, 6};
inline constexpr Field kLifeSelector{43, 0, 2};
inline constexpr Field kLife{43, 2, 6};
inline constexpr Field kSl{44, 0, 4};
inline constexpr Field kFlowLabelHigh{44, 4, 4};  ///< 20 bits in all
inline constexpr Field kFlowLabelLow{45, 0, 16};
inline constexpr Field kHopLimit{47, 0, 8};
inline constexpr Field kScope{48, 0, 4};
inline constexpr Field kJoinState{48, 4, 4};
inline constexpr Field kProxyJoin{49, 0, 1};

enum Component : unsigned {
  mgid = 0,
  port_gid = 1,
  q_key = 2,
  mlid = 3,
  mtu_selector = 4,
  mtu = 5,
  traffic_class = 6,
  pkey = 7,
  rate_selector = 8,
  rate = 9,
  life_selector = 10,
  life = 11,
  sl = 12,
  flow_label = 13,
  hop_limit = 14,
  scope = 15,
  join_state = 16,
  proxy_join = 17,
};

}  // namespace rch::sa::mc_member
