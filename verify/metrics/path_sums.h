#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verify/columns.h"
#include "verify/wiring.h"

namespace rch::verify {

/// What the paths of all pairs come to together.
struct PathSums {
  std::uint64_t pairs = 0;           ///< whose path arrives
  std::vector<std::uint64_t> hops;   ///< pairs by cables on their path
  std::vector<std::uint64_t> flows;  ///< by slot: pairs whose path leaves by that port
  std::vector<std::uint32_t> hosts;  ///< by slot: hosts that some path goes to by that port

  void merge(const PathSums& other);
};

/// Sums up the tree of every destination in one walk. Host ports have no flows.
PathSums path_sums(const fabric::RoutingTables& tables, const Wiring& wiring,
                   std::span<const Destination> destinations, std::size_t column_bytes);

}  // namespace rch::verify
