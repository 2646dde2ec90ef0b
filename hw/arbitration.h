#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fabric/arbitration.h"
#include "hw/image.h"
#include "hw/live_fabric.h"

namespace rch::hw {

/// VL arbitration as the ports of a live fabric can hold it.
struct TargetArbitration {
  std::vector<Image> blocks;
  std::vector<std::string> remarks;  ///< one if VLs lose all their entries for want of room
};

/// Fits `target` to the ports, block by block (IBA 14.2.5.9): VLs masked to those that the port uses, as many
/// entries as it has, the rest 0:0. Ports with one data VL have nothing to arbitrate.
TargetArbitration target_arbitration(const LiveFabric& live, const fabric::ArbitrationTables& target,
                                     std::uint8_t max_op_vls);

/// Blocks of the two tables of a port: 1 and 2 are of the low one, 3 and 4 of the high one.
inline constexpr unsigned kArbitrationBlocks = 4;
/// What block `block` of a port holds when `arbitration` is installed. Nothing if the port has no such block,
/// or one data VL only.
std::optional<SmpData> arbitration_block(const fabric::Arbitration& arbitration, unsigned block,
                                         const PortInfo& port);

}  // namespace rch::hw
