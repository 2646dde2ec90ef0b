#pragma once

// Follows tables hop by hop and judges them pair by pair: slow, plain, and independent of the engine and of
// verify/.

#include <string>
#include <vector>

#include "engines/engine.h"
#include "torus_grid.h"

namespace rch::test {

struct WalkHop {
  SwitchId sw;
  PortNum in;  ///< 0 for the first hop to a switch LID
  PortNum out;
  std::uint8_t vl = 0;
};

struct Walk {
  std::vector<WalkHop> hops;  ///< hops to another switch only
  SwitchId end;               ///< where it stopped
  bool arrived = false;
};

/// Path of a packet that enters `from` by port `in` (0: sent by the switch itself) with that SL.
Walk walk(const fabric::Fabric& fabric, const engines::StepTables& tables, SwitchId from, PortNum in, Lid to,
          std::uint8_t sl);

/// SwitchId of the far end of a cable; none when it leads to no switch.
SwitchId far_switch(const fabric::Fabric& fabric, SwitchId sw, PortNum out);

/// `110 210 310; sl 0; vl 0 0` for the path between two switches of a grid, as traffic between their hosts
/// (or their ports 0, where one has no host) takes it.
std::string path_text(const Grid& grid, const engines::StepTables& tables, const At& from, const At& to);

/// Walks every pair of end ports at QoS level 0. Empty when all arrive; else the first that does not.
std::string unreachable_pair(const fabric::Fabric& fabric, const engines::StepTables& tables);

/// Channel dependency graph over (cable end, VL) of all pairs of end ports at both QoS levels. Empty when it
/// has no cycle; else the channels of one.
std::string credit_loop(const fabric::Fabric& fabric, const engines::StepTables& tables);

}  // namespace rch::test
