#pragma once

#include <cstdint>
#include <vector>

#include "base/bitset.h"
#include "compare/matching.h"
#include "compare/side.h"

namespace rch::compare {

/// Hosts with other service levels to the same LIDs.
struct SlChange {
  std::vector<PortId> hosts;  ///< of the fabric after
  IdSet<Lid> lids;            ///< after; one of them may be the host's own, which does not count
};

/// Which hosts have to ask for path records again. They keep a service level until they do.
struct ServiceLevels {
  std::uint64_t pairs = 0;    ///< of a host and a LID of another host, on both sides, with both levels known
  std::uint64_t unknown = 0;  ///< pairs of which a side has no service level
  std::uint64_t changed = 0;  ///< pairs
  std::uint64_t hosts = 0;    ///< that have such a pair
  std::vector<SlChange> changes;
};

/// Both sides know service levels. The same result for any number of threads.
ServiceLevels compare_service_levels(const Side& before, const verify::Wiring& wiring_before,
                                     const Side& after, const verify::Wiring& wiring_after,
                                     const Matching& matching);

}  // namespace rch::compare
