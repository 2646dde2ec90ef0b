#pragma once

#include <filesystem>

#include "base/result.h"
#include "chains/chain.h"

namespace rch::chains {

/// Writes the four per-engine files of one executed step into `folder` (docs/chains.md):
/// opensm-lid-matrix.<id>.<engine>.dump, opensm-lfts.<id>.<engine>.dump, opensm.fdbs.<id>.<engine>,
/// opensm-subnet.<id>.<engine>.lst; and opensm-ftree-ca-order.<id>.<engine>.dump if the engine has an order
/// of hosts. A failed engine's tables are empty.
Result<void> dump_step(const std::filesystem::path& folder, const StepOutcome& outcome);

/// Writes the final set under the plain names (merged tables; distances of the step that routed the whole
/// fabric, and its order of hosts) and, once, opensm-sl2vl.dump (when the tables hold SL2VL maps)
/// and opensm.mcfdbs. Fails (usage) when the folder cannot be written.
Result<void> dump_final(const std::filesystem::path& folder, const fabric::Fabric& fabric,
                        const ChainRun& run);

/// Writes the links of a fabric into `file`, as opensm-subnet.lst has them. Fails (usage) when it cannot be
/// written.
Result<void> dump_links(const std::filesystem::path& file, const fabric::Fabric& fabric,
                        const fabric::ForwardingTables& lfts);

/// Writes forwarding tables into `file`, as opensm-lfts.dump has them. OpenSM's engine `file` reads them.
/// Fails (usage) when it cannot be written.
Result<void> dump_tables(const std::filesystem::path& file, const fabric::Fabric& fabric,
                         const fabric::ForwardingTables& lfts);

/// Writes the SL of every path between hosts as path-sl.dump, for `ibdmchk -c`: a line per pair.
Result<void> dump_path_sls(const std::filesystem::path& folder, const fabric::Fabric& fabric,
                           const fabric::RoutingTables& tables);

}  // namespace rch::chains
