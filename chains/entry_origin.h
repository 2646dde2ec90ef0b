#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/routing_tables.h"

namespace rch::chains {

/// A port by which a switch could send packets to a destination and come nearer to it.
struct EntryCandidate {
  PortNum port;
  std::uint64_t lids = 0;  ///< of hosts, that the switch sends by this port
};

/// How one forwarding entry came about.
struct EntryOrigin {
  std::uint8_t port = kNoPath;            ///< the entry
  std::optional<std::size_t> step{};      ///< index of the step that wrote it; nothing where there is no path
  std::vector<std::size_t> overlaid{};    ///< steps that cover the entry too, and that a later one replaced
  std::vector<std::size_t> left_empty{};  ///< steps that cover it, and left it to earlier ones
  /// Links between switches on a shortest path; nothing if the destination cannot be reached by cables.
  std::optional<std::uint32_t> distance{};
  std::vector<EntryCandidate> candidates{};  ///< ports on shortest paths, ascending
  bool is_shortest = false;                  ///< the entry is one of them
};

/// `lid` is at most the highest of the tables.
EntryOrigin entry_origin(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, SwitchId sw,
                         Lid lid);

/// LIDs of hosts that a switch sends by each port, by port number.
std::vector<std::uint64_t> lids_by_port(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                                        SwitchId sw);

}  // namespace rch::chains
