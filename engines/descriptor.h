#pragma once

#include <array>
#include <span>
#include <string_view>

#include "engines/engine.h"

namespace rch::engines {

struct Inputs;

/// All that the rest of rch knows of an engine.
struct Descriptor {
  using Keys = std::span<const std::string_view>;

  std::string_view name;     ///< word of `routing_engine` and of `engine:`
  std::string_view summary;  ///< one line for `rch show engines`
  /// Options that this engine reads and not every engine does.
  std::array<Keys, 2> reads = {};
  /// The manuals of NVIDIA SM allow the engine in routing chains.
  bool in_nvidia_chains = true;
  /// Null: rch does not have the engine.
  EngineResult (*route)(const fabric::SubFabric& view, const Inputs& inputs) = nullptr;

  bool reads_option(std::string_view key) const {
    for (Keys keys : reads)
      for (std::string_view read : keys)
        if (read == key) return true;
    return false;
  }
};

/// The options of common::PortOptions that every engine with load counters reads (routing-engines 2).
inline constexpr std::string_view kPortSelectionKeys[] = {"guid_routing_order_file",
                                                          "guid_routing_order_no_scatter",
                                                          "port_search_ordering_file",
                                                          "port_prof_ignore_file",
                                                          "scatter_ports",
                                                          "port_shifting",
                                                          "port_profile_switch_nodes"};

}  // namespace rch::engines
