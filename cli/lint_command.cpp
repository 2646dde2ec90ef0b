#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/flags.h"
#include "cli/repairs.h"
#include "cli/rules.h"
#include "cli/show/explain.h"
#include "fabric/fabric_builder.h"
#include "fabric/lids.h"
#include "policy/bind/bind.h"
#include "policy/bind/given_names.h"
#include "policy/build/front_end.h"
#include "policy/lint/rules.h"

namespace rch::cli {
namespace {

struct LintFlags {
  ConfFlags conf;
  std::string fabric, explain, as, compat;
  std::vector<std::string> files;
  bool strict = false, fix = false, diff = false;
  Format format = Format::text;
};

std::optional<Peer> compat_of(const LintFlags& flags) {
  if (flags.compat.empty()) return std::nullopt;
  return flags.compat == "opensm" ? Peer::opensm : Peer::nvidia;
}

std::vector<std::string> names_of_rules() {
  std::vector<std::string> names;
  for (const Rule* rule : all_rules()) names.emplace_back(rule->name);
  return names;
}

std::string other_rule(const LintFlags& flags) {
  std::vector<std::string_view> names;
  for (const Rule* known : all_rules()) names.push_back(known->name);
  const std::string_view meant = nearest(flags.explain, names);
  return meant.empty() ? "`rch show diagnostics` lists them" : fmt::format("did you mean `{}`?", meant);
}

Exit explain(const LintFlags& flags) {
  Output output(flags.format);
  const Rule* rule = find_rule(flags.explain);
  if (rule == nullptr) {
    output.error({ErrorKind::usage,
                  fmt::format("no diagnostic is called `{}`; {}", flags.explain, other_rule(flags))});
    return output.finish(Exit::usage);
  }
  output.text(explain_text(*rule));
  output.json("rule", explain_json(*rule));
  return output.finish(Exit::good);
}

/// Findings that need a fabric.
Result<void> lint_on_fabric(Context& context, const std::shared_ptr<const policy::Policy>& policy,
                            const fabric::Fabric& fabric) {
  const auto lids =
      fabric::plan_lids(fabric, {.lmc = policy->options.lids.lmc, .lmc_esp0 = policy->options.lids.lmc_esp0});
  if (!lids) return tl::unexpected(lids.error());
  auto labelled = fabric::with_lids(fabric, lids->lids);
  if (!labelled) return tl::unexpected(labelled.error());
  *labelled = fabric::with_names(std::move(*labelled), policy::given_names(*policy));
  policy::bind(policy, std::make_shared<const fabric::Fabric>(std::move(*labelled)), context.diagnostics);
  return {};
}

/// Says what files were taken for whose dialect was not given.
void report_guesses(Context& context, std::span<const policy::GuessedDialect> guesses) {
  Json list = Json::array();
  for (const policy::GuessedDialect& guess : guesses) {
    const std::string& file = context.sources->at(guess.source).name();
    const policy::DialectInfo& dialect = policy::info(guess.dialect);
    const std::string_view by = guess.by_name ? "name" : "content";
    context.output.line(fmt::format("{}: {} ({}), told by its {}", file, dialect.what, dialect.name, by));
    list.push_back({{"file", file}, {"dialect", dialect.name}, {"told_by", by}});
  }
  context.output.json("files", std::move(list));
}

/// Reads what the flags name and collects every finding. The exit code when that ends early, reported.
std::optional<Exit> collect(Context& context, const LintFlags& flags) {
  const auto failed = [&](const Error& error) {
    context.report();
    context.output.error(error);
    return context.output.finish(exit_of(error.kind));
  };
  std::optional<policy::Policy> policy;
  if (flags.conf.given()) {
    auto read = read_configuration(context, flags.conf);
    if (!read) return failed(read.error());
    context.settings.strict = context.settings.strict || flags.strict;
    if (const auto compat = compat_of(flags)) context.settings.compat = compat;
    context.output.compare_with(context.settings.compat);
    policy = std::move(read->policy);
  } else {
    std::vector<policy::LintFile> given;
    for (const auto& file : flags.files) given.push_back({file, policy::dialect_named(flags.as)});
    auto linted = policy::lint_files(given, *context.sources, context.diagnostics, compat_of(flags));
    report_guesses(context, linted.guessed);
    policy = std::move(linted.policy);
  }
  if (flags.fabric.empty() || !policy) return std::nullopt;
  const auto fabric = read_fabric(context, flags.fabric, policy->options);
  if (!fabric) return context.output.finish(fabric.error());
  if (const auto done =
          lint_on_fabric(context, std::make_shared<const policy::Policy>(std::move(*policy)), *fabric);
      !done)
    return failed(done.error());
  return std::nullopt;
}

/// True if a file of the command line cannot be read, which is wrong usage whatever the others hold.
bool file_missed(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.all().begin(), diagnostics.all().end(), [](const Diagnostic& d) {
    return d.rule == &policy::kUnreadableFile && d.span.source.is_none();
  });
}

/// Repairs what is certain, in the files or (with --diff) in memory. The context reads the repaired texts.
Result<void> fix(Context& context, const LintFlags& flags) {
  const Repairs repairs = find_repairs(flags.format, [&](Context& round) {
    round.settings.strict = flags.strict;
    round.settings.compat = compat_of(flags);
    return !collect(round, flags);
  });
  repairs.provide(*context.sources);
  const auto written = flags.diff ? Result<void>{} : write_repairs(repairs);
  if (written) report_repairs(context.output, repairs, flags.diff);
  return written;
}

Exit lint(const LintFlags& flags) {
  Context context(flags.format);
  context.settings.strict = flags.strict;
  context.settings.compat = compat_of(flags);
  context.output.result_is_findings();
  context.output.compare_with(context.settings.compat);
  if (const auto done = flags.fix ? fix(context, flags) : Result<void>{}; !done)
    return context.end(context.stop(done.error()), "");
  if (const auto ended = collect(context, flags)) return *ended;
  const bool errors = context.report();
  const auto count = [&](Severity severity) { return context.diagnostics.count(severity); };
  context.output.line(fmt::format("{}, {}, {} in {}", counted(count(Severity::error), "error"),
                                  counted(count(Severity::warning), "warning"),
                                  counted(count(Severity::note), "note"),
                                  counted(context.sources->size(), "file")));
  if (file_missed(context.diagnostics)) return context.output.finish(Exit::usage);
  return context.output.finish(errors ? Exit::findings : Exit::good);
}

void add_files(const Command& command, LintFlags& flags) {
  std::vector<std::string> names;
  for (const auto& dialect : policy::dialects()) names.emplace_back(dialect.name);
  const Flag files =
      command.add("FILE", flags.files, "Single files; their dialect is told by content, else by name");
  command
      .add("--as", flags.as,
           fmt::format("What the files are, when their content does not tell: {}", fmt::join(names, ", ")))
      .one_of(names)
      .type("DIALECT")
      .needs(files);
}

std::string conflict(const LintFlags& flags) {
  if (!flags.explain.empty() || flags.conf.given() != !flags.files.empty()) return "";
  return "lint: give a configuration (-F CONF or -C YAML) or files";
}

}  // namespace

void add_lint(const Command& rch) {
  const Command command = rch.command("lint", "Find every mistake in configuration files");
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::fabric});
  auto flags = std::make_shared<LintFlags>();
  add_conf(command, flags->conf);
  add_files(command, *flags);
  command.add("--fabric", flags->fabric, "Check names, GUIDs and seeds against this fabric too")
      .type("FABRIC");
  command.add("--strict", flags->strict, "Warnings are errors");
  command.add("--compat", flags->compat, "Also say what OpenSM or NVIDIA SM does with each such line")
      .one_of({"opensm", "nvidia"})
      .type("opensm|nvidia");
  const Flag fix =
      command.add("--fix", flags->fix, "Write the repairs that are certain into the files first");
  command.add("--diff", flags->diff, "With --fix: print them as `diff -u` does, and write nothing")
      .needs(fix);
  command.add("--explain", flags->explain, "Say what a diagnostic means")
      .type("NAME")
      .suggest(names_of_rules());
  command.add_format(flags->format, {Format::text, Format::json, Format::sarif});
  command.does([flags] { return flags->explain.empty() ? lint(*flags) : explain(*flags); },
               [flags] { return conflict(*flags); });
}

}  // namespace rch::cli
