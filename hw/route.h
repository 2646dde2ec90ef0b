#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/ids.h"

namespace rch::hw {

/// A directed route: the exit port at each hop, starting at our own port. No hops: our own node.
struct Route {
  static constexpr std::size_t kMaxHops = 63;

  std::uint8_t hops = 0;
  std::array<std::uint8_t, kMaxHops + 1> ports{};  ///< element 0 is unused, as in the datagram

  bool full() const { return hops == kMaxHops; }
  /// One hop further; the route must not be full.
  Route through(PortNum port) const {
    Route longer = *this;
    longer.ports[++longer.hops] = port.value;
    return longer;
  }

  friend bool operator==(const Route&, const Route&) = default;
};

/// "0,1,3": the form infiniband-diags take after -D.
std::string to_string(const Route& route);

}  // namespace rch::hw
