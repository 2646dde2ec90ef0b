#pragma once

#include <optional>
#include <string>

#include "fabric/cable_policy.h"

namespace rch::cli {

/// The hosts and switches in service that lists of cables and switches cut off.
struct CutOffParts {
  std::string what;       ///< for messages: how many hosts and switches, and the first of them
  bool is_unfit = false;  ///< the list fits no cable: it cannot be applied at all
};

/// `fabric`: that of the installed plan. None: it stays whole.
std::optional<CutOffParts> cut_off(const fabric::Fabric& fabric, const fabric::CablePolicy& cables);

}  // namespace rch::cli
