#pragma once

#include "engines/common/incremental/affected_entries.h"
#include "engines/opensm_compat/updn_search.h"
#include "engines/updn/orientation.h"

namespace rch::engines::updn {

/// Tables of up-down paths along an orientation. Remarks count the pairs without one; `connect_roots` routes
/// those too.
StepTables route_up_down(const common::PortContext& context, const Orientation& orientation,
                         bool connect_roots, const common::AffectedEntries* affected = nullptr);

/// The same by incremental rerouting, which must be possible. `before` is the orientation that the installed
/// tables were made along. Where it differs on links that both graphs have, every entry is selected again.
StepTables reroute_up_down(const common::Rerouting& rerouting, const Orientation& before,
                           const Orientation& now);

/// True if OpenSM's search is asked for and finds other routes than up-down paths along an orientation.
/// Without links between equal ranks it finds the same, because a path that only goes down is then the
/// shortest.
bool needs_search(const common::PortContext& context, std::span<const std::uint32_t> ranks,
                  bool connect_roots);

/// Tables of what OpenSM's search has found.
StepTables select_by_search(const common::PortContext& context, const opensm_compat::UpdnSearch& search,
                            const common::AffectedEntries* affected = nullptr);

/// Puts remarks in front of others.
void prepend(std::vector<std::string>& remarks, const std::vector<std::string>& first);

}  // namespace rch::engines::updn
