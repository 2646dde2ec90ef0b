#pragma once

#include <span>

#include "base/result.h"
#include "chains/events.h"
#include "chains/plan.h"
#include "fabric/block_writes.h"
#include "verify/transition/update_plan.h"

namespace rch::chains {

/// Tables in switches.
struct InstalledState {
  const fabric::RoutingTables& tables;       ///< with rows like those of the target (verify::Change)
  std::span<const fabric::LftBlock> blocks;  ///< to be written
  std::span<const PortId> entrances{};       ///< that lead to parts that are left out (verify::Change)
  const Plan* previous = nullptr;            ///< that hosts have their service levels from; null: not known
};

/// Computes how the tables of `target` replace the installed ones, so that no transient state has a loop.
/// Fails (forbidden) when traffic has to be stopped first and that is not accepted.
Result<verify::UpdatePlan> plan_update(const InstalledState& installed, const Plan& target,
                                       bool accept_static, const Observer& observe = {});

/// The same from the tables of an earlier plan, for its events only.
void preview_update(const Plan& installed, const Plan& target, const Observer& observe);

}  // namespace rch::chains
