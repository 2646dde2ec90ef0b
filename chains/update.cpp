#include "chains/update.h"

#include <algorithm>
#include <tuple>

#include "fabric/table_changes.h"

namespace rch::chains {
namespace {

/// Transient states of tables that have a loop themselves are not free of it.
bool is_accepted_loop(const verify::Finding& finding) {
  return finding.accepted &&
         (finding.kind == verify::FindingKind::loop || finding.kind == verify::FindingKind::credit_loop);
}

/// Nothing where all paths have and had the same service level.
std::optional<verify::PreviousTables> previous_tables(const Plan* previous, const Plan& target) {
  if (previous == nullptr) return std::nullopt;
  const auto level = fabric::common_path_sl(*previous->tables);
  if (level && level == fabric::common_path_sl(*target.tables)) return std::nullopt;
  return verify::PreviousTables{*previous->fabric, *previous->tables};
}

}  // namespace

Result<verify::UpdatePlan> plan_update(const InstalledState& installed, const Plan& target,
                                       bool accept_static, const Observer& observe) {
  if (std::ranges::any_of(target.verdict.findings, is_accepted_loop)) {
    tell(observe, UpdateNotJudged{});
    verify::UpdatePlan at_once;
    at_once.rounds.push_back(fabric::one_round(installed.blocks, target.tables->lfts));
    return at_once;
  }
  const verify::Change change{
      *target.fabric,
      installed.tables,
      *target.tables,
      installed.blocks,
      target.options.qos.max_op_vls,
      target.verdict.switch_lids.sound() ? verify::SwitchPackets::all : verify::SwitchPackets::none,
      previous_tables(installed.previous, target),
      installed.entrances};
  verify::UpdatePlan plan =
      timed(observe, Phase::update, [&] { return verify::plan_update(change, target.channels.get()); });
  tell(observe, UpdatePlanned{change, plan, target.options, accept_static});
  if (plan.only_static && !accept_static)
    return fail(ErrorKind::forbidden, "the update has to stop traffic, which is not accepted");
  return plan;
}

void preview_update(const Plan& installed, const Plan& target, const Observer& observe) {
  const fabric::RoutingTables carried =
      fabric::carried_over(*installed.fabric, *installed.tables, *target.fabric, *target.tables);
  const auto blocks = fabric::differing_blocks(carried.lfts, target.tables->lfts);
  std::ignore = plan_update({carried, blocks, {}, &installed}, target, false, observe);
}

}  // namespace rch::chains
