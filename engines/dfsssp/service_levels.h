#pragma once

#include <cstdint>

#include "engines/dfsssp/virtual_layers.h"
#include "engines/engine.h"

namespace rch::engines::dfsssp {

/// Data VLs that every link between switches has, and ports whose VLCap is unknown.
struct VlSupply {
  std::uint8_t vls = 15;
  std::size_t assumed = 0;
};
VlSupply count_vls(const fabric::SubFabric& view, const fabric::SwitchGraph& graph, std::uint8_t max_op_vls);

/// The SL of a path is the virtual layer of its destination switch.
fabric::SlRule sl_rule(const VirtualLayers& layers);

/// Maps SL n to VL n for every layer n, between all ports; further SLs share the layers. Links to hosts with
/// fewer VLs carry several layers on one: no cycle passes a host.
fabric::Sl2VlTables sl2vl_tables(const fabric::SubFabric& view, std::size_t layers, std::uint8_t max_op_vls);

}  // namespace rch::engines::dfsssp
