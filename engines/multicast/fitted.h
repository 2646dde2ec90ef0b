#pragma once

#include <optional>
#include <span>

#include "engines/spanning_tree.h"
#include "fabric/fabric.h"

namespace rch::engines::multicast {

/// Packets on the lane of multicast that hold the cable a switch port sends on, and ask for the next.
struct Wait {
  PortId held, asked;
};

/// A tree from `root` to all switches with hosts that closes no circle together with `paths`, whichever of
/// parallel cables a group takes; nothing if none was found. Breadth first: a switch joins where its branch
/// adds nothing that waits for itself. `paths` must close no circle either.
std::optional<SpanningTree> fit(const fabric::Fabric& fabric, SwitchId root, std::span<const Wait> paths);

}  // namespace rch::engines::multicast
