#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/engine.h"
#include "fabric/sub_fabric.h"

namespace rch::engines::common {

/// A value, or why the fabric cannot be routed.
template <class T>
using Attempt = tl::expected<T, EngineFailure>;

/// `rule` must be a literal.
tl::unexpected<EngineFailure> refuse(std::string_view rule, std::string message,
                                     std::vector<Guid> guids = {});

/// `sw_0_0_0` (0x0002c90200400000).
std::string title(const fabric::SubFabric& view, SwitchId sw);

/// The first few items with `separator` between them, then how many more there are.
std::string list_some(std::span<const std::string> items, std::string_view separator);

}  // namespace rch::engines::common
