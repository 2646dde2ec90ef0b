#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "fabric/fabric.h"

namespace rch::engines::common {

/// Data VLs that a port can use: PortInfo.VLCap limited by `max_op_vls`, both coded 1..5. A port that does
/// not say what it is capable of is taken to have 8.
inline std::uint8_t data_vls(const fabric::Port& port, std::uint8_t max_op_vls) {
  constexpr std::array<std::uint8_t, 6> kCount{8, 1, 2, 4, 8, 15};
  const auto count = [&](std::uint8_t code) { return kCount[std::min<std::size_t>(code, 5)]; };
  return std::min(count(port.vl_cap), count(max_op_vls));
}

}  // namespace rch::engines::common
