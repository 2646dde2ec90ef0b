#pragma once

#include <optional>
#include <vector>

#include "verify/context.h"
#include "verify/earlier_proof.h"

namespace rch::verify {

/// What may be another way than in an earlier proof.
struct Changes {
  std::vector<Destination> destinations;  ///< to which some packet may go another way
  std::vector<Destination> switches;      ///< likewise, of LIDs of switches
  std::vector<PortId> ports;              ///< of switches, whose link is another one
};

/// Packets to all other destinations take the same channels as before, and none is lost. Nothing if more than
/// entries and links between switches differs: nodes, hosts, LIDs, service levels or SL2VL maps.
std::optional<Changes> changes_since(const EarlierProof& earlier, const Context& context);

}  // namespace rch::verify
