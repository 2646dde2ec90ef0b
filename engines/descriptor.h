#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "engines/engine.h"

namespace rch::engines {

struct Inputs;

/// What else of a step decides whether its engine heeds an option.
struct Setup {
  bool compat = false;  ///< OpenSM's tables are asked for
  bool tables = false;  ///< `lfts_file` is set
};

/// The ports that a switch may choose from by adaptive routing, besides that of its entry
/// (engines/adaptive/groups.h).
enum class GroupRule : std::uint8_t { none, up_down, parallel_cables, shortest };

/// All that the rest of rch knows of an engine.
struct Descriptor {
  using Keys = std::span<const std::string_view>;

  std::string_view name;       ///< word of `routing_engine` and of `engine:`
  std::string_view summary;    ///< one line for `rch show engines`
  std::string_view also = {};  ///< words people write in its place, separated by blanks; suggestions
  /// Options that this engine reads and not every engine does.
  std::array<Keys, 3> reads = {};
  /// Tells whether one of them does nothing in a setup; null: each has an effect in any.
  bool (*is_idle)(std::string_view key, const Setup& setup) = nullptr;
  /// It reads Inputs::needs_multicast_tree.
  bool makes_room_for_multicast = false;
  GroupRule groups = GroupRule::none;
  /// The manuals of NVIDIA SM allow the engine in routing chains.
  bool in_nvidia_chains = true;
  /// Null: rch does not have the engine.
  EngineResult (*route)(const fabric::SubFabric& view, const Inputs& inputs) = nullptr;

  bool is_also(std::string_view word) const {
    for (std::string_view rest = also; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      if (rest.substr(0, end) == word) return true;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
  }
  bool reads_option(std::string_view key) const {
    for (Keys keys : reads)
      for (std::string_view read : keys)
        if (read == key) return true;
    return false;
  }
  /// False also for an option that is read and does nothing.
  bool heeds_option(std::string_view key, const Setup& setup) const {
    return reads_option(key) && (is_idle == nullptr || !is_idle(key, setup));
  }
};

/// The options of common::PortOptions that every engine with load counters reads (opensm(8), Min Hop).
inline constexpr std::string_view kPortSelectionKeys[] = {"guid_routing_order_file",
                                                          "guid_routing_order_no_scatter",
                                                          "port_search_ordering_file",
                                                          "port_prof_ignore_file",
                                                          "scatter_ports",
                                                          "port_shifting",
                                                          "port_profile_switch_nodes"};

/// Options of every engine with a GroupRule.
inline constexpr std::string_view kAdaptiveKeys[] = {"ar_mode", "ar_sl_mask", "shield_mode"};

}  // namespace rch::engines
