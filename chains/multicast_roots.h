#pragma once

#include <string>
#include <vector>

#include "policy/bind/bind.h"

namespace rch::chains {

/// The requested roots of the multicast tree, first choice first: `mc_primary_root_guid`,
/// `mc_secondary_root_guid`, then those of `mc_roots_file`. `remarks` gets a line for those that are no
/// switches of this fabric.
std::vector<SwitchId> requested_roots(const policy::BoundPolicy& bound, std::vector<std::string>& remarks);

}  // namespace rch::chains
