#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/app.h"
#include "cli/change.h"
#include "cli/flags.h"
#include "cli/live.h"
#include "cli/pipeline.h"
#include "hw/commit.h"
#include "hw/discovery.h"
#include "verify/dependencies.h"

namespace rch::cli {
namespace {

struct ApplyFlags {
  ConfFlags conf;
  std::string plan, timings, fabric = "live";
  PlanRequest request;
  bool dry_run = false, takeover = false;
  Format format = Format::text;
};

hw::CommitOptions commit_options(const policy::Options& options, const ApplyFlags& flags) {
  return {
      .subnet = {.subnet_prefix = options.subnet_prefix,
                 .subnet_timeout = options.subnet_timeout,
                 .packet_life_time = options.packet_life_time,
                 .head_of_queue_lifetime = options.head_of_queue_lifetime,
                 .leaf_head_of_queue_lifetime = options.leaf_head_of_queue_lifetime,
                 .vl_stall_count = options.vl_stall_count,
                 .leaf_vl_stall_count = options.leaf_vl_stall_count,
                 .max_op_vls = options.max_op_vls,
                 .use_multicast_top = options.use_mfttop},
      .manager = {.sm_key = options.sm_key, .sm_priority = options.sm_priority, .takeover = flags.takeover},
      .dry_run = flags.dry_run};
}

std::vector<fabric::LidAssignment> lids_of(const fabric::Fabric& fabric) {
  std::vector<fabric::LidAssignment> lids;
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
    const fabric::Port& port = fabric.port(PortId(p));
    if (port.lid != kUnassignedLid) lids.push_back({PortId(p), port.lid, port.lmc});
  }
  return lids;
}

/// The plan to commit, proven in this run: a verdict that stands in a file is only a claim.
Stage<chains::Plan> plan_for(Context& context, const ApplyFlags& flags, std::optional<chains::Plan> plan,
                             const policy::Policy* policy, const fabric::Fabric& live,
                             verify::ChannelGraph& graph) {
  if (policy != nullptr) return make_plan(context, *policy, live, flags.request, &graph);
  if (!same_fabric(context, plan->fabric, live)) return tl::unexpected(Exit::forbidden);
  std::vector<std::string> accepted = flags.request.accept;
  for (const verify::Finding& finding : plan->verdict.findings)
    if (finding.accepted) accepted.emplace_back(verify::name(finding.kind));
  plan->verdict = context.timings.measure("verify", [&] {
    return verify::verify(plan->fabric, plan->tables,
                          {.max_op_vls = plan->options.max_op_vls, .graph = &graph});
  });
  accept_findings(plan->verdict, accepted);
  context.output.verdict(plan->verdict, plan->fabric);
  return std::move(*plan);
}

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
        "         in {} of the multicast blocks ways are taken away before paths change; until the "
        "others are in, groups are in parts",
        report.multicast_removals));
  output.line(
      fmt::format("         {} requests, {} datagrams sent again", report.smps.requests, report.smps.resent));
  output.json("commit", {{"dry_run", dry_run},
                         {"writes", report.writes()},
                         {"lft_blocks", report.lft_blocks},
                         {"sl2vl_tables", report.sl2vl_tables},
                         {"arbitration_blocks", report.arbitration_blocks},
                         {"multicast_blocks", report.multicast_blocks},
                         {"multicast_removals", report.multicast_removals},
                         {"end_ports", report.end_ports},
                         {"switches", report.switches},
                         {"switch_ports", report.switch_ports},
                         {"resets", report.resets},
                         {"armed", report.armed},
                         {"activated", report.activated},
                         {"requests", report.smps.requests},
                         {"resent", report.smps.resent},
                         {"remarks", report.remarks}});
}

Exit report_failure(Context& context, const Error& error) {
  context.output.error(error);
  return exit_of(error.kind);
}

bool accepts_static(const ApplyFlags& flags) {
  return std::ranges::find(flags.request.accept, verify::kStaticChange) != flags.request.accept.end();
}

