#pragma once

// Sides put together in memory, and what differs between two of them, pair by pair.

#include <cstdint>
#include <map>

#include "compare/side.h"

namespace rch::test {

compare::Side side(std::string name, fabric::Fabric fabric, fabric::RoutingTables tables);

/// What walking every pair of hosts of both sides gives.
struct PairsByHand {
  std::uint64_t pairs = 0, changed = 0, lost = 0, gained = 0;
  std::map<Lid, std::uint64_t> changed_to;  ///< by LID after
};
PairsByHand pairs_by_hand(const compare::Side& before, const compare::Side& after);

/// Tables of some random quality, all from `seed`: shortest paths, some of them bent or cut off.
fabric::RoutingTables random_tables(const fabric::Fabric& fabric, std::uint64_t seed, unsigned bent);

/// The same fabric later, all from `seed`: fewer cables or switches, other LIDs, or neither.
fabric::Fabric later(const fabric::Fabric& fabric, std::uint64_t seed);

}  // namespace rch::test
