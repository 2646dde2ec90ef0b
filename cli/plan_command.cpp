#include <fmt/format.h>

#include <memory>

#include "cli/app.h"
#include "cli/flags.h"
#include "cli/pipeline.h"

namespace rch::cli {
namespace {

struct PlanFlags {
  ConfFlags conf;
  std::string fabric, plan, timings;
  PlanRequest request;
  Format format = Format::text;
};

Exit plan(const PlanFlags& flags) {
  Context context(flags.format);
  const auto end = [&](Exit code) { return context.end(code, flags.timings); };

  const auto policy = read_policy(context, flags.conf);
  if (!policy) return end(policy.error());
  auto fabric = read_fabric(context, flags.fabric, policy->options);
  if (!fabric) return end(fabric.error());
  const auto made = make_plan(context, *policy, std::move(*fabric), flags.request);
  if (!made) return end(made.error());

  if (!flags.plan.empty()) {
    const auto written =
        context.timings.measure("write", [&] { return chains::write_plan(flags.plan, *made); });
    if (!written) {
      context.output.error(written.error());
      return end(exit_of(written.error().kind));
    }
    context.output.line(fmt::format("plan     {}", flags.plan));
  }
  return end(judge(*made));
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("plan", "Run the chain on a fabric and prove the result");
  auto flags = std::make_shared<PlanFlags>();
  add_conf(*command, flags->conf);
  command->add_option("--fabric", flags->fabric, "The fabric: a file, or live[:CA[:PORT]]")
      ->required()
      ->type_name("FABRIC");
  command->add_option("-o,--output", flags->plan, "Write the plan here")->type_name("PLAN");
  command->add_option("--dump-dir", flags->request.dump_dir, "Write OpenSM's dump files per step and merged")
      ->type_name("DIR");
  add_previous(*command, flags->request.previous);
  add_metrics(*command, flags->request.metrics);
  add_accept(*command, flags->request.accept);
  add_timings(*command, flags->timings);
  add_format(*command, flags->format);
  command->callback([flags, &action] {
    require_conf(flags->conf);
    action = [flags] { return plan(*flags); };
  });
}

}  // namespace rch::cli
