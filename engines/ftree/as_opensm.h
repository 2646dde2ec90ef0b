#pragma once

#include "engines/ftree/ftree.h"

namespace rch::engines::ftree {

/// The tables that OpenSM makes of the tree, whether or not its shape is regular.
fabric::ForwardingTables route_as_opensm(const tree::Tree& tree, const Options& options);

}  // namespace rch::engines::ftree
