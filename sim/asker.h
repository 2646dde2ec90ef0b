#pragma once

#include "hw/mad.h"

namespace rch::sim {

/// The half of the transaction id that is not the sender's names the process that asked.
inline constexpr hw::Field kAsker{8, 0, 32};
inline constexpr std::uint64_t kFirstAsker = 0x00010002;

}  // namespace rch::sim
