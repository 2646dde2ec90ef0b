#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "fabric/arbitration.h"
#include "hw/live_fabric.h"
#include "hw/smp_client.h"
#include "hw/write_pass.h"

namespace rch::hw {

/// What the ports of a live fabric can hold of wanted VL arbitration, block by block (sm-sa 4.5): VLs masked
/// to those that the port uses, as many entries as it has, the rest 0:0. Ports with one data VL have nothing
/// to arbitrate. `remarks` gets a line if some lane loses all its turns for want of entries.
std::vector<Image> arbitration_blocks(const LiveFabric& live, const fabric::ArbitrationTables& wanted,
                                      std::uint8_t max_op_vls, std::vector<std::string>& remarks);

/// Those of `images` that the fabric does not hold. Fails (fabric) naming the port and what could not be
/// read.
Result<std::vector<Image>> differing(SmpClient& client, const LiveFabric& live, std::vector<Image> images);

}  // namespace rch::hw
