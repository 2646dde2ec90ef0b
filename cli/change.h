#pragma once

#include "chains/plan.h"
#include "cli/pipeline.h"
#include "verify/transition/ladder.h"

namespace rch::cli {

/// How a change of tables is made and told.
struct ChangeRequest {
  const verify::ChannelGraph* proven = nullptr;  ///< of the wanted tables
  std::chrono::milliseconds wait{};              ///< what a batch that waits is given
  bool accept_static = false;                    ///< the operator accepts that traffic stops
  bool show_batches = false;
};

/// Judges the mixes of held and wanted tables and cuts the change into batches. Says what was found;
/// Exit::forbidden when only a static change is possible and that is not accepted.
Stage<verify::Ladder> plan_change(Context& context, const verify::Change& change,
                                  const verify::Verdict& verdict, const ChangeRequest& request);

}  // namespace rch::cli
