#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "fabric/fabric_builder.h"

namespace rch::fabric {

/// The node that an operator names by its description, by its name of a node-name map, or by its GUID (`0x`
/// and hexadecimal digits; a port GUID of a switch's port 0 or of a CA port will do). Fails (usage) if there
/// is none, or if two nodes share the description.
Result<NodeId> find_named(const Fabric& fabric, std::string_view name);

/// ` (1/5/2)`: the label of a port, as it stands behind its number. Empty if the port has none, or if the node
/// has no such port, as entries of tables may say.
std::string label_behind(const Fabric& fabric, NodeId node, PortNum number);

/// The names that an operator gave to nodes.
NodeNames names_of(const Fabric& fabric);

}  // namespace rch::fabric
