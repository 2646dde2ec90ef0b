#pragma once

#include <memory>
#include <string>

#include "policy/model/policy.h"

namespace rch::sim::test {

/// Files beside opensm.conf; empty: there is none.
struct FilesBeside {
  std::string torus{};       ///< torus-2QoS.conf
  std::string partitions{};  ///< partitions.conf
};

/// The configuration of a manager: lines of an opensm.conf, with times that suit a simulation.
/// A file with rate limits is there as `bandwidths.conf`.
std::shared_ptr<const policy::Policy> read_policy(const std::string& text, const FilesBeside& beside = {});

}  // namespace rch::sim::test
