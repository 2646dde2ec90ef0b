#pragma once

#include <cstdint>

#include "engines/dfsssp/lanes.h"
#include "engines/engine.h"

namespace rch::engines::dfsssp {

/// Data VLs that every cable between switches has, and ports that do not say what they are capable of.
struct LaneSupply {
  std::uint8_t lanes = 15;
  std::size_t assumed = 0;
};
LaneSupply count_lanes(const fabric::SubFabric& view, const fabric::SwitchGraph& graph,
                       std::uint8_t max_op_vls);

/// The SL of a path is the lane of its destination switch.
fabric::SlRule sl_rule(const Lanes& lanes);

/// SL n on VL n for every lane n, between whichever ports; further SLs share the lanes. Links to hosts that
/// have fewer VLs carry several lanes on one: no circle passes a host.
fabric::Sl2VlTables sl2vl_tables(const fabric::SubFabric& view, std::size_t lanes, std::uint8_t max_op_vls);

}  // namespace rch::engines::dfsssp
