#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/app.h"
#include "cli/flags.h"
#include "cli/pipeline.h"
#include "cli/rules.h"
#include "fabric/fabric_builder.h"
#include "fabric/lids.h"
#include "policy/bind/bind.h"
#include "policy/front_end.h"

namespace rch::cli {
namespace {

struct LintFlags {
  std::string conf, fabric, explain;
  std::vector<std::filesystem::path> files;
  Format format = Format::text;
};

Exit explain(const LintFlags& flags) {
  Output output(flags.format);
  const Rule* rule = find_rule(flags.explain);
  if (rule == nullptr) {
    output.error(
        {ErrorKind::usage,
         fmt::format("no diagnostic is called `{}`; `rch show diagnostics` lists them", flags.explain)});
    return output.finish(Exit::usage);
  }
  output.line(fmt::format("{} ({})\n  {}", rule->name, to_string(rule->severity), rule->summary));
  if (!rule->reason.empty()) output.line(fmt::format("\n  {}", rule->reason));
  output.json("rule", rule_json(*rule));
  return output.finish(Exit::good);
}

/// Findings that need a fabric.
Result<void> lint_on_fabric(Context& context, const policy::Policy& policy, const fabric::Fabric& fabric) {
  const auto lids =
      fabric::plan_lids(fabric, {.lmc = policy.options.lmc, .lmc_esp0 = policy.options.lmc_esp0});
  if (!lids) return tl::unexpected(lids.error());
  const auto labelled = fabric::with_lids(fabric, lids->lids);
  if (!labelled) return tl::unexpected(labelled.error());
  policy::bind(policy, *labelled, context.diagnostics);
  return {};
}

Exit lint(const LintFlags& flags) {
  Context context(flags.format);
  if (!flags.conf.empty()) {
    const auto policy = policy::load(flags.conf, context.sources, context.diagnostics);
    if (!policy) {
      context.report();
      context.output.error(policy.error());
      return context.output.finish(exit_of(policy.error().kind));
    }
    if (!flags.fabric.empty() && policy->policy) {
      const auto fabric = read_fabric(context, flags.fabric, policy->policy->options);
      if (!fabric) return context.output.finish(fabric.error());
      if (const auto done = lint_on_fabric(context, *policy->policy, *fabric); !done) {
        context.report();
        context.output.error(done.error());
        return context.output.finish(exit_of(done.error().kind));
      }
    }
  } else {
    std::vector<policy::LintFile> given;
    for (const auto& file : flags.files) given.push_back({file});
    policy::lint_files(given, context.sources, context.diagnostics);
  }
  const bool errors = context.report();
  const auto count = [&](Severity severity) { return context.diagnostics.count(severity); };
  context.output.line(fmt::format("{} errors, {} warnings, {} notes in {} files", count(Severity::error),
                                  count(Severity::warning), count(Severity::note), context.sources.size()));
  return context.output.finish(errors ? Exit::findings : Exit::good);
}

}  // namespace

void add_lint(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("lint", "Find every mistake in configuration files");
  auto flags = std::make_shared<LintFlags>();
  auto* conf = add_conf(*command, flags->conf);
  auto* files = command->add_option("FILE", flags->files, "Single files; their dialect is told by content");
  files->excludes(conf);
  command->add_option("--fabric", flags->fabric, "Check names, GUIDs and seeds against this fabric too")
      ->type_name("FABRIC")
      ->needs(conf);
  command->add_option("--explain", flags->explain, "Say what a diagnostic means")->type_name("NAME");
  add_format(*command, flags->format);
  command->callback([flags, &action] {
    if (!flags->explain.empty()) {
      action = [flags] { return explain(*flags); };
      return;
    }
    if (flags->conf.empty() && flags->files.empty())
      throw CLI::ValidationError("lint", "give a configuration (-F CONF) or files");
    action = [flags] { return lint(*flags); };
  });
}

}  // namespace rch::cli
