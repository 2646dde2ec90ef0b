#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chains/plan.h"
#include "cli/context.h"
#include "cli/report.h"
#include "fabric/cable_policy.h"
#include "fabric/lid_records.h"
#include "fabric/names.h"
#include "hw/commit_report.h"
#include "sm/install.h"

namespace rch::cli {

/// Gets the tables of the switches before the planner is called.
using TakeFound = decltype(sm::InstallOptions::take_found);

/// One pass over a live fabric, from what `rch apply` was told.
struct LiveCommit {
  std::string port = "live";  ///< of `--fabric`
  std::string lid_file{};     ///< of `--guid2lid`; empty: that of the options
  bool dry_run = false, takeover = false, strict = false;
  std::vector<std::string> accept{};  ///< `--accept`
  fabric::NodeNames names{};
  std::shared_ptr<const fabric::CablePolicy> admitted{};
  sm::Planner planner{};
  TakeFound take_found{};
  /// Plans that hosts may have their service levels from. The first is the one installed last. They must
  /// outlive the call.
  std::vector<const chains::Plan*> previous{};
  decltype(sm::InstallOptions::agrees) agrees{};
};

struct Committed {
  chains::Plan plan;
  hw::CommitReport report;
};

/// Opens the port, installs what the planner makes on the fabric behind it, and prints what was written.
/// Everything that is wrong has been reported when it fails.
Stage<Committed> commit_live(Context& context, const LiveCommit& commit, const policy::Options& options,
                             Report& report);

/// The guid2lid file of a configuration.
struct LidFile {
  std::string path;
  fabric::LidRecords records{};
};

/// Reads the file. One that is not there has no records.
Stage<LidFile> read_lid_file(Context& context, const std::string& path);
/// Writes the file with the LIDs of a plan, if they are others. Fails (usage) when it cannot be written.
Result<void> take_over_lids(LidFile& file, const fabric::Fabric& fabric);

}  // namespace rch::cli
