#pragma once

#include <cstdint>

#include "fabric/fabric.h"

namespace rch::fabric {

/// Rate code of a link, as PathRecords have it; 0 if width or speed is not known.
std::uint8_t rate_code(LinkWidth width, LinkSpeed speed);

/// Place of a rate code by payload bandwidth, from 1; 0 if it is no code. Codes themselves are in no order.
std::uint8_t rate_rank(std::uint8_t code);
/// The code at a place, which is one of those that rate_rank() gives for codes.
std::uint8_t rate_of_rank(std::uint8_t rank);

}  // namespace rch::fabric
