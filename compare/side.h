#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fabric/fabric.h"
#include "fabric/routing_tables.h"
#include "verify/given_sls.h"

namespace rch::compare {

/// What a side may know or not.
enum class Part {
  fabric,  ///< nodes, cables, rates of links, LIDs
  sls,     ///< service levels of paths
  sl2vl,
  arbitration,
  rate_limits,
  groups,   ///< multicast tables
  members,  ///< which ports are in a multicast group
  pkeys,
  adaptive_groups,  ///< groups of ports for adaptive routing
};
inline constexpr std::size_t kPartCount = 9;
/// `nodes, cables and LIDs`, `service levels of paths`, …
std::string_view to_string(Part part);

/// How much a side tells of a part.
struct Knowledge {
  enum class Kind {
    known,
    left,     ///< the side is a plan, by which ports keep what they hold
    unknown,  ///< the side says nothing of it
  };
  Kind kind = Kind::known;
  std::string why = {};  ///< where it is not known, as a clause: "the plan leaves them as ports hold them"
};

/// One of two generations that are compared: a fabric and what its ports hold.
struct Side {
  std::string name;  ///< as the operator gave it
  std::shared_ptr<const fabric::Fabric> fabric;
  std::shared_ptr<const fabric::RoutingTables> tables;
  /// Service levels that hosts were given; nothing: the rules of the steps give them, where they are known.
  std::optional<verify::GivenSls> given_sls{};
  std::array<Knowledge, kPartCount> knowledge{};
  bool knows_checks = true;  ///< of P_Keys by switch ports; and every port has its P_Keys in `tables`

  const Knowledge& of(Part part) const { return knowledge[static_cast<std::size_t>(part)]; }
  Knowledge& of(Part part) { return knowledge[static_cast<std::size_t>(part)]; }
};

}  // namespace rch::compare
