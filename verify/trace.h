#pragma once

#include <vector>

#include "verify/columns.h"
#include "verify/lanes.h"
#include "verify/verify.h"

namespace rch::verify {

/// The path of one packet.
struct Trace {
  enum class End { delivered, breaks_off, unsendable, dropped, loop };
  std::vector<Hop> hops;  ///< one per switch met; the last may lead nowhere
  End end = End::delivered;
  std::size_t taken = 0;  ///< leading hops whose channel the packet really takes
  std::size_t loop = 0;   ///< hop at which the forwarding loop starts
  std::uint8_t sl = 0;
};

/// Follows the tables from `source`; ends as Account counts it.
Trace trace(const fabric::RoutingTables& tables, const Wiring& wiring, const Lanes& lanes,
            const Source& source, const Destination& destination, std::uint8_t sl);

}  // namespace rch::verify
