#include "cli/plan_source.h"

#include "fabric/fabric_builder.h"
#include "policy/bind/bind_cables.h"
#include "policy/bind/given_names.h"

namespace rch::cli {

void add_plan_source(const Command& command, PlanSource& source, const std::string& what, bool is_required) {
  const Command one = is_required ? command.exactly_one() : command;
  add_conf(one, source.conf);
  one.add("--plan", source.plan, what).type("PLAN");
  command.add("--fabric", source.fabric, "With a configuration: the fabric to plan, as `rch plan` takes it")
      .type("FABRIC");
  add_previous(command, source.previous);
}

std::string objection(const PlanSource& source) {
  if (source.conf.given() && !source.plan.empty()) return "--plan and a configuration exclude each other";
  if (source.conf.given() && source.fabric.empty()) return "a configuration needs --fabric";
  const bool plans = !source.fabric.empty() || !source.previous.empty();
  return !source.plan.empty() && plans ? "--plan goes without --fabric and --previous" : "";
}

Stage<SourcedPlan> plan_from(Context& context, const PlanSource& source, const chains::Observer& observer) {
  if (!source.plan.empty()) {
    auto plan = read_plan(context, source.plan);
    if (!plan) return tl::unexpected(plan.error());
    return SourcedPlan{std::move(*plan)};
  }
  const auto policy = read_policy(context, source.conf);
  if (!policy) return tl::unexpected(policy.error());
  auto fabric = read_fabric(context, source.fabric, (*policy)->options, policy::cable_policy(**policy));
  if (!fabric) return tl::unexpected(fabric.error());
  *fabric = fabric::with_names(std::move(*fabric), policy::given_names(**policy));
  std::optional<chains::Plan> installed;
  const auto request =
      plan_request(context, {.accept = {}, .dump_dir = "", .previous = source.previous}, installed);
  if (!request) return tl::unexpected(request.error());
  auto plan = chains::plan(*policy, std::move(*fabric), *request, context.diagnostics, observer);
  if (context.report() || !plan) return tl::unexpected(plan ? Exit::findings : context.stop(plan.error()));
  return SourcedPlan{std::move(*plan), *policy};
}

}  // namespace rch::cli
