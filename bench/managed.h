#pragma once

// What benchmarks of the manager share.

#include <memory>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "policy/model/policy.h"
#include "sm/manager.h"

namespace rch::bench {

/// The configuration that names one engine.
std::shared_ptr<const policy::Policy> policy_of(const std::string& engine);

/// Plans by it, and keeps what is installed.
sm::Replanner planner_of(std::shared_ptr<const policy::Policy> policy);

/// Cables between two switches, by one end, in an order drawn once.
std::vector<PortId> shuffled_cables(const fabric::Fabric& fabric);

}  // namespace rch::bench
