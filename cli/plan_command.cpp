#include <fmt/format.h>

#include <memory>

#include "chains/plan_file.h"
#include "chains/update.h"
#include "cli/certify.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/overwrites.h"
#include "cli/report.h"
#include "fabric/fabric_builder.h"
#include "policy/bind/bind_cables.h"
#include "policy/bind/given_names.h"

namespace rch::cli {
namespace {

struct PlanCommandFlags {
  ConfFlags conf;
  std::string fabric, output, timings;
  PlanFlags plan;
  std::string certify;
  bool metrics = false, strict = false, details = false;
  Format format = Format::text;
};

Stage<chains::Plan> compute(Context& context, const PlanCommandFlags& flags) {
  const auto policy = read_policy(context, flags.conf);
  if (!policy) return tl::unexpected(policy.error());
  auto fabric = read_fabric(context, flags.fabric, (*policy)->options, policy::cable_policy(**policy));
  if (!fabric) return tl::unexpected(fabric.error());
  *fabric = fabric::with_names(std::move(*fabric), policy::given_names(**policy));
  Report report(context, {.dump_dir = flags.plan.dump_dir,
                          .dump_path_sls = flags.plan.dump_path_sls,
                          .previous = flags.plan.previous,
                          .metrics = flags.metrics,
                          .show_rounds = false});
  if (!report.dumped()) return tl::unexpected(context.stop(report.dumped().error()));
  std::optional<chains::Plan> installed;
  auto request = plan_request(context, flags.plan, installed);
  if (!request) return tl::unexpected(request.error());
  request->may_change_sls = true;  // the update that it takes is shown
  request->reports_drift = true;
  request->suggests_engines = true;

  auto plan = chains::plan(*policy, std::move(*fabric), *request, context.diagnostics, report.observer());
  if (!plan) return tl::unexpected(context.stop(plan.error()));
  if (!report.dumped()) return tl::unexpected(context.stop(report.dumped().error()));
  // An update is judged by the entries alone, and groups are not written.
  const bool has_groups =
      !plan->tables->adaptive.empty() || (installed && !installed->tables->adaptive.empty());
  if (installed && plan->verdict.clean() && has_groups)
    context.output.line("update   not planned: rch writes no groups of ports to switches");
  if (installed && plan->verdict.clean() && !has_groups)
    chains::preview_update(*installed, *plan, report.observer());
  return std::move(*plan);
}

Exit write(Context& context, const chains::Plan& plan, const std::string& file) {
  const auto written = context.timings.measure("write", [&] { return chains::write_plan(file, plan); });
  if (!written) return context.stop(written.error());
  context.output.line(fmt::format("plan     {}", file));
  return judge(plan);
}

Exit run(const PlanCommandFlags& flags) {
  Context context(flags.format);
  context.output.show_details(flags.details);
  context.output.begin_with_verdict();
  context.strict = flags.strict;
  const auto plan = compute(context, flags);
  Exit code = plan ? judge(*plan) : plan.error();
  if (code == Exit::good) code = write_certificate(context, tables_of(*plan), flags.certify);
  if (plan && !flags.output.empty()) code = std::max(code, write(context, *plan, flags.output));
  return context.end(code, flags.timings);
}

}  // namespace

void add_plan(const Command& rch) {
  const Command command = rch.command("plan", "Run the chain on a fabric and prove the result");
  auto flags = std::make_shared<PlanCommandFlags>();
  add_conf(command, flags->conf);
  command.add("--fabric", flags->fabric, "The fabric: a file, or live[:CA[:PORT]]").required().type("FABRIC");
  command.add("-o,--output", flags->output, "Write the plan here").type("PLAN");
  const Flag dumps =
      command.add("--dump-dir", flags->plan.dump_dir, "Write OpenSM's dump files per step and merged")
          .type("DIR");
  add_path_sls(command, flags->plan.dump_path_sls, dumps);
  add_previous(command, flags->plan.previous);
  add_certificate(command, flags->certify);
  add_metrics(command, flags->metrics);
  add_accept(command, flags->plan.accept, {});
  add_strict(command, flags->strict);
  add_timings(command, flags->timings);
  add_details(command, flags->details);
  command.add_format(flags->format);
  command.does([flags] { return run(*flags); },
               [flags] {
                 for (const auto& [file, what] :
                      {std::pair(flags->output, "a plan"), std::pair(flags->certify, "a certificate")})
                   if (std::string unwritable = require_other_file(
                           file, what, {flags->fabric, flags->conf.opensm_conf, flags->conf.rch_file});
                       !unwritable.empty())
                     return unwritable;
                 return require_conf(flags->conf);
               });
}

}  // namespace rch::cli
