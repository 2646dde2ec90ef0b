#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/report.h"

namespace rch::cli {
namespace {

struct VerifyFlags {
  std::string plan, fabric, timings;
  std::vector<std::string> accept;
  bool metrics = false;
  Format format = Format::text;
};

Exit prove(Context& context, const VerifyFlags& flags) {
  const auto plan = read_plan(context, flags.plan);
  if (!plan) return plan.error();
  auto fabric = plan->fabric;
  if (!flags.fabric.empty()) {
    auto seen = read_fabric(context, flags.fabric, plan->options);
    if (!seen) return seen.error();
    fabric = std::make_shared<const fabric::Fabric>(std::move(*seen));
  }
  Report report(context, {.dump_dir = "", .previous = "", .metrics = flags.metrics, .show_rounds = false});
  const auto proven = chains::prove_again(*plan, *fabric, flags.accept, report.observer());
  return proven ? judge(*proven) : context.stop(proven.error());
}

Exit verify(const VerifyFlags& flags) {
  Context context(flags.format);
  return context.end(prove(context, flags), flags.timings);
}

}  // namespace

void add_verify(const Command& rch) {
  const Command command = rch.command("verify", "Prove a plan again, apart from the engines that made it");
  command.exits({Exit::good, Exit::usage, Exit::forbidden, Exit::fabric});
  auto flags = std::make_shared<VerifyFlags>();
  command.add("--plan", flags->plan, "The plan to judge").required().type("PLAN");
  command
      .add("--fabric", flags->fabric,
           "A fabric that must be the plan's: a file, or live[:CA[:PORT]] (default: the plan's own snapshot)")
      .type("FABRIC");
  add_metrics(command, flags->metrics);
  add_accept(command, flags->accept);
  add_timings(command, flags->timings);
  command.add_format(flags->format);
  command.does([flags] { return verify(*flags); });
}

}  // namespace rch::cli
