#pragma once

#include <cstdint>
#include <string>

#include "base/source.h"

namespace rch::policy::qos {

/// One thing that puts packets on an SL.
struct SlUse {
  enum Kind : std::uint8_t { partition, multicast_group, qos_level, ulp, rate_limit, sm };
  std::uint8_t sl = 0;
  Kind kind = partition;
  Span span;         ///< where the SL is given; none: nowhere, it is the default
  std::string what;  ///< completes "used by …": ``partition `Storage` ``
};

}  // namespace rch::policy::qos
