#pragma once

// Rate limits per SL of adapters, by vendor-specific attributes (docs/manager.md, Rate limits). What they
// mean is public; that the limits count Mbit/s, and which attribute modifiers they take, is presumed.

#include <string>
#include <vector>

#include "base/result.h"
#include "fabric/rate_limits.h"
#include "hw/exchange.h"
#include "hw/image.h"
#include "hw/known_tables.h"
#include "hw/live_fabric.h"

namespace rch::hw {

/// Asks the ports that `target` names whether they can hold limits, those of a maker that is known to have
/// the attribute. Returns what each of them says, as images of the attribute. Those of nodes that were not
/// looked at since `written` was written are not asked again. Fails (fabric) when an answer is missing.
Task<Result<std::vector<Image>>> read_rate_support(Exchange& exchange, const LiveFabric& live,
                                                   const fabric::RateLimitTables& target,
                                                   const WrittenTables* written);

/// The limits of the ports that can hold them.
std::vector<Image> rate_blocks(const LiveFabric& live, const fabric::RateLimitTables& target,
                               const std::vector<Image>& support);
/// Makes `block` what is to be written over `installed`: the share of the bandwidth stays.
void keep_shares(Image& block, const SmpData& installed);
/// A line on the ports that are to have limits and cannot hold them; empty: all can.
std::string remark_on_unable(const LiveFabric& live, const fabric::RateLimitTables& target,
                             const std::vector<Image>& blocks);

}  // namespace rch::hw
