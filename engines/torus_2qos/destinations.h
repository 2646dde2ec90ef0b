#pragma once

#include <cstdint>
#include <vector>

#include "engines/torus_2qos/torus.h"
#include "engines/torus_2qos/torus_2qos.h"

namespace rch::engines::torus_2qos {

/// What every forwarding table needs to know of each LID, worked out once for all switches.
struct Destinations {
  /// By LID, padded with `nowhere` to whole table blocks: index of the position the LID hangs on.
  std::vector<std::uint16_t> position;
  std::uint16_t nowhere = 0;  ///< the position index of LIDs that this step does not route: one past the last

  /// By LID: number of the destination modulo `period`. A switch with n cables that way uses cable `turn` mod
  /// n. Empty when no two switches have parallel cables.
  std::vector<std::uint16_t> turn;
  std::size_t period = 1;  ///< a multiple of every cable count, or more than all numbers

  friend bool operator==(const Destinations&, const Destinations&) = default;
};

/// Numbers the end ports switch by switch in coordinate order, on each switch in port order, and the switch
/// LIDs by position, so that any run of neighbouring destinations is spread evenly over parallel cables
/// whatever the discovery order was (torus-2qos 7.2, recommendation). `stride` is the length of a table row.
Destinations list_destinations(const fabric::SubFabric& view, const Torus& torus, const Options& options,
                               std::size_t stride);

}  // namespace rch::engines::torus_2qos
