#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fabric/fabric.h"

namespace rch::fabric {

enum class Compared {
  fingerprint,  ///< what a plan relies on: nodes and cables that came and went, nodes that changed
  everything,   ///< besides them rates of links, LIDs and LMC, where both generations know them
};

/// What changed from one generation of a fabric to another, one line each, at most `limit` lines and then a
/// count of the rest. States and descriptions are not compared.
std::vector<std::string> differences(const Fabric& before, const Fabric& after, Compared what,
                                     std::size_t limit);

/// True if `after` is `before` without some CA and router ports: switches and the cables between them are the
/// same, and nothing is new.
bool only_lost_end_ports(const Fabric& before, const Fabric& after);

/// The port of `fabric` at the same place as `port` of `other`, if it exists: by node GUID and number.
std::optional<PortId> counterpart(const Fabric& fabric, const Fabric& other, const Port& port);

}  // namespace rch::fabric
