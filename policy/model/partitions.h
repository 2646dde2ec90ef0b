#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/partitions/partitions.h"
#include "policy/model/names.h"

namespace rch::policy::partitions {

/// Number of a partition, 1..0x7fff: a P_Key without its membership bit.
using PKey = Id<struct PKeyTag, std::uint16_t>;

inline constexpr PKey kDefaultPKey{0x7FFF};
inline constexpr std::uint16_t kMembershipBit = 0x8000;  ///< of a P_Key in a table: full member

using parsers::partitions::Who;
enum class Membership : std::uint8_t {
  limited = 1,
  full = 2,
  both = 3,  ///< the port holds both P_Keys
};

/// Ports and how they belong to a partition. Packed, since a partition may have millions.
struct Member {
  std::uint64_t key = 0;     ///< Who::guid: the GUID; Who::group: a GroupId, none when groups are not known
  std::uint32_t begin = 0;   ///< first byte in the file
  std::uint16_t length = 0;  ///< 0: not in the file, but so by default
  Who who = Who::guid;
  Membership membership : 7 = Membership::limited;
  bool indx0 : 1 = false;  ///< puts the P_Key at index 0 of the ports' tables
};
static_assert(sizeof(Member) == 16);

/// A member that no file names.
Member implied(Who who, Membership membership);

/// Address of a multicast group, network order.
using Mgid = std::array<std::uint8_t, 16>;

inline constexpr std::uint32_t kIpQKey = 0x0B1B;  ///< of IP groups that are given none

/// A multicast group that exists without members.
struct MulticastGroup {
  Mgid mgid;  ///< scope and P_Key filled in
  std::uint8_t mtu = 4;
  std::uint8_t rate = 3;
  std::uint8_t sl = 0;
  std::uint8_t tclass = 0;
  std::uint8_t hop_limit = 0;
  std::uint32_t q_key = 0;
  std::uint32_t flow_label = 0;
  Span span;     ///< of its address, or of `ipoib`
  Span sl_span;  ///< none: nowhere
};

struct Partition {
  PKey pkey;
  Name name;  ///< four hex digits when none is given; its span is then that of the header
  std::uint8_t sl = 0;
  Span sl_span;                 ///< none: nowhere
  std::vector<Member> members;  ///< the last that names a port decides its membership
  std::vector<MulticastGroup> groups;
};

/// What a partitions.conf says, names resolved.
struct Partitions {
  SourceId source = SourceId::none();
  bool allow_both_pkeys = false;
  std::vector<Partition> all;  ///< ascending P_Key; the default partition is always among them

  /// Null if there is none.
  const Partition* find(PKey pkey) const;
  Span span(const Member& member) const { return {source, member.begin, member.begin + member.length}; }
};

/// Without a file: every port is a full member of the default partition, which has a broadcast group.
Partitions without_file();

/// Address of the IPv4 broadcast group of a partition.
Mgid broadcast_mgid(PKey pkey, std::uint8_t scope);
/// As IPv6 addresses are written.
std::string mgid_text(const Mgid& mgid);

}  // namespace rch::policy::partitions
