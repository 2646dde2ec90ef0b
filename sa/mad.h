#pragma once

// Management datagrams of class subnet administration: header, methods and status (IBA 13.4.3, 13.6
// and 15.4).

#include <string_view>

#include "hw/mad.h"

namespace rch::sa {

/// The header, behind the common one (hw::mad_header).
namespace header {
using hw::Field;
inline constexpr Field kRmppVersion{24, 0, 8};
inline constexpr Field kRmppType{25, 0, 8};
inline constexpr Field kResponseTime{26, 0, 5};  ///< 31: none
inline constexpr Field kRmppFlags{26, 5, 3};     ///< bits of RmppFlags
inline constexpr Field kRmppStatus{27, 0, 8};
inline constexpr Field kSegment{28, 0, 32};        ///< DATA and ACK
inline constexpr Field kPayloadLength{32, 0, 32};  ///< of first and last DATA
inline constexpr Field kNewWindowLast{32, 0, 32};  ///< of ACK
inline constexpr Field kSmKey{36, 0, 64};
inline constexpr Field kAttributeOffset{44, 0, 16};  ///< size of a record, in units of 8 bytes
inline constexpr Field kComponentMask{48, 0, 64};
inline constexpr std::size_t kData = 56;
}  // namespace header

/// Bytes of records in one MAD, and bytes of it that PayloadLength counts (SM_Key to the end).
inline constexpr std::size_t kDataSize = 200, kSegmentSize = 220;

inline constexpr std::uint8_t kClassVersion = 2;
/// Q_Key of queue pair 1.
inline constexpr std::uint32_t kQKey = 0x80010000;

enum class Method : std::uint8_t {
  get = 0x01,
  set = 0x02,
  report = 0x06,
  get_table = 0x12,
  get_trace_table = 0x13,
  get_multi = 0x14,
  remove = 0x15,  ///< SubnAdmDelete
};
/// Set in the method of an answer, except to a Set, whose answer is GetResp.
inline constexpr std::uint8_t kResponse = 0x80;

enum class Attribute : std::uint16_t {
  class_port_info = 0x01,
  notice = 0x02,
  inform_info = 0x03,
  node_record = 0x11,
  port_info_record = 0x12,
  sl2vl_record = 0x13,
  switch_info_record = 0x14,
  linear_table_record = 0x15,
  multicast_table_record = 0x17,
  sm_info_record = 0x18,
  link_record = 0x20,
  guid_info_record = 0x30,
  service_record = 0x31,
  p_key_table_record = 0x33,
  path_record = 0x35,
  vl_arbitration_record = 0x36,
  mc_member_record = 0x38,
  trace_record = 0x39,
  multi_path_record = 0x3A,
  inform_info_record = 0xF3,
  manager_state = 0xFF70,  ///< of our own: for managers that stand by (sa/manager_state.h)
};

/// MAD status of an answer (IBA 13.4.3).
enum class Status : std::uint16_t {
  good = 0,
  busy = 0x0001,
  unsupported_version = 0x0004,
  unsupported_method = 0x0008,
  unsupported_method_attribute = 0x000C,
  invalid_value = 0x001C,
  no_resources = 0x0100,
  request_invalid = 0x0200,
  no_records = 0x0300,
  too_many_records = 0x0400,
  invalid_gid = 0x0500,
  insufficient_components = 0x0600,
  request_denied = 0x0700,
};

/// As the field is called in logs and counters; "other" for a code that no answer of ours has.
std::string_view name_of(Status status);
/// As the architecture calls it; "other" for one that is not in the list.
std::string_view name_of(Attribute attribute);

}  // namespace rch::sa
