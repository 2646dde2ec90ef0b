#pragma once

#include <span>

#include "base/result.h"
#include "chains/events.h"
#include "chains/in_place.h"
#include "chains/plan.h"
#include "fabric/block_writes.h"
#include "verify/transition/update_plan.h"

namespace rch::chains {

/// Tables in switches.
struct InstalledState {
  const fabric::RoutingTables& tables;       ///< with rows like those of the target (verify::Change)
  std::span<const fabric::LftBlock> blocks;  ///< to be written
  std::span<const PortId> entrances{};       ///< that lead to parts that are left out (verify::Change)
  std::span<const Plan* const> previous{};   ///< that hosts have their service levels from; empty: not known
  const InPlace* in_place = nullptr;         ///< null: the target has all that carries data
};

/// Computes how the tables of `target` replace the installed ones, so that no transient state has a loop.
/// Fails (forbidden) when traffic has to be stopped first and that is not accepted.
Result<verify::UpdatePlan> plan_update(const InstalledState& installed, const Plan& target,
                                       bool accept_static, const Observer& observe = {});

/// The same from the tables of an earlier plan, before these are installed. `previous`, `in_place`: see
/// InstalledState.
Result<void> judge_update(const Plan& installed, const Plan& target, std::span<const Plan* const> previous,
                          bool accept_static, const Observer& observe, const InPlace* in_place = nullptr);

/// The same for its events only. Hosts have their service levels from the earlier plan.
void preview_update(const Plan& installed, const Plan& target, const Observer& observe);

}  // namespace rch::chains
