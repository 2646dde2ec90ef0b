#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/common/channels.h"
#include "fabric/forwarding_tables.h"
#include "fabric/sub_fabric.h"

namespace rch::engines::common {

/// How evenly paths between hosts spread over channels: the figures of docs/metrics.md that engines compare
/// routings by.
struct PathDistribution {
  std::uint32_t destinations = 0;  ///< hosts that the channel with most of them leads to
  std::uint32_t flows = 0;         ///< on the most loaded channel when all hosts send to all
  std::uint32_t worst_shift = 0;   ///< flows on the most loaded channel of the worst shift

  bool no_worse_than(const PathDistribution& other) const {
    return destinations <= other.destinations && flows <= other.flows && worst_shift <= other.worst_shift;
  }
  friend bool operator==(const PathDistribution&, const PathDistribution&) = default;
};

/// Hosts with a LID in the order of docs/metrics.md: by GUID of the switch, then port.
std::vector<fabric::EndPort> hosts_by_guid(const fabric::SubFabric& view);

/// Follows the path from every host to the first LID of every other. A path ends where it leaves the view or
/// after as many hops as there are switches. Takes two bytes for each channel and host; the time grows with
/// the square of the hosts.
PathDistribution path_distribution(const Channels& channels, const fabric::ForwardingTables& lfts,
                                   std::span<const fabric::EndPort> hosts);

}  // namespace rch::engines::common
