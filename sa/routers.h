#pragma once

// Paths to other subnets (docs/subnet-administration.md, Paths).

#include <optional>

#include "sa/gid.h"
#include "sa/snapshot.h"

namespace rch::sa {

/// True if GIDs with this prefix are of another subnet. The link-local prefix stands for that of the subnet.
bool is_of_other_subnet(const Snapshot& snapshot, const Gid& gid);

/// The port of the router that packets to the subnet with this prefix go to, by `prefix_routes_file`: that of
/// the first line with the prefix and a router that the fabric has. Nothing if there is none.
std::optional<PortId> router_to(const Snapshot& snapshot, std::uint64_t prefix);

}  // namespace rch::sa
