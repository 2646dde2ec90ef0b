#pragma once

#include <optional>

#include "chains/plan.h"

namespace rch::chains {

/// The plan on a fabric that has lost CA or router ports since, and nothing else: the same tables and LIDs.
/// Entries for the lost LIDs stay; they lead to a port without a link, by paths that the plan proved.
/// Multicast members and the ports to them go. Nothing if the fabric differs otherwise. The verdict is that
/// of the plan.
std::optional<Plan> without_lost_end_ports(const Plan& plan, const fabric::Fabric& seen);

/// Multicast groups of `planned` with the members, senders and ports that `seen` has, too. Ports that lead
/// nowhere now, or elsewhere, are left out, so a group may be in parts.
std::vector<fabric::MulticastGroup> groups_left(const fabric::Fabric& planned, const fabric::Fabric& seen,
                                                std::vector<fabric::MulticastGroup> groups);

/// VL arbitration, rate limits and P_Keys of `planned` for the ports that `seen` has, too.
fabric::ArbitrationTables arbitration_left(const fabric::Fabric& planned, const fabric::Fabric& seen,
                                           const fabric::ArbitrationTables& tables);
fabric::RateLimitTables rate_limits_left(const fabric::Fabric& planned, const fabric::Fabric& seen,
                                         const fabric::RateLimitTables& tables);
fabric::PKeyTables pkeys_left(const fabric::Fabric& planned, const fabric::Fabric& seen,
                              const fabric::PKeyTables& tables);

}  // namespace rch::chains
