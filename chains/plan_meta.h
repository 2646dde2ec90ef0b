#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "chains/plan.h"

namespace rch::chains {

/// Everything of a plan but its fabric and forwarding tables, as CBOR.
std::vector<std::uint8_t> encode_meta(const Plan& plan);

/// The reverse, into a plan that has its fabric, and its tables. Fails (usage) on anything that encode_meta
/// does not write, and on ids that the fabric does not have.
Result<void> decode_meta(std::string_view cbor, Plan& plan, fabric::RoutingTables& tables);

}  // namespace rch::chains
