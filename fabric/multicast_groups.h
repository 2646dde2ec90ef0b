#pragma once

#include <utility>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/multicast.h"

namespace rch::fabric {

/// The groups of multicast tables: each multicast LID with an entry. `entries`: a LID, and a port of a switch
/// to which its packets go, in any order. Members are the end ports that entries lead to. What packets of a
/// group have for a service level is not in the tables; 0 is noted.
std::vector<MulticastGroup> groups_of_entries(const Fabric& fabric,
                                              std::vector<std::pair<Lid, PortId>> entries);

}  // namespace rch::fabric
