#include <fmt/format.h>

#include <memory>

#include "chains/plan_file.h"
#include "chains/update.h"
#include "cli/app.h"
#include "cli/flags.h"
#include "cli/report.h"

namespace rch::cli {
namespace {

struct Flags {
  ConfFlags conf;
  std::string fabric, output, timings;
  PlanFlags plan;
  bool metrics = false;
  Format format = Format::text;
};

Stage<chains::Plan> compute(Context& context, const Flags& flags) {
  const auto policy = read_policy(context, flags.conf);
  if (!policy) return tl::unexpected(policy.error());
  const auto fabric = read_fabric(context, flags.fabric, policy->options);
  if (!fabric) return tl::unexpected(fabric.error());
  Report report(context, {.dump_dir = flags.plan.dump_dir,
                          .previous = flags.plan.previous,
                          .metrics = flags.metrics,
                          .show_rounds = false});
  if (!report.dumped()) return tl::unexpected(context.stop(report.dumped().error()));
  std::optional<chains::Plan> installed;
  const auto request = plan_request(context, *policy, flags.plan, installed);
  if (!request) return tl::unexpected(request.error());

  auto plan = chains::plan(*policy, *fabric, *request, context.diagnostics, report.observer());
  if (!plan) return tl::unexpected(context.stop(plan.error()));
  if (!report.dumped()) return tl::unexpected(context.stop(report.dumped().error()));
  if (installed && plan->verdict.clean()) chains::preview_update(*installed, *plan, report.observer());
  return std::move(*plan);
}

Exit write(Context& context, const chains::Plan& plan, const std::string& file) {
  const auto written = context.timings.measure("write", [&] { return chains::write_plan(file, plan); });
  if (!written) return context.stop(written.error());
  context.output.line(fmt::format("plan     {}", file));
  return judge(plan);
}

Exit run(const Flags& flags) {
  Context context(flags.format);
  const auto plan = compute(context, flags);
  Exit code = plan ? judge(*plan) : plan.error();
  if (plan && !flags.output.empty()) code = write(context, *plan, flags.output);
  return context.end(code, flags.timings);
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("plan", "Run the chain on a fabric and prove the result");
  auto flags = std::make_shared<Flags>();
  add_conf(*command, flags->conf);
  command->add_option("--fabric", flags->fabric, "The fabric: a file, or live[:CA[:PORT]]")
      ->required()
      ->type_name("FABRIC");
  command->add_option("-o,--output", flags->output, "Write the plan here")->type_name("PLAN");
  command->add_option("--dump-dir", flags->plan.dump_dir, "Write OpenSM's dump files per step and merged")
      ->type_name("DIR");
  add_previous(*command, flags->plan.previous);
  add_metrics(*command, flags->metrics);
  add_accept(*command, flags->plan.accept);
  add_timings(*command, flags->timings);
  add_format(*command, flags->format);
  command->callback([flags, &action] {
    require_conf(flags->conf);
    action = [flags] { return run(*flags); };
  });
}

}  // namespace rch::cli
