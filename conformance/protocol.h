#pragma once

// The wire format of subnet administration as a client sees it (IBA 13.4, 13.6, 15.2 and 15.4). This
// folder judges subnet administrations, ours among them: it shares no code with sa/.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hw/mad.h"

namespace rch::conformance {

namespace method {
inline constexpr std::uint8_t kGet = 0x01, kSet = 0x02, kReport = 0x06, kGetTable = 0x12,
                              kGetTraceTable = 0x13, kGetMulti = 0x14, kDelete = 0x15, kResponse = 0x80;
}  // namespace method

namespace attribute {
inline constexpr std::uint16_t kClassPortInfo = 0x01, kNotice = 0x02, kInformInfo = 0x03, kNodeRecord = 0x11,
                               kPortInfoRecord = 0x12, kSl2VlRecord = 0x13, kSwitchInfoRecord = 0x14,
                               kLinearTableRecord = 0x15, kMulticastTableRecord = 0x17, kSmInfoRecord = 0x18,
                               kInformInfoRecord = 0xF3, kLinkRecord = 0x20, kGuidInfoRecord = 0x30,
                               kServiceRecord = 0x31, kPKeyTableRecord = 0x33, kPathRecord = 0x35,
                               kVlArbitrationRecord = 0x36, kMcMemberRecord = 0x38, kTraceRecord = 0x39,
                               kMultiPathRecord = 0x3A;
}  // namespace attribute

namespace status {
inline constexpr std::uint16_t kGood = 0, kUnsupported = 0x000C, kRequestInvalid = 0x0200,
                               kNoRecords = 0x0300, kTooManyRecords = 0x0400, kInvalidGid = 0x0500,
                               kInsufficientComponents = 0x0600, kDenied = 0x0700;
}  // namespace status
/// "0x0200 request invalid"
std::string name_of_status(std::uint16_t code);

/// Behind the common header (hw::mad_header).
namespace header {
using hw::Field;
inline constexpr Field kRmppVersion{24, 0, 8}, kRmppType{25, 0, 8}, kRmppFlags{26, 5, 3}, kRmppTime{26, 0, 5},
    kRmppStatus{27, 0, 8}, kSegment{28, 0, 32}, kLength{32, 0, 32}, kSmKey{36, 0, 64},
    kAttributeOffset{44, 0, 16}, kComponentMask{48, 0, 64};
inline constexpr std::size_t kData = 56, kDataSize = 200, kSegmentSize = 220;
inline constexpr std::uint8_t kTypeData = 1, kTypeAck = 2, kTypeStop = 3, kTypeAbort = 4;
inline constexpr std::uint8_t kActive = 1, kFirst = 2, kLast = 4;
}  // namespace header

using Gid = std::array<std::uint8_t, 16>;
Gid make_gid(std::uint64_t high, std::uint64_t low);
/// As ::ffff notation without abbreviation.
std::string text_of(const Gid& gid);

}  // namespace rch::conformance
