#pragma once

// Performance counters of a port, and where class PerformanceManagement has them (architecture, volume 1,
// 16.1.3). A counter is a row; decode() and the clearing of counters read the rows.

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/ids.h"
#include "hw/mad.h"

namespace rch::perfmgr {

/// As the architecture names them.
enum class Counter : std::uint8_t {
  xmit_data,  ///< units of 4 bytes, as are those received
  rcv_data,
  xmit_pkts,
  rcv_pkts,
  unicast_xmit_pkts,
  unicast_rcv_pkts,
  multicast_xmit_pkts,
  multicast_rcv_pkts,
  symbol_errors,
  link_error_recovery,
  link_downed,
  rcv_errors,
  rcv_remote_physical_errors,
  rcv_switch_relay_errors,
  xmit_discards,
  xmit_constraint_errors,
  rcv_constraint_errors,
  local_link_integrity_errors,
  excessive_buffer_overruns,
  vl15_dropped,
  xmit_wait,  ///< ticks in which data waited
};
inline constexpr std::size_t kCounterCount = 21;
using CounterSet = std::bitset<kCounterCount>;

enum class Attribute : std::uint16_t {
  class_port_info = 0x01,
  port_counters = 0x12,
  port_counters_extended = 0x1D,
};

/// The attribute of a datagram of this class.
inline constexpr std::size_t kData = 64, kDataSize = 192;
inline constexpr std::uint8_t kClassVersion = 1;
using Data = std::span<const std::uint8_t, kDataSize>;

/// What an agent counts, by its ClassPortInfo. None of these: 32 bits and less, no PortXmitWait.
struct Abilities {
  bool wide = false;         ///< data and packets in PortCountersExtended
  bool casts = false;        ///< unicast and multicast packets there, too
  bool wide_errors = false;  ///< and all others
  bool xmit_wait = false;    ///< PortXmitWait in PortCounters

  friend bool operator==(const Abilities&, const Abilities&) = default;
};

/// Where a counter is.
struct CounterRow {
  std::string_view name;              ///< of the field
  std::optional<hw::Field> narrow{};  ///< in PortCounters
  std::optional<hw::Field> wide{};    ///< in PortCountersExtended
  unsigned select = 0;                ///< bit of CounterSelect in PortCounters; 16: bit 0 of CounterSelect2
  bool is_error = false;
};
const CounterRow& row_of(Counter counter);
/// All of them, by Counter.
std::span<const CounterRow, kCounterCount> counter_rows();

/// The attribute that has a counter, for an agent of these abilities; null: none has.
const hw::Field* narrow_field(Counter counter, const Abilities& abilities);
const hw::Field* wide_field(Counter counter, const Abilities& abilities);
/// PortCounters has nothing that PortCountersExtended has not.
inline bool is_all_wide(const Abilities& abilities) { return abilities.wide && abilities.wide_errors; }

namespace port_counters {
inline constexpr hw::Field kPortSelect{1, 0, 8};  ///< in PortCountersExtended, too
inline constexpr hw::Field kCounterSelect{2, 0, 16};
inline constexpr hw::Field kCounterSelect2{18, 0, 8};
}  // namespace port_counters

/// What one port showed.
struct Reading {
  std::array<std::uint64_t, kCounterCount> values{};
  CounterSet present;  ///< the others were not shown

  std::uint64_t operator[](Counter counter) const { return values[static_cast<std::size_t>(counter)]; }
};
void decode_port_counters(Data data, const Abilities& abilities, Reading& reading);
void decode_port_counters_extended(Data data, const Abilities& abilities, Reading& reading);

/// Where an agent wants to be asked instead.
struct Redirection {
  Lid lid;  ///< unassigned: by GID only
  std::uint32_t queue_pair = 0;
  std::uint32_t queue_key = 0;
  std::uint16_t pkey = 0;
  std::uint8_t service_level = 0;

  friend bool operator==(const Redirection&, const Redirection&) = default;
};

struct ClassPortInfo {
  Abilities abilities;
  Redirection redirection;
};
ClassPortInfo decode_class_port_info(Data data);

namespace class_port_info {
inline constexpr hw::Field kXmitWait{2, 3, 1};      ///< CapabilityMask, bit 12
inline constexpr hw::Field kWideAndCasts{2, 6, 1};  ///< bit 9
inline constexpr hw::Field kWideNoCasts{2, 5, 1};   ///< bit 10
inline constexpr hw::Field kWideErrors{7, 1, 1};    ///< CapabilityMask2, bit 1 above RespTimeValue
inline constexpr hw::Field kRedirectSl{25, 0, 4};
inline constexpr hw::Field kRedirectLid{28, 0, 16};
inline constexpr hw::Field kRedirectPKey{30, 0, 16};
inline constexpr hw::Field kRedirectQueuePair{33, 0, 24};
inline constexpr hw::Field kRedirectQKey{36, 0, 32};
}  // namespace class_port_info

}  // namespace rch::perfmgr
