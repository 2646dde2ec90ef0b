#pragma once

// The datagrams that hosts send to subnet administration, as IPoIB, rdma_cm and srp_daemon fill them.

#include <optional>

#include "base/ids.h"
#include "hw/transport.h"
#include "sa/gid.h"
#include "sa/mad.h"

namespace rch::sim::test {

/// What a host registers.
struct Item {
  enum class Kind : std::uint8_t { group, service, subscription };
  Kind kind = Kind::group;
  std::uint8_t number = 0;

  friend auto operator<=>(const Item&, const Item&) = default;
};

namespace requests {

inline constexpr std::size_t kPathRecordSize = 64;

/// The MGID of a multicast group; 0 is the broadcast group of the default partition, which is always there.
sa::Gid mgid_of(std::uint8_t group);
const char* name(Item::Kind kind);

hw::Datagram header(sa::Method method, sa::Attribute attribute, std::uint32_t transaction, std::uint16_t lid);
/// Registers an item, or ends that.
sa::Method method(Item::Kind kind, bool adds);
sa::Attribute attribute(Item::Kind kind);
void fill(hw::Datagram& datagram, const Item& item, Guid host, std::uint8_t join_state, bool adds);
/// Asks whether a host has registered an item.
sa::Attribute record_of(Item::Kind kind);
void fill_question(hw::Datagram& datagram, const Item& item, Guid host);
/// One path, or those to all.
void fill_paths(hw::Datagram& datagram, Guid from, std::optional<Guid> to);

Lid mlid_of(std::span<const std::uint8_t> member_record);
Lid destination_of(std::span<const std::uint8_t> path_record);

}  // namespace requests
}  // namespace rch::sim::test
