#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/result.h"
#include "fabric/multicast.h"
#include "hw/live_fabric.h"
#include "hw/smp_client.h"
#include "hw/write_pass.h"

namespace rch::hw {

/// One block of the multicast forwarding table of a switch: 32 multicast LIDs x 16 ports (sm-sa 4.2).
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

/// The ways of groups, as switches hold them.
MulticastTables multicast_tables(const fabric::Fabric& fabric,
                                 std::span<const fabric::MulticastGroup> groups);

/// How many multicast LIDs a switch has entries for (MulticastFDBCap).
std::uint16_t multicast_capacity(const LiveFabric& live, SwitchId sw);
/// True if a switch heeds MulticastFDBTop: entries beyond that LID are not in effect.
bool has_multicast_top(const LiveFabric& live, SwitchId sw);

/// Reads what is in effect, and what will be when the top is `top`. Fails (fabric) naming the switch and the
/// block that could not be read.
Result<MulticastTables> read_multicast_tables(SmpClient& client, const LiveFabric& live, Lid top);

/// A change of multicast tables: break before make. An old entry and a new one together can send a packet in
/// circles for ever, and multiply it; so what goes is taken away before anything is added, and every mix on
/// the way is a part of the old ways or of the new ones.
struct MulticastChange {
  std::vector<Image> removals;   ///< leave what is both held and wanted
  std::vector<Image> additions;  ///< make it what is wanted

  bool empty() const { return removals.empty() && additions.empty(); }
};
MulticastChange multicast_change(const fabric::Fabric& fabric, const MulticastTables& held,
                                 const MulticastTables& wanted);

}  // namespace rch::hw
