#pragma once

#include <string>

#include "base/ids.h"

namespace rch::fabric {

/// A part of a live fabric that takes no part in a plan, because it does not answer as it must: what is
/// behind a port, or a whole node.
struct Quarantined {
  Guid node;  ///< that the port belongs to
  PortNum port;
  std::string place;      ///< the port, as messages name it
  std::string reason;     ///< what was seen, and what is left out for it
  bool answers = false;   ///< it is unhealthy, or the operator wants it out
  bool excluded = false;  ///< a cable that `topo_config_file` or `held_back_sw_file` excludes
};

}  // namespace rch::fabric
