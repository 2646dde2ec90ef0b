#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "assertions/judge.h"
#include "base/text.h"
#include "chains/plan_file.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/junit.h"
#include "cli/observed_tables.h"
#include "cli/overwrites.h"
#include "cli/report.h"
#include "dumps/judgement.h"
#include "fabric/fabric_builder.h"

namespace rch::cli {
namespace {

struct TestFlags {
  std::string file, plan, fabric, junit, timings;
  std::vector<std::string> tables;
  bool ask_path_sls = false, without_qos = false;
  Format format = Format::text;
};

Result<assertions::Subject::Other> read_other(const std::string& file) {
  const auto plan = chains::read_plan(file);
  if (!plan) return tl::unexpected(plan.error());
  return assertions::Subject::Other{plan->fabric, plan->tables};
}

Exit write_junit(Context& context, const TestFlags& flags, std::span<const assertions::Outcome> outcomes) {
  if (flags.junit.empty()) return Exit::good;
  const auto written = write_file(flags.junit, junit_report(flags.file, outcomes));
  return written ? Exit::good : context.stop(written.error());
}

Exit tell(Context& context, const TestFlags& flags, std::span<const assertions::Outcome> outcomes) {
  std::size_t failures = 0;
  auto json = Json::array();
  for (const assertions::Outcome& one : outcomes) {
    failures += one.failure.empty() ? 0 : 1;
    context.output.line(one.failure.empty() ? fmt::format("pass     {}", one.test->name)
                                            : fmt::format("FAIL     {}: {}", one.test->name, one.failure));
    json.push_back({{"name", one.test->name},
                    {"assertion", parsers::assertions::name_of(one.test->what)},
                    {"line", context.sources->at(one.test->span.source).position(one.test->span.begin).line},
                    {"holds", one.failure.empty()},
                    {"failure", one.failure}});
  }
  const std::size_t good = outcomes.size() - failures;
  context.output.line(fmt::format("verdict  {} hold{}, {} do{} not", counted(good, "assertion"),
                                  good == 1 ? "s" : "", failures, failures == 1 ? "es" : ""));
  context.output.json("tests", std::move(json));
  context.output.json("failures", failures);
  const Exit written = write_junit(context, flags, outcomes);
  if (written != Exit::good) return written;
  return failures == 0 ? Exit::good : Exit::findings;
}

/// A point that names nothing is no failure of the tables: the file is wrong.
Exit judge_subject(Context& context, const TestFlags& flags, const parsers::assertions::File& file,
                   const assertions::Subject& subject) {
  const auto outcomes =
      context.timings.measure("judge", [&] { return assertions::judge(file, subject, context.diagnostics); });
  const bool errors = context.report();
  const Exit code = tell(context, flags, outcomes);
  return errors ? Exit::usage : code;
}

std::string why_unproven(const verify::Verdict& verdict) {
  if (!verdict.findings.empty()) return verdict.findings.front().message;
  return verdict.switch_lids.sound()
             ? ""
             : "packets to LIDs of switches close a " + verdict.switch_lids.credit_loop;
}

/// An assertion that holds for the entries need not hold for the ports that switches may choose.
Exit refuse_groups(Context& context) {
  return context.stop(
      {ErrorKind::usage,
       "assertions are judged by the entries alone, and these tables have groups of ports for "
       "adaptive routing"});
}

/// Empty: several steps have different ones.
std::string only_engine(const fabric::RoutingTables& tables) {
  const auto is_other = [&](const fabric::RoutedStep& step) {
    return step.engine != tables.steps.front().engine;
  };
  return tables.steps.empty() || std::ranges::any_of(tables.steps, is_other) ? ""
                                                                             : tables.steps.front().engine;
}

Exit test_plan(Context& context, const TestFlags& flags, const parsers::assertions::File& file) {
  const auto plan = read_plan(context, flags.plan);
  if (!plan) return plan.error();
  if (!plan->tables->adaptive.empty()) return refuse_groups(context);
  std::optional<isolation::InstalledPKeys> pkeys;
  if (!plan->tables->pkeys.empty()) pkeys = isolation::pkeys_of_plan(*plan->fabric, plan->tables->pkeys);
  std::vector<Guid> roots;
  for (const chains::StepReport& step : plan->steps)
    roots.insert(roots.end(), step.found_roots.begin(), step.found_roots.end());
  const auto unproven = [&]() -> std::string {
    const auto proven = chains::prove_again(*plan, *plan->fabric, {});
    return proven ? why_unproven(proven->verdict) : proven.error().message;
  };
  return judge_subject(context, flags, file,
                       {.fabric = *plan->fabric,
                        .tables = *plan->tables,
                        .pkeys = pkeys ? &*pkeys : nullptr,
                        .engine = only_engine(*plan->tables),
                        .ranks = assertions::ranks_below(*plan->fabric, roots),
                        .why_unproven = unproven,
                        .read_plan = read_other});
}

Exit test_observed(Context& context, const TestFlags& flags, const parsers::assertions::File& file) {
  const auto observed = read_observed(
      context,
      {.fabric = flags.fabric, .tables = flags.tables, .accept = {}, .ask_path_sls = flags.ask_path_sls});
  if (!observed) return observed.error();
  if (!observed->tables.adaptive.empty()) return refuse_groups(context);
  const auto unproven = [&]() -> std::string {
    const dumps::Judgement judgement = dumps::judge(*observed, {.without_qos = flags.without_qos});
    if (const std::string why = why_unproven(judgement.verdict); !why.empty()) return why;
    for (const dumps::SettingFinding& finding : judgement.settings)
      if (finding.forbids()) return finding.message;
    return fmt::format(
        "{}{}", judgement.not_judged.empty() ? "" : "not judged: ", fmt::join(judgement.not_judged, "; "));
  };
  return judge_subject(context, flags, file,
                       {.fabric = *observed->fabric,
                        .tables = observed->tables,
                        .pkeys = observed->pkeys ? &*observed->pkeys : nullptr,
                        .knows_steps = false,
                        .engine = observed->engine,
                        .ranks = observed->ranks,
                        .why_unproven = unproven,
                        .read_plan = {}});
}

Exit run(const TestFlags& flags) {
  Context context(flags.format);
  const auto source = context.sources->load(flags.file);
  if (!source) return context.end(context.stop(source.error()), flags.timings);
  const auto file = parsers::assertions::parse(*context.sources, *source, context.diagnostics);
  if (context.report()) return context.end(Exit::usage, flags.timings);
  return context.end(
      flags.plan.empty() ? test_observed(context, flags, file) : test_plan(context, flags, file),
      flags.timings);
}

}  // namespace

void add_test(const Command& rch) {
  const Command command =
      rch.command("test", "Judge assertions about a plan, or about the tables of any fabric");
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::fabric});
  auto flags = std::make_shared<TestFlags>();
  command.add("FILE", flags->file, "Assertions, as YAML").required();
  const Flag plan = command.add("--plan", flags->plan, "The plan that they are about").type("PLAN");
  command
      .add("--tables", flags->tables,
           "Files or folders with the tables that switches hold, that they are about (may be repeated)")
      .type("FILE")
      .excludes(plan);
  command
      .add("--fabric", flags->fabric,
           "With --tables: the fabric that they are of (default: the first folder). Alone: live[:CA[:PORT]], "
           "whose tables are read")
      .type("FABRIC")
      .excludes(plan);
  command
      .add("--ask-path-sls", flags->ask_path_sls,
           "Of a live fabric: ask its subnet administration for service levels")
      .excludes(plan);
  command.add("--without-qos", flags->without_qos, "QoS is off, as in rch verify").excludes(plan);
  command.add("--junit", flags->junit, "Write a JUnit report here").type("FILE");
  add_timings(command, flags->timings);
  command.add_format(flags->format);
  command.does([flags] { return run(*flags); },
               [flags]() -> std::string {
                 const bool live = flags->fabric.starts_with("live");
                 if (flags->plan.empty() && flags->tables.empty() && !live)
                   return "test: name a plan (`--plan`), files with tables (`--tables`), or a live fabric "
                          "(`--fabric live`)";
                 std::vector<std::string> read = flags->tables;
                 read.insert(read.end(), {flags->file, flags->plan, flags->fabric});
                 return require_other_file(flags->junit, "a report", read);
               });
}

}  // namespace rch::cli
