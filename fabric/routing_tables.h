#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bitset.h"
#include "fabric/adaptive_tables.h"
#include "fabric/arbitration.h"
#include "fabric/fabric.h"
#include "fabric/forwarding_tables.h"
#include "fabric/multicast.h"
#include "fabric/pkey_tables.h"
#include "fabric/rate_limits.h"
#include "fabric/sl2vl.h"

namespace rch::fabric {

/// Rule for the service level of a path, as data: base, plus one bit for each dimension in which the way from
/// source to destination switch crosses a dateline. Without dimensions the SL is `base` for every pair.
struct SlRule {
  struct Dimension {
    std::uint8_t bit = 0;  ///< SL bit, 0..3
    std::uint32_t radix = 0;
    std::vector<std::uint16_t> coordinate;  ///< by switch; kNoCoordinate for a switch that has none
    std::vector<std::uint8_t> crosses;      ///< radix x radix, [from * radix + to], 0 or 1
  };
  static constexpr std::uint16_t kNoCoordinate = 0xFFFF;

  std::uint8_t base = 0;
  /// Bits or-ed into the SL of traffic that crosses this step's switches on entries of another step (`border`
  /// in docs/chains.md). 0: the step keeps nothing apart. Where it is the only step they are policy's.
  std::uint8_t border = 0;
  std::vector<Dimension> dimensions;

  /// Both switches must have coordinates in every dimension.
  std::uint8_t sl(SwitchId from, SwitchId to) const {
    std::uint8_t value = base;
    for (const Dimension& d : dimensions) {
      const std::size_t at = std::size_t{d.coordinate[from.index()]} * d.radix + d.coordinate[to.index()];
      value = static_cast<std::uint8_t>(value | (d.crosses[at] << d.bit));
    }
    return value;
  }
};

/// What one successful step of a chain contributed. It covers switches x lids; the last step that covers an
/// entry wrote it. Entries it left empty inside its cover are listed in `holes` and belong to earlier steps.
struct RoutedStep {
  StepId id;
  std::string engine;
  IdSet<SwitchId> switches;
  IdSet<Lid> lids;
  std::vector<std::uint64_t> holes;  ///< sorted, switch index << 16 | LID
  SlRule sl;                         ///< by fabric switch

  bool covers(SwitchId sw, Lid lid) const;
};

/// Everything a routing puts into a fabric, as one value.
struct RoutingTables {
  ForwardingTables lfts;          ///< row by fabric switch
  Sl2VlTables sl2vl;              ///< empty: SL2VL maps are left as the ports hold them (kIdentitySl2Vl)
  std::vector<RoutedStep> steps;  ///< ascending id; the first covers everything
  std::vector<MulticastGroup> groups = {};  ///< ascending MLID
  ArbitrationTables arbitration = {};       ///< empty: ports share their links as they did
  RateLimitTables rate_limits = {};         ///< empty: adapters keep theirs
  PKeyTables pkeys = {};                    ///< empty: ports keep the P_Keys that they hold
  AdaptiveTables adaptive = {};             ///< empty: switches follow their entries alone
  bool sl2vl_of_options = false;  ///< the routing does not need `sl2vl`: ports without such tables do without

  /// Step that wrote the entry: index into `steps`.
  std::size_t step_of(SwitchId sw, Lid lid) const;
  /// VL on which a packet of `sl` leaves a switch; the identity map where `sl2vl` is empty.
  std::uint8_t vl(SwitchId sw, PortNum in, PortNum out, std::uint8_t sl) const {
    return sl2vl.empty() ? kIdentitySl2Vl[sl] : sl2vl.at(sw, in, out)[sl];
  }
};

/// Service levels of all paths towards one LID, one per source switch (docs/chains.md, "Service levels of a
/// chain"):
///  - the last step that covers both ends gives the SL by its rule;
///  - a path that enters the switches of a step which covers its destination gets the SL of the switch it
///  enters by,
///    as if it started there;
///  - a path that meets switches of a step on entries of an earlier one carries that step's border bits.
/// `out` has one element per switch. Switches from which the LID is not reached get the SL of an undisturbed
/// path.
void path_sls_to(const Fabric& fabric, const RoutingTables& tables, Lid lid, std::vector<std::uint8_t>& out);

/// The one service level of all paths, if no rule tells them apart.
std::optional<std::uint8_t> common_path_sl(const RoutingTables& tables);

/// Service level of one pair, as path_sls_to() gives it.
std::uint8_t path_sl(const Fabric& fabric, const RoutingTables& tables, SwitchId from, Lid to);

/// SL of a path for which policy (QoS level, partition) or the request for it names `requested`: path_sl(),
/// and of `requested` the bits that the routing leaves to policy. Those are all where it has one SL for all
/// paths, the QoS bit for torus-2QoS on its own, none for lanes by destination or where border bits keep
/// steps apart. A request that insists on its SL can be met if this is that SL (torus-2QoS(8)). Nothing if
/// there is no path.
std::optional<std::uint8_t> path_sl_for(const Fabric& fabric, const RoutingTables& tables, SwitchId from,
                                        Lid to, std::uint8_t requested);

}  // namespace rch::fabric
