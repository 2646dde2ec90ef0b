#include "whatif/judge.h"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "chains/update.h"
#include "whatif/damage.h"
#include "whatif/level_change.h"

namespace rch::whatif {
namespace {

using chains::Plan;

/// `1 torus-2QoS, 3 minhop`: the steps that routed.
std::string routed_steps(std::span<const chains::StepReport> steps) {
  std::vector<std::string> names;
  for (const chains::StepReport& step : steps)
    if (step.status == chains::StepStatus::routed)
      names.push_back(step.id.value == 0 ? step.engine : fmt::format("{} {}", step.id, step.engine));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string first_failure(std::span<const chains::StepReport> steps) {
  const auto failed = std::ranges::find(steps, chains::StepStatus::failed, &chains::StepReport::status);
  return failed == steps.end() || !failed->failure ? "" : failed->failure->message;
}

/// What a plan in the making tells.
struct Told {
  Diagnostics diagnostics;
  std::vector<chains::StepReport> steps;
  std::uint64_t entries = 0, rounds = 0, drained = 0;
  bool stops_traffic = false;
  bool closes_credit_loop = false;  ///< all writes of the update at once would

  chains::Observer observer() {
    return [this](const chains::Event& event) {
      if (const auto* finished = std::get_if<chains::ChainFinished>(&event)) steps = finished->steps;
      if (const auto* compared = std::get_if<chains::TablesCompared>(&event))
        entries = compared->changes.entries;
      if (std::holds_alternative<chains::UpdateNotJudged>(event)) rounds = 1;
      if (const auto* planned = std::get_if<chains::UpdatePlanned>(&event)) {
        rounds = planned->plan.rounds.size();
        drained = planned->plan.drained.size();
        stops_traffic = planned->plan.only_static.has_value();
        const auto& at_once = planned->plan.at_once;
        closes_credit_loop = at_once && at_once->kind == verify::FindingKind::credit_loop;
      }
    };
  }
};

/// Why there is no plan.
std::string reason_of(const Error& error, const Told& told) {
  const auto all = told.diagnostics.all();
  const auto wrong = std::ranges::find(all, Severity::error, &Diagnostic::severity);
  if (wrong != all.end()) return wrong->message;
  const std::string failure = first_failure(told.steps);
  return failure.empty() ? error.message : failure;
}

/// The finding counts pairs that are lost. Loops that no path between hosts meets are counted by LID, and
/// have no source.
bool counts_lost_pairs(const verify::Finding& finding) {
  using enum verify::FindingKind;
  if (finding.kind == loop) return !finding.witness.empty() && !finding.witness.front().source.is_none();
  return finding.kind == unreachable || finding.kind == dropped_by_vl || finding.kind == disconnected;
}

void take_verdict(const verify::Verdict& verdict, Outcome& outcome) {
  using enum verify::FindingKind;
  for (const verify::Finding& finding : verdict.findings) {
    if (counts_lost_pairs(finding)) outcome.lost_pairs += finding.count;
    if (finding.kind == multicast_unrouted) outcome.waiting_groups += finding.count;
    if (finding.accepted || finding.kind == multicast_unrouted) continue;
    if (outcome.findings.empty()) outcome.finding = finding.message;
    outcome.findings.emplace_back(verify::name(finding.kind));
  }
}

/// A proof that builds on an earlier one may count dependencies that no packet causes any more. Only where
/// all writes at once would close a credit loop can these matter to an update: after that it is planned
/// without them. The same plan without them.
Plan with_channels_in_use(Plan plan) {
  const auto channels = std::make_shared<verify::ChannelDependencyGraph>();
  verify::verify(*plan.fabric, *plan.tables,
                 {.max_op_vls = plan.options.qos.max_op_vls, .graph = channels.get()});
  plan.channels = channels;
  return plan;
}

/// The same, with the entries of its tables by LID, too: each case looks at those of some LIDs.
Base by_lid(Base base) {
  const fabric::RoutingTables& given = *base.plan.tables;
  fabric::RoutingTables tables{.lfts = given.lfts.clone(),
                               .sl2vl = given.sl2vl,
                               .steps = given.steps,
                               .groups = given.groups,
                               .arbitration = given.arbitration,
                               .rate_limits = given.rate_limits,
                               .pkeys = given.pkeys,
                               .sl2vl_of_options = given.sl2vl_of_options};
  tables.lfts.keep_by_lid();
  base.plan.tables = std::make_shared<const fabric::RoutingTables>(std::move(tables));
  return base;
}

}  // namespace

Judge::Judge(Base base, std::vector<Alternative> alternatives)
    : base_(by_lid(std::move(base))),
      alternatives_(std::move(alternatives)),
      steps_(routed_steps(base_.plan.steps)),
      flows_(base_.plan) {}

Outcome Judge::judge(std::uint64_t number, const Failure& failure) const {
  const fabric::Fabric& whole = *base_.plan.fabric;
  Outcome outcome{.number = number,
                  .failure = describe(whole, failure),
                  .parts = failure.cables.size() + failure.nodes.size()};
  if (!failure.configuration.empty()) {
    judge_alternative(failure.configuration, outcome);
    return outcome;
  }
  auto damage = damaged(whole, failure);
  if (!damage) {
    outcome.routing = Routing::none;
    outcome.reason = damage.error().message;
    return outcome;
  }
  outcome.cut_off = damage->cut_off.size();
  outcome.cut_off_beyond = damage->cut_off_beyond;
  outcome.manager_cut_off = damage->manager_cut_off;
  if (damage->fabric.switch_count() == 0) {
    outcome.routing = Routing::none;
    outcome.reason = "no switch is left";
    return outcome;
  }
  reroute(std::move(damage->fabric), outcome);
  return outcome;
}

/// Other steps are what is asked for. Only what they do instead of what they should counts.
void Judge::judge_alternative(const std::string& name, Outcome& outcome) const {
  const auto with = std::ranges::find(alternatives_, name, &Alternative::name);
  if (with == alternatives_.end()) {
    outcome.routing = Routing::none;
    outcome.reason = "it is not known";
    return;
  }
  const auto plan = replan({with->policy, with->settings, false}, *base_.plan.fabric, outcome);
  if (plan && !plan->degraded) {
    outcome.routing = Routing::as_before;
    outcome.reason.clear();
  }
}

std::optional<Plan> Judge::reroute(fabric::Fabric damaged, Outcome& outcome) const {
  return replan({base_.policy, base_.settings, true}, std::move(damaged), outcome);
}

std::optional<Plan> Judge::replan(const Instead& instead, fabric::Fabric fabric, Outcome& outcome) const {
  Told told;
  const chains::PlanRequest request{.installed = &base_.plan,
                                    .settings = instead.settings,
                                    .may_reassign = instead.may_reassign,
                                    .may_change_sls = true,
                                    .makes_groups = false};
  auto plan = chains::plan(instead.policy, std::move(fabric), request, told.diagnostics, told.observer());
  if (!plan) {
    outcome.routing = Routing::none;
    outcome.reason = reason_of(plan.error(), told);
    return std::nullopt;
  }
  if (plan->verdict.clean()) {
    chains::preview_update(base_.plan, *plan, told.observer());
    if (plan->verdict.at_most && told.closes_credit_loop)
      chains::preview_update(base_.plan, with_channels_in_use(*plan), told.observer());
  }
  outcome.steps = routed_steps(plan->steps);
  if (outcome.steps != steps_) {
    outcome.routing = Routing::otherwise;
    outcome.reason = first_failure(plan->steps);
  }
  take_verdict(plan->verdict, outcome);
  outcome.entries = told.entries;
  outcome.rounds = told.rounds;
  outcome.drained = told.drained;
  outcome.stops_traffic = told.stops_traffic;
  const LevelChange levels = level_change(base_.plan, *plan);
  outcome.sl_hosts = levels.hosts;
  outcome.sl_pairs = levels.pairs;
  outcome.fullest = flows_.fullest(*plan);
  return std::move(*plan);
}

}  // namespace rch::whatif
