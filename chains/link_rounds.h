#pragma once

#include <span>
#include <vector>

#include "chains/plan.h"

namespace rch::chains {

/// Links that are down at the same time, and tables of the same policy that do without them.
struct LinkRound {
  std::vector<PortId> links;  ///< one port of each
  Plan plan;                  ///< proven, on the fabric with these links
};

struct LinkRounds {
  std::vector<LinkRound> rounds;
  std::vector<PortId> unspared;  ///< without them some pair has no path, or no proven one
};

/// Divides links between switches into rounds, so that every pair of hosts keeps a path while the links of
/// one round are down. `fabric` is that of `target`, perhaps with fewer VLs. No round where `target` was read
/// from a file: its policy is not known.
///
/// A round begins with half of the links, or less, and takes more as long as the policy has proven tables
/// without them. So the rounds are few, and not always the fewest.
LinkRounds plan_link_rounds(const Plan& target, const fabric::Fabric& fabric, std::span<const PortId> links);

}  // namespace rch::chains
