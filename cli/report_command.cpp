// `rch report`: a plan, tables or a live fabric as a page for the browser.

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/text.h"
#include "chains/plan_file.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/diff_side.h"
#include "cli/node_names.h"
#include "cli/observed_tables.h"
#include "cli/overwrites.h"
#include "cli/page_data.h"
#include "cli/target.h"
#include "dumps/judgement.h"
#include "report/page.h"

namespace rch::cli {
namespace {

struct PageFlags {
  std::string target, output, fabric, diff, whatif, names, timings;
  std::vector<std::string> accept;
  bool metrics = false, ask_path_sls = false, without_qos = false;
  Format format = Format::text;
};

/// A target that was read, and the judgement about it.
struct Judged {
  compare::Side side;
  std::string what;  ///< PageSubject::what
  std::vector<chains::StepReport> steps{};
  std::vector<chains::Plan::Digest> configuration{};
  verify::Verdict verdict{};
  Output::VerdictWords words{};
  std::vector<dumps::SettingFinding> settings{};
  std::vector<std::string> not_judged{};
  PathSlKnowledge path_sls = PathSlKnowledge::by_rule;
  bool is_sound = false;
  std::optional<isolation::InstalledPKeys> pkeys{};
};

/// The verdict of the file is a claim: the tables are proven again.
Stage<Judged> judge_plan(Context& context, const PageFlags& flags) {
  auto plan = read_plan(context, flags.target);
  if (!plan) return tl::unexpected(plan.error());
  const auto fabric = plan->fabric;
  const auto proven = context.timings.measure(
      "verify", [&] { return chains::prove_again(std::move(*plan), *fabric, flags.accept); });
  if (!proven) return tl::unexpected(context.stop(proven.error()));
  Judged judged{.side = side_of(flags.target, *proven),
                .what = "Plan",
                .steps = proven->steps,
                .configuration = proven->configuration,
                .verdict = proven->verdict,
                .is_sound = proven->verdict.clean()};
  if (!proven->tables->pkeys.ports.empty())
    judged.pkeys = isolation::pkeys_of_plan(*proven->fabric, proven->tables->pkeys);
  return judged;
}

Stage<Judged> judge_target_tables(Context& context, const PageFlags& flags, bool is_live) {
  ObservedFlags what;
  what.fabric = is_live ? flags.target : flags.fabric;
  if (!is_live) what.tables = {flags.target};
  what.accept = flags.accept;
  what.ask_path_sls = flags.ask_path_sls;
  what.without_qos = flags.without_qos;
  auto observed = read_observed(context, what);
  if (!observed) return tl::unexpected(observed.error());
  const dumps::Judgement judgement = judge_tables(context, *observed, what);
  tell_settings(context.output, *observed, judgement);
  Judged judged{.side = {},
                .what = is_live ? "Live fabric" : "Tables of",
                .verdict = judgement.verdict,
                .words = verdict_words(judgement),
                .settings = judgement.settings,
                .not_judged = judgement.not_judged,
                .path_sls = PathSlKnowledge::unknown,
                .is_sound = judgement.sound(),
                .pkeys = observed->pkeys};
  judged.side = side_of(flags.target, std::move(*observed), is_live);
  return judged;
}

Stage<Judged> judge_target(Context& context, const PageFlags& flags) {
  const auto port = live_port(flags.target);
  if (!port) return tl::unexpected(context.stop(port.error()));
  const bool is_live = port->has_value();
  auto judged = !is_live && chains::is_plan(flags.target) ? judge_plan(context, flags)
                                                          : judge_target_tables(context, flags, is_live);
  if (!judged || flags.names.empty()) return judged;
  const auto names = read_node_names(context, flags.names);
  if (!names) return tl::unexpected(names.error());
  judged->side.fabric = std::make_shared<const fabric::Fabric>(
      fabric::with_names(fabric::Fabric(*judged->side.fabric), *names));
  return judged;
}

Stage<StudyFile> read_cases(Context& context, const std::string& name) {
  const auto text = read_file(name);
  if (!text) return tl::unexpected(context.stop(text.error()));
  auto file = read_study(*text, name);
  if (!file) return tl::unexpected(context.stop(file.error()));
  if (file->shard == whatif::Shard{}) return std::move(*file);
  return tl::unexpected(context.stop(
      {ErrorKind::usage, fmt::format("`{}` is one of {} shards; `rch whatif --merge` puts them together",
                                     name, file->shard.count)}));
}

Stage<PageChanges> changes_since(Context& context, const PageFlags& flags, const compare::Side& after) {
  const SideOptions options{.fabric = flags.fabric, .ask_path_sls = flags.ask_path_sls};
  auto before = read_side(context, flags.diff, after, options);
  if (!before) return tl::unexpected(before.error());
  auto sides = comparable(context, {std::move(*before), after});
  if (!sides) return tl::unexpected(sides.error());
  return context.timings.measure(
      "compare", [&] { return page_changes(*sides, compare::compare(sides->before, sides->after)); });
}

/// What the page shows beside the tables and the judgement about them; each is missing unless flags ask for
/// it.
struct Extras {
  std::optional<PageChanges> changes{};
  std::optional<verify::Metrics> metrics{};
  std::optional<StudyFile> study{};
};

Stage<Extras> read_extras(Context& context, const PageFlags& flags, const Judged& judged) {
  Extras extras;
  if (!flags.diff.empty()) {
    auto changes = changes_since(context, flags, judged.side);
    if (!changes) return tl::unexpected(changes.error());
    extras.changes = std::move(*changes);
  }
  if (!flags.whatif.empty()) {
    auto study = read_cases(context, flags.whatif);
    if (!study) return tl::unexpected(study.error());
    extras.study = std::move(*study);
  }
  if (flags.metrics)
    extras.metrics = context.timings.measure(
        "metrics", [&] { return verify::measure(*judged.side.fabric, *judged.side.tables); });
  return extras;
}

std::string made(Context& context, const PageFlags& flags, const Judged& judged, const Extras& extras) {
  const fabric::Fabric& fabric = *judged.side.fabric;
  const fabric::RoutingTables& tables = *judged.side.tables;
  const auto layout = context.timings.measure("layout", [&] { return report::lay_out(fabric, tables); });
  const auto loads = context.timings.measure("loads", [&] { return report::path_loads(fabric, tables); });
  const PageSubject subject{.name = flags.target,
                            .what = judged.what,
                            .fabric = fabric,
                            .tables = tables,
                            .steps = judged.steps,
                            .configuration = judged.configuration,
                            .verdict = judged.verdict,
                            .words = judged.words,
                            .settings = judged.settings,
                            .not_judged = judged.not_judged,
                            .path_sls = judged.path_sls,
                            .pkeys = judged.pkeys ? &*judged.pkeys : nullptr,
                            .metrics = extras.metrics ? &*extras.metrics : nullptr,
                            .study = extras.study ? &*extras.study : nullptr};
  const PageChanges* changes = extras.changes ? &*extras.changes : nullptr;
  return context.timings.measure("page", [&] {
    return report::page({.title = "rch report: " + flags.target,
                         .data = page_data(subject, layout, loads, changes).dump(),
                         .drawing = drawing_arrays(subject, layout, loads, changes),
                         .tables = table_arrays(subject)});
  });
}

Exit write_report(Context& context, const PageFlags& flags) {
  context.output.begin_with_verdict();
  const auto judged = judge_target(context, flags);
  if (!judged) return judged.error();
  const auto extras = read_extras(context, flags, *judged);
  if (!extras) return extras.error();
  const std::string page = made(context, flags, *judged, *extras);
  if (const auto written = write_file(flags.output, page); !written) return context.stop(written.error());
  const fabric::Fabric& fabric = *judged->side.fabric;
  context.output.line(
      fmt::format("report   {}: {}, {}, {:.1f} MB", flags.output, counted(fabric.switch_count(), "switch"),
                  counted(fabric.end_ports().size(), "host"), static_cast<double>(page.size()) / 1e6));
  for (const std::string& what : judged->not_judged) context.output.line("open     not judged: " + what);
  context.output.verdict(judged->verdict, fabric, judged->words);
  context.output.json("report", {{"file", flags.output}, {"bytes", page.size()}});
  return judged->is_sound ? Exit::good : Exit::forbidden;
}

}  // namespace

void add_report(const Command& rch) {
  const Command command = rch.command(
      "report", "Write a plan, tables or a live fabric as one page for a browser, which needs no network");
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::forbidden, Exit::fabric});
  auto flags = std::make_shared<PageFlags>();
  command
      .add("TARGET", flags->target,
           "A plan, a file or a folder of tables as `rch verify --tables` takes, or live[:CA[:PORT]]")
      .required();
  command.add("-o,--output", flags->output, "File to write").required().type("FILE");
  command
      .add("--fabric", flags->fabric, "The fabric of tables whose folder has none, and of a file of tables")
      .type("FABRIC");
  command
      .add("--diff", flags->diff, "Also show what changed since this plan, these tables or this live fabric")
      .type("BEFORE");
  command.add("--whatif", flags->whatif, "Also show the outcomes that `rch whatif -o` wrote").type("FILE");
  add_metrics(command, flags->metrics);
  add_accept(command, flags->accept, accepted_of_tables());
  command.add(
      "--ask-path-sls", flags->ask_path_sls,
      "Of a live fabric: ask its subnet administration for the service levels of all paths, a request "
      "for each host");
  command.add(
      "--without-qos", flags->without_qos,
      "QoS is off: all packets have service level 0, and one virtual lane where no file tells SL2VL maps");
  add_node_name_map(command, flags->names);
  add_timings(command, flags->timings);
  command.add_format(flags->format);
  command.does(
      [flags] {
        Context context(flags->format);
        return context.end(write_report(context, *flags), flags->timings);
      },
      [flags] {
        return require_other_file(flags->output, "a report",
                                  {flags->target, flags->fabric, flags->diff, flags->whatif, flags->names});
      });
}

}  // namespace rch::cli
