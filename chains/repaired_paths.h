#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bitset.h"
#include "chains/growing_cdg.h"
#include "engines/common/channels.h"
#include "fabric/fabric.h"
#include "fabric/routing_tables.h"

namespace rch::chains {

/// An entry of an earlier fabric that leads elsewhere now, or nowhere: paths to the LID end at the switch.
struct PathEnd {
  Lid lid;
  SwitchId sw;

  friend auto operator<=>(const PathEnd&, const PathEnd&) = default;
};

/// Work after which a repair stops to search: about a second.
inline constexpr std::uint64_t kMostRepairWork = 50'000'000;

/// Tables of an earlier fabric as the switches of this one hold them.
struct CarriedTables {
  fabric::RoutingTables tables;  ///< rows by switch of now; kNoPath where a switch is new
  /// Dependencies of the packets that they forward, by virtual lanes of links that are still there
  /// (lane_of()). They have no cycle.
  std::vector<GrowingCdg::Edge> dependencies;
  std::vector<bool>
      moved;  ///< by channel: its cable is not where it was, so what entries there meant is not known
  std::vector<PathEnd> ends;       ///< ascending
  IdSet<Lid> unsure;               ///< LIDs of which not all ends are known
  IdSet<Lid> whole{};              ///< of these: LIDs that every switch is known to reach; empty: none is
  std::vector<SwitchId> closed{};  ///< switches that no path may lead over, to or from
  /// A LID that every switch reaches. Lost packets follow the paths to it first, until one arrives; none:
  /// they do not. Where all go over one switch, fewer pairs of channels can close a cycle.
  Lid over = Lid::none();
  bool answers = false;      ///< switches without hosts get paths, too: by which their own answers come back
  bool all_or_none = false;  ///< the first LID that some host does not reach ends the search for an order
  /// Work that searches among many ways may still do, in and out: GrowingCdg::work() and packets followed.
  /// When it is done, each switch takes the first path that fits, as before, or none.
  std::uint64_t work_left = kMostRepairWork;

  /// LIDs to which some switch may have no path.
  IdSet<Lid> suspects() const;
};

/// The number of a virtual lane of a link, for CarriedTables::dependencies.
constexpr std::uint32_t lane_of(engines::common::ChannelId channel, std::uint8_t vl) {
  return channel.value * 16U + vl % 16U;
}

struct RepairedPaths {
  std::uint64_t entries = 0;  ///< that were replaced
  std::uint64_t lids = 0;     ///< to which these lead
  /// Pairs of a host and a LID of another host that cables join, without a path before.
  std::uint64_t lost_pairs = 0;
  std::uint64_t left_pairs = 0;  ///< of these, still without one
  std::vector<Lid> unreached{};  ///< that hosts at some switch do not reach by any path that closes no cycle
};

/// Replaces entries of `carried` by which packets of hosts do not arrive: they lead to no link, to another
/// node than before, round in a loop, or to a switch with such an entry. All other entries stay. Without a
/// new path an entry that leads to another node than before is removed. A new path
/// is the shortest on which the dependencies of its packets close no cycle together with those of all packets
/// that the installed tables forward. Packets that come by a installed entry of another switch count, too, so
/// that the entries can be written in any order. Of equally short paths a switch takes the one that the
/// repair uses least.
///
/// Paths are chosen one after the other, for each LID from the destination outwards. Where none is left for a
/// switch, those by switches without hosts that carry nothing for the LID yet are all tried.
RepairedPaths repair_paths(const fabric::Fabric& fabric, const engines::common::Channels& channels,
                           CarriedTables& carried);

}  // namespace rch::chains