/// Everything from the open port to the last write.
Exit commit(Context& context, const ApplyFlags& flags, std::optional<chains::Plan> plan,
            const policy::Policy* policy) {
  const policy::Options options = policy != nullptr ? policy->options : plan->options;
  const auto port = live_port(flags.fabric);
  if (!port) return report_failure(context, port.error());
  if (!*port)
    return report_failure(context, {ErrorKind::usage,
                                    "--fabric must be live[:CA[:PORT]]; tables are "
                                    "committed to switches, not to a file"});
  const auto connection = connect(**port, options, true);
  if (!connection) return report_failure(context, connection.error());
  const auto live = context.timings.measure("discover", [&] { return hw::discover(*connection->client); });
  if (!live) return report_failure(context, live.error());

  verify::ChannelGraph graph;
  const auto proven = plan_for(context, flags, std::move(plan), policy, live->fabric, graph);
  if (!proven) return proven.error();
  if (const Exit verdict = judge(*proven); verdict != Exit::good) return verdict;

  const hw::CommitOptions committed = commit_options(options, flags);
  const auto prepared = context.timings.measure("held", [&] {
    return hw::prepare(*connection->client, *live, lids_of(proven->fabric), proven->tables, committed);
  });
  if (!prepared) return report_failure(context, prepared.error());
  const auto ladder = plan_change(
      context,
      {proven->fabric, prepared->held, proven->tables, prepared->delta.lft_blocks, options.max_op_vls},
      proven->verdict,
      {.proven = &graph,
       .wait = hw::packet_life_time(committed.subnet),
       .accept_static = accepts_static(flags),
       .show_batches = flags.dry_run});
  if (!ladder) return ladder.error();
  const auto report = context.timings.measure("commit", [&] {
    return hw::commit(*connection->client, *live, proven->tables, *prepared, ladder->batches, committed);
  });
  if (!report) return report_failure(context, report.error());
  print(context.output, *report, flags.dry_run);
  return Exit::good;
}

Exit apply(const ApplyFlags& flags) {
  Context context(flags.format);
  const auto end = [&](Exit code) { return context.end(code, flags.timings); };
  // A reader of our output that goes away must not end a commit halfway.
  std::signal(SIGPIPE, SIG_IGN);
  if (flags.conf.given()) {
    const auto policy = read_policy(context, flags.conf);
    return end(policy ? commit(context, flags, std::nullopt, &*policy) : policy.error());
  }
  auto plan = context.timings.measure("read", [&] { return chains::read_plan(flags.plan); });
  if (!plan) return end(report_failure(context, plan.error()));
  return end(commit(context, flags, std::move(*plan), nullptr));
}

}  // namespace

void add_apply(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("apply", "Commit a plan, or a configuration, to a live fabric");
  auto flags = std::make_shared<ApplyFlags>();
  auto* what = command->add_option_group("what");
  what->add_option("PLAN", flags->plan, "A plan; refused when the fabric is not the one that was planned");
  add_conf(*what, flags->conf);
  what->require_option(1);
  command->add_option("--fabric", flags->fabric, "The port to use (default: live)")
      ->type_name("live[:CA[:PORT]]");
  command
      ->add_option("--dump-dir", flags->request.dump_dir,
                   "With a configuration: write OpenSM's dump files here")
      ->type_name("DIR");
  add_previous(*command, flags->request.previous);
  add_accept(*command, flags->request.accept, {std::string(verify::kStaticChange)});
  command->add_flag("--dry-run", flags->dry_run, "Say what would be written, and write nothing");
  command->add_flag("--takeover", flags->takeover, "Go on although another subnet manager is master");
  add_timings(*command, flags->timings);
  add_format(*command, flags->format);
  command->callback([flags, &action] {
    if (!flags->plan.empty() && !(flags->request.dump_dir + flags->request.previous).empty())
      throw CLI::ValidationError("apply",
                                 "--dump-dir and --previous need a configuration; a plan is made already");
    action = [flags] { return apply(*flags); };
  });
}

}  // namespace rch::cli
