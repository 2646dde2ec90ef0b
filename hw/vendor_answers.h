#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "hw/exchange.h"
#include "hw/image.h"
#include "hw/known_tables.h"
#include "hw/live_fabric.h"

namespace rch::hw {

/// What ports say when they are asked for an attribute that only some makers have.
struct VendorAnswers {
  std::vector<Image> said;     ///< of those that answered; all zero where the answer is an error status
  std::vector<PortId> silent;  ///< the others
};

/// `questions`: an attribute of each of some ports, ascending, without data. Those of nodes that were not
/// looked at since `written` was written are not asked again.
Task<Result<VendorAnswers>> ask_vendor(Exchange& exchange, const LiveFabric& live,
                                       std::vector<Image> questions, const WrittenTables* written);

}  // namespace rch::hw
