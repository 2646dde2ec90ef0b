#include <fmt/format.h>

#include <memory>

#include "cli/certify.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/live.h"
#include "cli/observed_tables.h"
#include "cli/overwrites.h"
#include "cli/report.h"
#include "cli/tenants_report.h"
#include "dumps/link_settings.h"
#include "fabric/names.h"
#include "hw/discovery.h"
#include "hw/driver.h"
#include "hw/preparation.h"

namespace rch::cli {
namespace {

struct VerifyFlags {
  std::string plan, fabric, isolation, certify, timings;
  std::vector<std::string> tables, accept;
  bool metrics = false, ask_path_sls = false, without_qos = false, strict = false, details = false;
  Format format = Format::text;
};

/// Says whether the switches hold what was proven. `strict`: and let no packet pass to a port that drops it.
Exit compare(Context& context, hw::Driver& driver, const hw::LiveFabric& live, const chains::Plan& plan,
             bool strict) {
  const auto difference = driver.wait(hw::read_difference(driver, live, *plan.fabric, *plan.tables));
  if (!difference) return context.stop(difference.error());
  const std::string pkeys = difference->pkeys
                                ? fmt::format(", {} P_Key tables, {} checks of P_Keys",
                                              difference->of_pkeys.tables, difference->of_pkeys.checks)
                                : std::string();
  context.output.line(
      fmt::format("installed {}: {} forwarding blocks, {} SL2VL tables, {} multicast blocks{} and {} LIDs "
                  "differ",
                  difference->none() ? "is the plan" : "is NOT the plan", difference->lft_blocks,
                  difference->sl2vl_tables, difference->multicast_blocks, pkeys, difference->lids));
  context.output.json("installed", {{"is_plan", difference->none()},
                                    {"lft_blocks", difference->lft_blocks},
                                    {"sl2vl_tables", difference->sl2vl_tables},
                                    {"multicast_blocks", difference->multicast_blocks},
                                    {"lids", difference->lids},
                                    {"pkey_tables", difference->of_pkeys.tables},
                                    {"pkey_checks", difference->of_pkeys.checks}});
  bool checked = true;
  if (difference->pkeys) {
    const auto planned = isolation::pkeys_of_plan(live.fabric, plan.tables->pkeys);
    checked = tell_tenants(context, {.fabric = live.fabric,
                                     .tables = *plan.tables,
                                     .installed = *difference->pkeys,
                                     .target = &planned,
                                     .target_name = "the plan"})
                  .checked;
  }
  return difference->none() && (checked || !strict) ? Exit::good : Exit::findings;
}

Exit prove_live(Context& context, const VerifyFlags& flags, const hw::PortName& port,
                const chains::Plan& plan, const chains::Observer& observer) {
  const auto connection = connect(port, plan.options);
  if (!connection) return context.stop(connection.error());
  connection->driver->know(*plan.fabric);
  connection->driver->name_nodes(std::make_shared<const fabric::NodeNames>(fabric::names_of(*plan.fabric)));
  connection->driver->admit(plan.cables);
  const auto live = context.timings.measure(
      "discover", [&] { return connection->driver->wait(hw::discover(*connection->driver)); });
  if (!live) return context.stop(live.error());
  context.output.quarantine(live->quarantine, live->own_cable);
  const auto proven = chains::prove_again(plan, live->fabric, flags.accept, observer);
  if (!proven) return context.stop(proven.error());
  Exit code = judge(*proven);
  if (code == Exit::good) code = write_certificate(context, tables_of(*proven), flags.certify);
  const Exit installed = compare(context, *connection->driver, *live, *proven, flags.strict);
  return code == Exit::good ? installed : code;
}

Exit prove(Context& context, const VerifyFlags& flags) {
  const auto plan = read_plan(context, flags.plan);
  if (!plan) return plan.error();
  const auto port = live_port(flags.fabric);
  if (!port) return context.stop(port.error());
  if (*port && !plan->tables->adaptive.empty())
    return context.stop(
        {ErrorKind::usage,
         "the plan has groups of ports for adaptive routing, which rch does not read from switches: "
         "it cannot be compared with a live fabric"});
  if (*port && !flags.isolation.empty())
    return context.stop(
        {ErrorKind::usage,
         "`--isolation` beside `--plan` judges the plan; leave `--plan` out to compare what a live "
         "fabric holds with the file"});
  Report report(context, {.dump_dir = "",
                          .dump_path_sls = false,
                          .previous = "",
                          .metrics = flags.metrics,
                          .show_rounds = false,
                          .tenants = !*port,
                          .isolation = flags.isolation});
  if (*port) return prove_live(context, flags, **port, *plan, report.observer());
  auto fabric = plan->fabric;
  if (!flags.fabric.empty()) {
    auto seen = read_fabric(context, flags.fabric, plan->options, plan->cables);
    if (!seen) return seen.error();
    *seen = fabric::with_names(std::move(*seen), fabric::names_of(*plan->fabric));
    fabric = std::make_shared<const fabric::Fabric>(std::move(*seen));
  }
  const auto proven = chains::prove_again(*plan, *fabric, flags.accept, report.observer());
  if (!proven) return context.stop(proven.error());
  if (!report.tenants()) return report.tenants().error();
  Exit code = judge(*proven);
  if (code == Exit::good) code = write_certificate(context, tables_of(*proven), flags.certify);
  if (report.tenants()->is_target) {
    const bool is_open = flags.strict && !report.tenants()->checked;
    return code == Exit::good && is_open ? Exit::findings : code;
  }
  return code == Exit::good ? Exit::forbidden : code;
}

/// A plan of rch, or tables that somebody else made.
Exit verify(const VerifyFlags& flags) {
  Context context(flags.format);
  context.output.show_details(flags.details);
  context.output.begin_with_verdict();
  if (!flags.plan.empty()) return context.end(prove(context, flags), flags.timings);
  const auto live = live_port(flags.fabric);
  if (flags.tables.empty() && live && !*live)
    return context.end(
        context.stop({ErrorKind::usage,
                      "nothing to judge: name a plan (`--plan`), files with tables (`--tables`), or a "
                      "live fabric (`--fabric live`)"}),
        flags.timings);
  return context.end(judge_observed(context, {.fabric = flags.fabric,
                                              .tables = flags.tables,
                                              .accept = flags.accept,
                                              .metrics = flags.metrics,
                                              .ask_path_sls = flags.ask_path_sls,
                                              .without_qos = flags.without_qos,
                                              .isolation = flags.isolation,
                                              .certify = flags.certify,
                                              .strict = flags.strict}),
                     flags.timings);
}

}  // namespace

void add_verify(const Command& rch) {
  const Command command = rch.command("verify", "Prove a plan, or the tables of any fabric");
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::forbidden, Exit::fabric});
  auto flags = std::make_shared<VerifyFlags>();
  const Flag plan = command.add("--plan", flags->plan, "The plan to judge").type("PLAN");
  command
      .add("--tables", flags->tables,
           "Files with the tables that switches hold, or folders of such files, whoever wrote them: those of "
           "OpenSM "
           "and ibdiagnet, and what dump_lfts, dump_mfts and ibroute print (may be repeated)")
      .type("FILE")
      .excludes(plan);
  command
      .add("--fabric", flags->fabric,
           "With --plan: a fabric that must be the plan's: a file, or live[:CA[:PORT]], whose tables are "
           "compared "
           "with the plan (default: the plan's own snapshot). With --tables: the fabric that they are of "
           "(default: the "
           "first folder). Alone: live[:CA[:PORT]], whose tables are read and judged")
      .type("FABRIC");
  command
      .add("--isolation", flags->isolation,
           "A partitions.conf with the P_Keys that ports are to hold; ports that hold others are findings")
      .type("FILE");
  add_certificate(command, flags->certify);
  add_metrics(command, flags->metrics);
  add_accept(command, flags->accept, accepted_of_tables());
  command
      .add("--ask-path-sls", flags->ask_path_sls,
           "Of a live fabric: ask its subnet administration for the service levels of all paths, a request "
           "for each host")
      .excludes(plan);
  command.add(
      "--without-qos", flags->without_qos,
      "QoS is off: all packets have service level 0, and one virtual lane where no file tells SL2VL maps");
  command.add("--strict", flags->strict,
              "Exit with 1 where something is not judged for want of a file, or where packets reach ports "
              "that alone drop them");
  add_timings(command, flags->timings);
  add_details(command, flags->details);
  command.add_format(flags->format);
  command.does([flags] { return verify(*flags); },
               [flags] {
                 std::vector<std::string> read = flags->tables;
                 read.insert(read.end(), {flags->plan, flags->fabric, flags->isolation});
                 return require_other_file(flags->certify, "a certificate", read);
               });
}

}  // namespace rch::cli
