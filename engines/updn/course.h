#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engines/common/incremental/affected_entries.h"
#include "engines/opensm_compat/updn_search.h"
#include "engines/updn/orientation.h"

namespace rch::engines::updn {

/// What the tables of updn or dnup go by on a fabric.
struct Course {
  /// `one_order`: without a repair pass.
  Course(const common::WeightedGraph& links, std::vector<std::uint32_t> switch_ranks, Orientation order,
         bool one_order);

  std::vector<std::uint32_t> ranks;
  Orientation orientation;
  bool repaired;  ///< the tables go through the repair pass (engines/updn/search_repair.h)
};

/// Tables along `now`, with as few changes of the installed ones as the engine allows. `before`: what those
/// went by; nothing if every entry is selected again, as with `connect_roots`. `search`: OpenSM's, for the
/// repair pass.
StepTables route_along(const common::Rerouting& rerouting, const std::optional<Course>& before,
                       const Course& now, bool connect_roots,
                       const std::function<opensm_compat::UpdnSearch()>& search);

}  // namespace rch::engines::updn
