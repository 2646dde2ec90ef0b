#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "policy/model/qos_policy.h"

namespace rch::policy::qos {

/// A rule that no query reaches.
struct Shadow {
  std::size_t rule = 0;           ///< index into QosPolicy::rules
  std::optional<std::size_t> by;  ///< an earlier rule that takes its queries; none: its groups have no ports
  bool together = false;          ///< … with others before it
};

/// Rules that can never be the first that fits, in order. Every one reported is unreachable on any fabric.
/// Found are those that one earlier rule contains, and those that earlier rules contain together as long as
/// these differ in one criterion only; rules with several criteria are compared with the last thousand such.
std::vector<Shadow> find_shadows(const QosPolicy& policy);

}  // namespace rch::policy::qos
