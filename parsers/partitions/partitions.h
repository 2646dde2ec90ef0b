#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/diagnostic.h"
#include "parsers/common/token.h"

namespace rch::parsers::partitions {

/// What an item stands for.
enum class Who : std::uint8_t { guid, group, all, all_cas, all_switches, all_routers, all_vcas, self, none };

enum class Membership : std::uint8_t {
  unsaid,  ///< as `defmember` says
  limited,
  full,
  both,
};

/// `0x2c903=full`. Packed, since a file may hold millions.
struct Member {
  std::uint64_t key = 0;    ///< the GUID, or an index into Syntax::group_names
  std::uint32_t begin = 0;  ///< first byte of the item
  std::uint16_t length = 0;
  Who who = Who::guid;
  Membership membership = Membership::unsaid;
};
static_assert(sizeof(Member) == 16);

enum class FlagKind : std::uint8_t {
  mtu,
  rate,
  scope,
  q_key,
  tclass,
  sl,
  flow_label,
  ipoib,
  defmember,
  indx0,
};

/// A flag of a partition or, the first seven, of a multicast group.
struct Flag {
  FlagKind kind;
  std::uint32_t value = 0;  ///< in range; of `defmember` a Membership
  std::uint32_t begin = 0, end = 0;
};

/// Half-open range of indices into an array of Syntax.
struct Range {
  std::uint32_t first = 0, last = 0;
};

/// `mgid=ff12:401b::16, sl=1`.
struct Group {
  std::array<std::uint8_t, 16> address;  ///< network order, first byte 0xff
  Span span;                             ///< of the address
  Range flags;
};

/// `name=pkey, flag… : item, item…`.
struct Statement {
  Span header;                 ///< up to the colon
  Span name;                   ///< empty: none given
  std::optional<Number> pkey;  ///< at most 0xffff
  bool damaged = false;        ///< a part was reported and left out
  Range flags, members, groups;
};

/// A partitions.conf in file order (OpenSM's doc/partition-config.txt). Flat arrays: statements hold ranges
/// of them.
struct Syntax {
  SourceId source;
  std::vector<Statement> statements;
  std::vector<Flag> flags;
  std::vector<Member> members;
  std::vector<Group> groups;
  std::vector<Token> group_names;  ///< port groups among the members
  bool damaged = false;            ///< a statement was reported and left out

  std::span<const Flag> flags_of(Range range) const { return {flags.data() + range.first, size(range)}; }
  std::span<const Member> members_of(Range range) const {
    return {members.data() + range.first, size(range)};
  }
  std::span<const Group> groups_of(Range range) const { return {groups.data() + range.first, size(range)}; }
  Span span(const Member& member) const { return {source, member.begin, member.begin + member.length}; }
  Span span(const Flag& flag) const { return {source, flag.begin, flag.end}; }

 private:
  static std::size_t size(Range range) { return range.last - range.first; }
};

/// Reads the file. A mistake costs its own item, or the statement when its header cannot be told; at most a
/// hundred findings of each rule are reported.
Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::parsers::partitions
