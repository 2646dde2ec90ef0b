#pragma once

// FDR10: 10 Gbit/s a lane with the encoding of FDR. Ports tell of it and are told by an attribute of their
// maker, MlnxExtPortInfo (IBA 14.2.5).

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "hw/exchange.h"
#include "hw/image.h"
#include "hw/live_fabric.h"

namespace rch::hw {

/// `fdr10` of opensm.conf. Ports without FDR10 are not touched by any of them.
enum class Fdr10 : std::uint8_t { unasked = 0, enable = 1, disable = 2, as_it_is = 255 };

/// MlnxExtPortInfo of the ports that are up, of devices that are known to have it; none if `option` asks for
/// nothing.
std::vector<Image> fdr10_questions(const LiveFabric& live, Fdr10 option);

/// What has to be written to the ports that said `said`. It becomes what they show then. A speed holds from
/// the next training of the link on.
std::vector<Image> fdr10_writes(std::vector<Image>& said, Fdr10 option);

/// Sets the speed of the links that run at FDR10, which PortInfo shows as QDR. A port that does not tell
/// stays at QDR.
Task<Result<void>> read_active_fdr10(Exchange& exchange, LiveFabric& live);

}  // namespace rch::hw
