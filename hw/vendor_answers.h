#pragma once

#include <vector>

#include "base/result.h"
#include "hw/exchange.h"
#include "hw/image.h"
#include "hw/known_tables.h"
#include "hw/live_fabric.h"

namespace rch::hw {

/// What ports say when they are asked for an attribute that only some makers have.
struct VendorAnswers {
  std::vector<Image> said;     ///< as they were asked for; all zero without a good answer
  std::vector<PortId> silent;  ///< without an answer
};

/// `questions`: attributes, without data. Those of nodes that were not looked at since `written` was written
/// are not asked again: a port that drops the attribute delays one installation, not each.
Task<Result<VendorAnswers>> ask_vendor(Exchange& exchange, const LiveFabric& live,
                                       std::vector<Image> questions, const WrittenTables* written);

}  // namespace rch::hw
