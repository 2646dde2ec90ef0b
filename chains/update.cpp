#include "chains/update.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "fabric/table_changes.h"

namespace rch::chains {
namespace {

/// Transient states of tables that have a loop themselves are not free of it.
bool is_accepted_loop(const verify::Finding& finding) {
  return finding.accepted &&
         (finding.kind == verify::FindingKind::loop || finding.kind == verify::FindingKind::credit_loop);
}

/// Nothing where all paths have and had the same service level.
std::vector<verify::PreviousTables> previous_tables(std::span<const Plan* const> previous,
                                                    const Plan& target) {
  const auto level = fabric::common_path_sl(*target.tables);
  const auto has_other = [&](const Plan* plan) {
    return !level || level != fabric::common_path_sl(*plan->tables);
  };
  std::vector<verify::PreviousTables> tables;
  if (std::ranges::any_of(previous, has_other))
    for (const Plan* plan : previous) tables.push_back({*plan->fabric, *plan->tables});
  return tables;
}

/// A change as verify/ judges it, on the fabric that packets meet.
struct Judged {
  /// Keeps references.
  Judged(const InstalledState& installed, const Plan& target)
      : in_place(installed.in_place),
        blocks(in_place != nullptr ? blocks_in_place(*in_place, installed.blocks)
                                   : std::vector(installed.blocks.begin(), installed.blocks.end())),
        entrances(in_place != nullptr ? ports_in_place(*in_place, *target.fabric, installed.entrances)
                                      : std::vector(installed.entrances.begin(), installed.entrances.end())),
        change{in_place != nullptr ? in_place->fabric : *target.fabric,
               in_place != nullptr && in_place->installed ? *in_place->installed : installed.tables,
               in_place != nullptr && in_place->target ? *in_place->target : *target.tables,
               blocks,
               target.options.qos.max_op_vls,
               target.verdict.switch_lids.sound() ? verify::SwitchPackets::all : verify::SwitchPackets::none,
               previous_tables(installed.previous, target),
               entrances},
        proven(target.channels.get()) {
    if (in_place == nullptr || in_place->number.empty()) return;
    change.levels.emplace(verify::PreviousTables{*target.fabric, *target.tables});
    proven = nullptr;  // it has other numbers
  }

  Judged(const Judged&) = delete;
  Judged& operator=(const Judged&) = delete;

  const InPlace* const in_place;
  const std::vector<fabric::LftBlock> blocks;
  const std::vector<PortId> entrances;
  verify::Change change;
  const verify::ChannelDependencyGraph* proven;
};

}  // namespace

Result<verify::UpdatePlan> plan_update(const InstalledState& installed, const Plan& target,
                                       bool accept_static, const Observer& observe) {
  if (std::ranges::any_of(target.verdict.findings, is_accepted_loop)) {
    tell(observe, UpdateNotJudged{});
    verify::UpdatePlan at_once;
    at_once.rounds.push_back(fabric::one_round(installed.blocks, target.tables->lfts));
    return at_once;
  }
  const Judged judged(installed, target);
  const verify::Change& change = judged.change;
  verify::UpdatePlan plan =
      timed(observe, Phase::update, [&] { return verify::plan_update(change, judged.proven); });
  tell(observe, UpdatePlanned{change, plan, target.options, accept_static});
  if (plan.only_static && !accept_static)
    return fail(
        ErrorKind::forbidden,
        "the update has to stop traffic, which is not accepted (`--accept static-change` of `rch apply`, or "
        "once of `rch sweep`)");
  if (installed.in_place != nullptr) renumber(*installed.in_place, plan.rounds);
  return plan;
}

Result<void> judge_update(const Plan& installed, const Plan& target, std::span<const Plan* const> previous,
                          bool accept_static, const Observer& observe, const InPlace* in_place) {
  const fabric::RoutingTables carried =
      fabric::carried_over(*installed.fabric, *installed.tables, *target.fabric, *target.tables);
  const auto blocks = fabric::differing_blocks(carried.lfts, target.tables->lfts);
  const auto update = plan_update({carried, blocks, {}, previous, in_place}, target, accept_static, observe);
  if (!update) return tl::unexpected(update.error());
  return {};
}

void preview_update(const Plan& installed, const Plan& target, const Observer& observe) {
  const Plan* const previous = &installed;
  std::ignore = judge_update(installed, target, {&previous, 1}, false, observe);
}

}  // namespace rch::chains
