#pragma once

#include <optional>

#include "fabric/fabric.h"

namespace rch::engines::common {

/// The switch whose node or port 0 has the GUID.
inline std::optional<SwitchId> switch_named(const fabric::Fabric& fabric, Guid guid) {
  if (const auto node = fabric.find_node(guid)) return fabric.switch_id(*node);
  if (const auto port = fabric.find_port(guid)) return fabric.switch_id(fabric.port(*port).node);
  return std::nullopt;
}

}  // namespace rch::engines::common
