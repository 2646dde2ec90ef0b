#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/torus_2qos/torus.h"
#include "engines/torus_2qos/torus_2qos.h"

namespace rch::engines::torus_2qos {

/// Data VLs that SL2VL maps may use (torus-2QoS(8)).
struct VlCounts {
  std::uint8_t between_switches = 15;  ///< minimum over placed torus links
  std::uint8_t end_ports = 15;         ///< minimum over CA and router ports
  PortId poorest = PortId::none();     ///< a switch port with the minimum
  std::size_t assumed = 0;             ///< ports of unknown VLCap; 8 VLs assumed
};

/// Fails below 2 VLs between switches when a dimension wraps: its dateline needs a second one.
Attempt<VlCounts> count_vls(const fabric::SubFabric& view, const Torus& torus, const Options& options);

/// `too-few-vls`, naming the poorest port.
tl::unexpected<EngineFailure> refuse_few_vls(const fabric::SubFabric& view, const VlCounts& vls,
                                             const Options& options, std::uint8_t needed);

/// Remarks on what the counts cost the operator, one line each.
std::vector<std::string> vl_remarks(const VlCounts& vls);

}  // namespace rch::engines::torus_2qos
