#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fabric/fabric.h"

namespace rch::fabric {

/// What to take out of a fabric. Nodes are named by description or GUID.
struct Faults {
  /// `A:B` removes all cables between two nodes, `A[3]` the one cable at a port.
  std::vector<std::string> links = {};
  /// Switches, with the hosts that lose their last cable by it.
  std::vector<std::string> switches = {};
  std::uint32_t random_links = 0;     ///< cables between switches
  std::uint32_t random_switches = 0;  ///< never the one at which the fabric is seen
  std::uint64_t seed = 1;
  bool keep_connected =
      true;  ///< random removals leave every switch reachable from every other, if they were
};

struct Damaged {
  Fabric fabric;
  std::vector<std::string> removed;  ///< one line each, in order
};

/// Named removals first, then random switches, then random links. Fails (usage) on a name that is not there,
/// and if fewer random parts could be removed than asked for.
Result<Damaged> remove_parts(const Fabric& fabric, const Faults& faults);

/// One end of each cable that a name stands for, written as in Faults::links. Fails (usage) where there is none.
Result<std::vector<PortId>> find_cables(const Fabric& fabric, std::string_view name);

}  // namespace rch::fabric
