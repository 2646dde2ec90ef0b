#pragma once

// The contract of a routing engine.
//
// An engine is a pure function
//
//     Result route(const SubFabric& view, const Options& options)
//
// in a folder and namespace of its own (engines/minhop/minhop.h: engines::minhop::route). It does no I/O,
// keeps no state, reads no clock, and gives the same tables for the same input whatever the number of
// threads. It routes every LID of view.routed_lids() on every switch of the view, working per destination
// switch and expanding to LIDs; an entry it cannot route stays kNoPath. When its rules do not fit the fabric
// it returns an EngineFailure: nothing of a failed engine is used.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "base/ids.h"
#include "engines/spanning_tree.h"
#include "fabric/adaptive_tables.h"
#include "fabric/forwarding_tables.h"
#include "fabric/routing_tables.h"
#include "fabric/sl2vl.h"
#include "fabric/sub_fabric.h"

namespace rch::engines {

/// Switch-to-switch distances in hops, 255 unknown. Row-major by view switch.
struct HopMatrix {
  static constexpr std::uint8_t kUnknown = 255;

  std::size_t switch_count = 0;
  std::vector<std::uint8_t> hops;          ///< [from * switch_count + to]
  std::vector<std::uint8_t> weights = {};  ///< hops that leaving by a port of the fabric counts; empty: 1

  std::uint8_t at(SwitchId from, SwitchId to) const { return hops[from.index() * switch_count + to.index()]; }
  std::span<const std::uint8_t> row(SwitchId from) const {
    return std::span(hops).subspan(from.index() * switch_count, switch_count);
  }
};

/// What one engine run produced, in the ids of its view.
struct StepTables {
  fabric::ForwardingTables lfts;    ///< row by view switch, indexed by LID
  std::optional<HopMatrix> hops;    ///< absent for engines that keep no matrix (torus-2QoS)
  fabric::Sl2VlTables sl2vl;        ///< empty: the engine leaves SL2VL alone
  fabric::AdaptiveTables adaptive;  ///< empty: the engine is not adaptive
  fabric::SlRule sl;                ///< by view switch
  /// End ports in the order that suits the routing, PortId::none() for a place without one (ftree); empty if
  /// any order does.
  std::vector<PortId> host_order;
  /// Switches of the view, the topmost first, where every path goes up along this order and then down (updn,
  /// ftree). Empty: the paths of the engine know no such order.
  std::vector<SwitchId> up_order;
  /// Trees for multicast that suit the routing, best first, by view switch; empty if any tree may do.
  std::vector<SpanningTree> trees;
  /// Bits of an SL that multicast may have; the others say what the engine's paths need said.
  std::uint8_t multicast_sl_bits = 15;
  /// Switch ports that face hosts, in the fabric's ids, and send on VLs 0 and 1 what other ports of the
  /// engine send on VLs 0-3 and 4-7: of their VL arbitration the entries of VLs 0 and 4 hold, for VLs 0
  /// and 1.
  std::vector<PortId> two_level_ports;
  /// Switches at the top that the engine found by itself. The next run keeps them where it can, so that a
  /// lost cable does not turn paths around (common::InstalledTables).
  std::vector<Guid> found_roots;
  std::vector<std::string>
      remarks;  ///< what the operator should know, one line each (seed used, link unused…)
};

/// Why an engine could not route, with what it saw.
struct EngineFailure {
  std::string rule;         ///< kebab-case name of the violated rule: `seed-absent`
  std::string message;      ///< lower case, no full stop; names coordinates, descriptions, numbers
  std::vector<Guid> guids;  ///< nodes the message is about
};

using EngineResult = tl::expected<StepTables, EngineFailure>;

}  // namespace rch::engines
