#pragma once

#include <memory>
#include <string>

#include "policy/model/policy.h"

namespace rch::sim::test {

/// The configuration of a manager: lines of an opensm.conf, with times that suit a simulation. `torus_conf`:
/// text of its torus-2QoS.conf; empty: it has none.
/// A file with rate limits is there as `bandwidths.conf`.
std::shared_ptr<const policy::Policy> read_policy(const std::string& text,
                                                  const std::string& torus_conf = {});

}  // namespace rch::sim::test
