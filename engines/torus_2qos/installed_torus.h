#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engines/common/incremental/installed_tables.h"
#include "engines/torus_2qos/discovery.h"

namespace rch::engines::torus_2qos {

/// The torus for which the installed tables were computed.
struct InstalledTorus {
  common::InstalledTables installed;
  DiscoveredTorus discovered;
};

/// None when there are no installed tables, or they were computed for no such torus.
std::optional<InstalledTorus> installed_torus(const Options& options);

/// Remarks on what has changed since, one line each: switches lost, new or replaced at a position, and link
/// counts between switches that stayed. At most `max` lines and a last one with the number of further changes
/// (docs/torus.md).
std::vector<std::string> changes_since(const InstalledTorus& installed, const fabric::SubFabric& view,
                                       const Torus& now, std::size_t max);

}  // namespace rch::engines::torus_2qos
