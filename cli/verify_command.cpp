#include <fmt/format.h>

#include <memory>

#include "cli/app.h"
#include "cli/flags.h"
#include "cli/pipeline.h"
#include "fabric/difference.h"

namespace rch::cli {
namespace {

struct VerifyFlags {
  std::string plan, fabric, timings;
  std::vector<std::string> accept;
  bool metrics = false;
  Format format = Format::text;
};

Exit prove(Context& context, const VerifyFlags& flags) {
  auto plan = context.timings.measure("read", [&] { return chains::read_plan(flags.plan); });
  if (!plan) {
    context.output.error(plan.error());
    return exit_of(plan.error().kind);
  }
  if (!flags.fabric.empty()) {
    const auto fabric = read_fabric(context, flags.fabric, plan->options);
    if (!fabric) return fabric.error();
    if (!same_fabric(context, plan->fabric, *fabric)) return Exit::forbidden;
  }
  plan->verdict = context.timings.measure("verify", [&] {
    return verify::verify(plan->fabric, plan->tables, {.max_op_vls = plan->options.max_op_vls});
  });
  accept_findings(plan->verdict, flags.accept);
  context.output.verdict(plan->verdict, plan->fabric);
  if (flags.metrics) report_metrics(context, plan->fabric, plan->tables);
  return judge(*plan);
}

Exit verify(const VerifyFlags& flags) {
  Context context(flags.format);
  return context.end(prove(context, flags), flags.timings);
}

}  // namespace

void add_verify(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("verify", "Prove a plan again, apart from the engines that made it");
  auto flags = std::make_shared<VerifyFlags>();
  command->add_option("--plan", flags->plan, "The plan to judge")->required()->type_name("PLAN");
  command
      ->add_option(
          "--fabric", flags->fabric,
          "A fabric that must be the plan's: a file, or live[:CA[:PORT]] (default: the plan's own snapshot)")
      ->type_name("FABRIC");
  add_metrics(*command, flags->metrics);
  add_accept(*command, flags->accept);
  add_timings(*command, flags->timings);
  add_format(*command, flags->format);
  command->callback([flags, &action] { action = [flags] { return verify(*flags); }; });
}

}  // namespace rch::cli
