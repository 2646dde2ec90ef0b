#pragma once

#include <cstdint>
#include <vector>

#include "engines/torus_2qos/torus.h"
#include "engines/torus_2qos/torus_2qos.h"

namespace rch::engines::torus_2qos {

/// Facts of each LID that all forwarding tables need.
struct Destinations {
  /// By LID, padded with `unrouted` to whole table blocks: index of the position that the LID hangs on.
  std::vector<std::uint16_t> position;
  std::uint16_t unrouted = 0;  ///< position index of LIDs that this step does not route: one past the last

  // Destinations use parallel links in turn, in the order of their numbers: end ports, then switches. Empty
  // when no two switches have parallel links.

  std::vector<std::uint16_t> number;       ///< by LID; position_of.size() for what is not routed
  std::vector<std::uint16_t> position_of;  ///< by number
  std::size_t first_switch = 0;            ///< number of the first switch

  friend bool operator==(const Destinations&, const Destinations&) = default;
};

/// Numbers end ports by coordinates of their switch, then by port order; then switches by coordinates. So the
/// choice of link does not depend on the order of discovery (docs/torus.md).
Destinations list_destinations(const fabric::SubFabric& view, const Torus& torus, const Options& options);

}  // namespace rch::engines::torus_2qos
