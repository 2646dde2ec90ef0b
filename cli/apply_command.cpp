#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "chains/adoption.h"
#include "chains/isolation.h"
#include "chains/plan_file.h"
#include "cli/accepts.h"
#include "cli/certify.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/key_file.h"
#include "cli/lid_file.h"
#include "cli/live.h"
#include "cli/overwrites.h"
#include "cli/report.h"
#include "cli/stop_signals.h"
#include "fabric/names.h"
#include "policy/bind/bind_cables.h"
#include "policy/bind/given_names.h"
#include "sm/apply.h"

namespace rch::cli {
namespace {

struct ApplyFlags {
  ConfFlags conf;
  std::string plan_file, output, timings, fabric = "live", lid_file, certificate;
  PlanFlags plan;
  bool dry_run = false, takeover = false, strict = false, afresh = false, details = false;
  Format format = Format::text;
};

void print(Output& output, const hw::CommitReport& report, bool dry_run) {
  for (const std::string& remark : report.remarks) output.line("commit   " + remark);
  output.line(fmt::format(
      "commit   {}: {} forwarding blocks, {} SL2VL tables, {} VL arbitration blocks, {} multicast "
      "blocks, {} end ports, {} switches, {} switch ports, {} links reset, {} ports armed, {} "
      "activated",
      dry_run                ? "would write"
      : report.writes() == 0 ? "nothing differs"
                             : "written and read back",
      report.lft_blocks, report.sl2vl_tables, report.arbitration_blocks, report.multicast_blocks,
      report.end_ports, report.switches, report.switch_ports, report.resets, report.armed, report.activated));
  if (report.multicast_removals > 0)
    output.line(fmt::format(
        "         {} of the multicast blocks are drained before paths change; until the others are written, "
        "groups are incomplete",
        report.multicast_removals));
  if (report.rate_limits > 0)
    output.line(fmt::format("         rate limits of {}", counted(report.rate_limits, "port")));
  if (report.fdr10 > 0) output.line(fmt::format("         FDR10 of {}", counted(report.fdr10, "port")));
  if (report.pkey_blocks > 0)
    output.line(fmt::format("         {} of P_Keys", counted(report.pkey_blocks, "block")));
  output.line(
      fmt::format("         {} requests, {} datagrams sent again", report.smps.requests, report.smps.resent));
  output.json("commit", {{"dry_run", dry_run},
                         {"writes", report.writes()},
                         {"lft_blocks", report.lft_blocks},
                         {"sl2vl_tables", report.sl2vl_tables},
                         {"arbitration_blocks", report.arbitration_blocks},
                         {"rate_limits", report.rate_limits},
                         {"fdr10", report.fdr10},
                         {"pkey_blocks", report.pkey_blocks},
                         {"multicast_blocks", report.multicast_blocks},
                         {"multicast_removals", report.multicast_removals},
                         {"end_ports", report.end_ports},
                         {"switches", report.switches},
                         {"switch_ports", report.switch_ports},
                         {"closed", report.closed},
                         {"resets", report.resets},
                         {"armed", report.armed},
                         {"activated", report.activated},
                         {"requests", report.smps.requests},
                         {"resent", report.smps.resent},
                         {"remarks", report.remarks}});
}

/// The guid2lid file of a configuration.
struct LidFile {
  std::string path;
  fabric::LidRecords records;
};

/// The file that the flag names; else, if the policy honours it, that of OpenSM.
Result<std::optional<LidFile>> read_lid_file(Context& context, const ApplyFlags& flags,
                                             const policy::Options& options) {
  if (flags.lid_file.empty() && !options.lids.honor_guid2lid_file) return std::nullopt;
  LidFile file{flags.lid_file.empty() ? default_lid_file(options.manager) : flags.lid_file, {}};
  if (options.lids.reassign_lids || !context.sources->exists(file.path)) return file;
  const auto source = context.sources->load(file.path);
  if (!source) return tl::unexpected(source.error());
  file.records = fabric::read_guid2lid(*context.sources, *source, context.diagnostics);
  context.report();
  return file;
}

using TakeFound = decltype(sm::InstallOptions::take_found);

/// Opens the port and applies what the planner makes on the fabric behind it.
/// `previous`: plan of --previous, or null. `lids`: gets the LIDs that were installed; null: they are not
/// kept.
Exit apply(Context& context, const ApplyFlags& flags, const policy::Options& options, fabric::NodeNames names,
           const std::shared_ptr<const fabric::CablePolicy>& admitted, const sm::Planner& planner,
           const TakeFound& take_found, const chains::Plan* previous, LidFile* lids, Report& report) {
  const auto port = live_port(flags.fabric);
  if (!port) return context.stop(port.error());
  if (!*port)
    return context.stop(
        {ErrorKind::usage,
         "--fabric must be live[:CA[:PORT]]; tables are committed to switches, not to a file"});
  const std::string lid_file = flags.lid_file.empty() ? default_lid_file(options.manager) : flags.lid_file;
  const auto read = [](const std::string& path) -> std::optional<std::string> {
    const auto content = read_file(path);
    return content ? std::optional(*content) : std::nullopt;
  };
  const auto keys = known_keys(options.manager, lid_file, read, *context.sources, context.diagnostics);
  context.report();
  if (!flags.dry_run)
    if (const auto kept = keep_keys(lid_file, keys.own, keys.former); !kept)
      return context.stop(kept.error());
  const auto connection = connect(**port, options, true, keys);
  if (!connection) return context.stop(connection.error());
  if (const std::string& choice = connection->transport->choice(); !choice.empty())
    context.output.line("port     " + choice);
  connection->driver->stop_when(stop_on_signals());
  connection->driver->name_nodes(std::make_shared<const fabric::NodeNames>(std::move(names)));
  connection->driver->admit(admitted);
  std::optional<chains::Plan> made;
  const auto keep = [&](const fabric::Fabric& live) {
    auto plan = planner(live);
    if (plan) made = *plan;
    return plan;
  };
  hw::Driver& driver = *connection->driver;
  sm::InstallOptions how = accepted(flags.plan.accept);
  how.dry_run = flags.dry_run;
  how.strict = flags.strict;
  how.manager = {.sm_key = options.manager.sm_key,
                 .sm_priority = options.manager.sm_priority,
                 .takeover = flags.takeover};
  how.previous = previous;
  how.take_found = take_found;
  how.keep_cables = [&](const fabric::CableMap& cables) { return keep_cables(lid_file, cables); };
  const auto committed = driver.wait(sm::apply(driver, keep, how, report.observer()));
  if (!committed) return context.stop(committed.error());
  print(context.output, *committed, flags.dry_run);
  if (lids != nullptr && !flags.dry_run && lids->records.take_over(*made->fabric))
    if (const auto written = write_lid_file(lids->path, lids->records); !written)
      return context.stop(written.error());
  if (flags.output.empty()) return Exit::good;
  if (const auto written = chains::write_plan(flags.output, *made); !written)
    return context.stop(written.error());
  context.output.line(fmt::format("plan     {}", flags.output));
  return Exit::good;
}

/// The plan, if the certificate of a file holds for it. `file` empty: none is demanded.
Result<chains::Plan> certified(Context& context, Result<chains::Plan> plan, const std::string& file) {
  if (!plan || file.empty()) return plan;
  if (const auto holds = check_certificate(tables_of(*plan), file); !holds) {
    // Context::stop() tells every other error.
    if (holds.error().kind == ErrorKind::forbidden) context.output.error(holds.error());
    return tl::unexpected(holds.error());
  }
  return plan;
}

Exit apply_configuration(Context& context, const ApplyFlags& flags, Report& report) {
  const auto policy = read_policy(context, flags.conf);
  if (!policy) return policy.error();
  if (!report.dumped()) return context.stop(report.dumped().error());
  std::optional<chains::Plan> installed;
  auto request = plan_request(context, flags.plan, installed);
  if (!request) return request.error();
  request->makes_groups = false;
  auto lids = read_lid_file(context, flags, (*policy)->options);
  if (!lids) return context.stop(lids.error());
  LidFile* const lid_file = *lids ? &**lids : nullptr;
  if (lid_file != nullptr) request->lids = &lid_file->records;
  // Without a plan that tells them, installed tables are kept where they are proven and fit the policy.
  std::optional<chains::Plan> found;
  const auto take_found = [&](const fabric::Fabric& live, chains::FoundTables tables) {
    found.reset();
    auto judged = chains::judge_found(**policy, live, std::move(tables), {});
    if (!judged || !judged->objection.empty()) return;
    found = std::move(judged->plan);
    found->joined.clear();  // groups are those of the configuration
  };
  const bool asks = request->installed == nullptr && !flags.afresh;
  const auto planner = [&](const fabric::Fabric& live) -> Result<chains::Plan> {
    if (asks) request->installed = found ? &*found : nullptr;
    auto plan = chains::plan(*policy, live, *request, context.diagnostics, report.observer());
    if (plan && !report.dumped()) return tl::unexpected(report.dumped().error());
    return certified(context, std::move(plan), flags.certificate);
  };
  return apply(context, flags, (*policy)->options, policy::given_names(**policy),
               policy::cable_policy(**policy), planner, asks ? TakeFound(take_found) : TakeFound(),
               request->installed, lid_file, report);
}

Exit apply_plan(Context& context, const ApplyFlags& flags, Report& report) {
  const auto plan = read_plan(context, flags.plan_file);
  if (!plan) return plan.error();
  if (!plan->tables->adaptive.empty())
    return context.stop(
        {ErrorKind::usage,
         fmt::format("`{}` has groups of ports for adaptive routing, which rch does not write to "
                     "switches; plan with `ar_mode 0`",
                     flags.plan_file)});
  std::optional<chains::Plan> previous;
  if (const auto request = plan_request(context, flags.plan, previous); !request) return request.error();
  std::vector<std::string> accept = flags.plan.accept;
  for (const verify::Finding& finding : plan->verdict.findings)
    if (finding.accepted) accept.emplace_back(verify::name(finding.kind));
  const auto planner = [&](const fabric::Fabric& live) {
    return certified(context, chains::prove_again(*plan, live, accept, report.observer()), flags.certificate);
  };
  return apply(context, flags, plan->options, fabric::names_of(*plan->fabric), plan->cables, planner, {},
               previous ? &*previous : nullptr, nullptr, report);
}

Exit run(const ApplyFlags& flags) {
  Context context(flags.format);
  context.output.show_details(flags.details);
  Report report(context, {.dump_dir = flags.plan.dump_dir,
                          .dump_path_sls = flags.plan.dump_path_sls,
                          .previous = flags.plan.previous,
                          .metrics = false,
                          .show_rounds = flags.dry_run});
  const Exit code =
      flags.conf.given() ? apply_configuration(context, flags, report) : apply_plan(context, flags, report);
  return context.end(code, flags.timings);
}

}  // namespace

void add_apply(const Command& rch) {
  const Command command = rch.command("apply", "Commit a plan, or a configuration, to a live fabric");
  auto flags = std::make_shared<ApplyFlags>();
  const Command what = command.exactly_one();
  what.add("PLAN", flags->plan_file, "A plan; refused when the fabric is not the one that was planned");
  add_conf(what, flags->conf);
  command.add("--fabric", flags->fabric, "The port to use (default: live)").type("live[:CA[:PORT]]");
  const Flag dumps =
      command.add("--dump-dir", flags->plan.dump_dir, "With a configuration: write OpenSM's dump files here")
          .type("DIR");
  add_path_sls(command, flags->plan.dump_path_sls, dumps);
  add_previous(command, flags->plan.previous);
  command.add("--afresh", flags->afresh,
              "With a configuration: compute all routes anew, instead of keeping installed ones that fit");
  command
      .add("--guid2lid", flags->lid_file,
           "With a configuration: ports keep the LIDs of this file, and it is written after the commit")
      .type("FILE");
  command
      .add("--certificate", flags->certificate, "Write nothing unless this certificate holds for the tables")
      .type("FILE");
  add_accept(command, flags->plan.accept, accepted_by_install());
  command.add("-o,--output", flags->output, "Write the plan here once it is installed").type("PLAN");
  command.add("--dry-run", flags->dry_run, "Say what would be written, and write nothing");
  command.add("--takeover", flags->takeover, "Go on although another subnet manager is master");
  add_strict(command, flags->strict);
  add_timings(command, flags->timings);
  add_details(command, flags->details);
  command.add_format(flags->format);
  command.does(
      [flags] { return run(*flags); },
      [flags]() -> std::string {
        if (!flags->plan_file.empty() && !flags->plan.dump_dir.empty())
          return "apply: --dump-dir needs a configuration; a plan is made already";
        if (!flags->plan_file.empty() && !flags->lid_file.empty())
          return "apply: --guid2lid needs a configuration; a plan has its LIDs";
        if (flags->dry_run && !flags->output.empty())
          return "apply: --dry-run installs nothing that -o could write";
        return require_other_file(flags->output, "a plan", {flags->conf.opensm_conf, flags->conf.rch_file});
      });
}

}  // namespace rch::cli
