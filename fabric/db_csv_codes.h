#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "fabric/fabric.h"

namespace rch::fabric {

// Values of ibdiagnet's sections. Those of NVIDIA SM's tables are words.

/// One number that joins the speed fields of PortInfo and of its extensions (ibutils2's ibdm/Fabric.h).
std::uint32_t speed_code(LinkSpeed speed);
/// Nothing for a code or a word that is not known; 0 is unknown.
std::optional<LinkSpeed> speed_from_csv(std::string_view field);
std::optional<LinkWidth> width_from_csv(std::string_view field);
std::optional<PortState> state_from_csv(std::string_view field);

}  // namespace rch::fabric
