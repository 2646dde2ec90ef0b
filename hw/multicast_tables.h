#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "fabric/multicast.h"
#include "hw/image.h"
#include "hw/live_fabric.h"

namespace rch::hw {

/// One block of the multicast forwarding table of a switch: 32 multicast LIDs x 16 ports (IBA 14.2.5.12).
struct MulticastPlace {
  std::uint16_t block = 0;
  std::uint8_t position = 0;
  SwitchId sw;

  friend auto operator<=>(const MulticastPlace&, const MulticastPlace&) = default;
};
/// By multicast LID of the block: bit b is port 16 * position + b.
using MulticastMasks = std::array<std::uint16_t, 32>;

/// Blocks without any bit are left out.
using MulticastTables = std::map<MulticastPlace, MulticastMasks>;

/// The entries of `groups`.
MulticastTables multicast_tables(const fabric::Fabric& fabric,
                                 std::span<const fabric::MulticastGroup> groups);

/// The groups of these tables: each multicast LID with an entry. Members are the end ports that entries lead
/// to.
std::vector<fabric::MulticastGroup> groups_of(const fabric::Fabric& fabric, const MulticastTables& tables);

/// True if a switch heeds MulticastFDBTop: entries beyond that LID are not in effect.
bool has_multicast_top(const LiveFabric& live, SwitchId sw);

/// The modifier of a block, and back.
std::uint32_t modifier_of(const MulticastPlace& place);
MulticastPlace place_of(SwitchId sw, std::uint32_t modifier);
/// The blocks that are in effect, or will be when MulticastFDBTop is `top`, and may have entries.
std::vector<MulticastPlace> multicast_places(const LiveFabric& live, Lid top);
/// Adds the payload of one block.
void add_block(MulticastTables& tables, const MulticastPlace& place, const SmpData& data);

/// A change of multicast tables in two rounds. An installed entry and a target entry together can form a
/// forwarding loop, which also multiplies packets. So all entries that go are removed before any is added:
/// each transient state is a part of the installed tree or a part of the target tree. Entries over links that
/// carry no data go with the additions, and so do those of a switch without any link to another switch that
/// does: these links become active after them.
struct MulticastChange {
  std::vector<Image> removals;       ///< leave what is both installed and target, or leads over such a link
  std::vector<Image> additions;      ///< make it the target
  bool over_inactive_links = false;  ///< entries go with the additions whose links may become active

  bool empty() const { return removals.empty() && additions.empty(); }
};
MulticastChange multicast_change(const LiveFabric& live, const MulticastTables& installed,
                                 const MulticastTables& target);

}  // namespace rch::hw
