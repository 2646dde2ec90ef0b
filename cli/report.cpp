#include "cli/report.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "chains/dumps.h"
#include "chains/isolation.h"
#include "cli/adaptive_report.h"
#include "cli/metrics.h"
#include "fabric/difference.h"
#include "hw/port_plan.h"
#include "sm/apply.h"

namespace rch::cli {

std::filesystem::path dump_folder(const policy::Options& options) {
  return options.files.dump_files_dir.value_or("/var/log");
}

std::string_view name(chains::Phase phase) {
  constexpr std::string_view kNames[] = {"discover", "bind", "verify", "installed", "update", "commit"};
  return kNames[static_cast<std::size_t>(phase)];
}

Report::Report(Context& context, ReportOptions options) : context_(context), options_(std::move(options)) {
  if (options_.dump_dir.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(options_.dump_dir, error);
  if (error)
    dumped_ =
        fail(ErrorKind::usage, fmt::format("cannot create `{}`: {}", options_.dump_dir, error.message()));
}

chains::Observer Report::observer() {
  return [this](const chains::Event& event) { std::visit([this](const auto& e) { on(e); }, event); };
}

void Report::on(const chains::PhaseFinished& event) {
  context_.timings.add({std::string(name(event.phase)), event.milliseconds, std::nullopt, {}});
}

void Report::on(const chains::FabricSeen& event) {
  context_.output.quarantine(event.quarantine, event.own_cable, event.absent);
}

void Report::on(const chains::PassRepeated& event) {
  context_.output.line(fmt::format("commit   {}; it is left out, and the pass begins again", event.reason));
}

void Report::on(const chains::LidsAssigned& event) {
  const fabric::Fabric& fabric = event.fabric;
  for (const std::string& change : event.changes) context_.output.line("lids     " + change);
  context_.output.line(fmt::format(
      "fabric   {} switches, {} end ports, {} links between switches, LIDs up to {}", fabric.switch_count(),
      fabric.end_ports().size(), fabric.graph().link_ends() / 2, fabric.max_lid()));
  if (context_.output.has_details())
    context_.output.line(fmt::format("           fingerprint {}", fabric.fingerprint()));
  context_.output.json("fabric", {{"fingerprint", fabric.fingerprint()},
                                  {"switches", fabric.switch_count()},
                                  {"end_ports", fabric.end_ports().size()},
                                  {"links", fabric.graph().link_ends() / 2},
                                  {"max_lid", fabric.max_lid().value}});
}

void Report::on(const chains::PolicyBound&) { context_.report(); }

void Report::on(const chains::BalanceCompared& event) {
  constexpr std::string_view kDecisions[] = {
      "routes stay", "routes are computed afresh",
      "routes stay, because hosts would need other SLs (`--accept static-change`)",
      "routes stay, fresh ones would be better (`offsweep_balancing_enabled`)"};
  constexpr std::string_view kNames[] = {"keep", "recompute", "other-sls", "not-asked"};
  const auto decision = static_cast<std::size_t>(event.decision);
  context_.output.line(fmt::format(
      "balance  {}: at most {} flows on a link, deviation {:.2f}; computed afresh {} and {:.2f}",
      kDecisions[decision], event.kept.most, event.kept.deviation, event.fresh.most, event.fresh.deviation));
  context_.output.json("balance",
                       {{"decision", kNames[decision]},
                        {"kept", {{"most", event.kept.most}, {"deviation", event.kept.deviation}}},
                        {"fresh", {{"most", event.fresh.most}, {"deviation", event.fresh.deviation}}}});
}

void Report::on(const chains::StepOutcome& event) {
  context_.timings.add({"step", event.milliseconds, event.step.id, event.step.engine});
  if (options_.dump_dir.empty() || !dumped_) return;
  context_.timings.measure("dump", [&] { dumped_ = chains::dump_step(options_.dump_dir, event); });
}

void Report::on(const chains::ChainFinished& event) {
  context_.output.steps(event.steps);
  context_.output.json("degraded", event.degraded);
  if (event.degraded)
    context_.output.warning(
        "a step failed and no fallback stands in: its part keeps the routes of earlier steps");
}

void Report::on(const chains::SaferFirstEngines& event) {
  context_.output.json("safer_first_engines", event.engines);
  context_.output.line(event.engines.empty() ? fmt::format("hint     no other engine in step {} helps, of {}",
                                                           event.step, fmt::join(event.tried, ", "))
                                             : fmt::format("hint     with {} in step {} the chain is proven",
                                                           fmt::join(event.engines, " or "), event.step));
}

void Report::on(const chains::TablesCompared& event) {
  if (!dumped_) return;
  const auto& [entries, blocks, switches] = event.changes;
  context_.output.line(fmt::format("changed  {} entries in {} blocks of {} switches, against {}", entries,
                                   blocks, switches,
                                   options_.previous.empty() ? "the installed tables" : options_.previous));
  context_.output.json("changes", {{"entries", entries}, {"blocks", blocks}, {"switches", switches}});
}

void Report::on(const chains::GroupsRouted& event) {
  if (!dumped_) return;
  const chains::MulticastReport& report = event.report;
  if (!report.waiting.empty()) {
    auto waiting = Json::array();
    for (const Lid mlid : report.waiting) waiting.push_back(mlid.value);
    context_.output.json("waiting_groups", waiting);
  }
  if (event.groups.empty()) return;
  const fabric::Node& root = event.fabric.node(report.root);
  context_.output.line(fmt::format("groups   {} on one tree of {}, rooted at {}",
                                   counted(event.groups.size(), "multicast group"),
                                   counted(report.switches, "switch"), describe(root)));
  for (const std::string& remark : report.remarks) context_.output.line("           " + remark);
  context_.output.json("groups", {{"count", event.groups.size()},
                                  {"root", fmt::format("{}", root.guid)},
                                  {"switches", report.switches},
                                  {"remarks", report.remarks}});
}

void Report::on(const chains::TablesFinal& event) {
  if (options_.dump_dir.empty() || !dumped_) return;
  context_.timings.measure("dump",
                           [&] { dumped_ = chains::dump_final(options_.dump_dir, event.fabric, event.run); });
  if (options_.dump_path_sls && dumped_)
    context_.timings.measure(
        "dump", [&] { dumped_ = chains::dump_path_sls(options_.dump_dir, event.fabric, event.run.tables); });
}

void Report::on(const chains::Proven& event) {
  if (!dumped_) return;
  tell_tenants_of(event);
  report_groups(context_.output, event.tables);
  Output::VerdictWords words;
  if (tenants_ && !tenants_->is_target) {
    words.refused = not_the_target(options_.isolation);
    words.is_refused = true;
  }
  context_.output.verdict(event.verdict, event.fabric, words);
  if (options_.metrics) report_metrics(context_, event.fabric, event.tables);
}

/// A configuration without partitions has nothing to tell.
void Report::tell_tenants_of(const chains::Proven& event) {
  const fabric::PKeyTables& pkeys = event.tables.pkeys;
  if (!options_.tenants) return;
  if (pkeys.empty()) {
    if (!options_.isolation.empty())
      tenants_ = tl::unexpected(context_.stop(
          {ErrorKind::usage,
           "`--isolation`: the plan has no P_Keys, because its configuration has no partitions"}));
    return;
  }
  const auto installed = isolation::pkeys_of_plan(event.fabric, pkeys);
  TenantsToTell what{.fabric = event.fabric, .tables = event.tables, .installed = installed};
  std::optional<isolation::InstalledPKeys> target;
  if (!options_.isolation.empty()) {
    auto read = target_pkeys(context_, options_.isolation, event.fabric,
                             {event.fabric.origin().value_or(PortId::none()), false});
    if (!read) {
      tenants_ = tl::unexpected(read.error());
      return;
    }
    target = std::move(*read);
    what.target = &*target;
    what.target_name = fmt::format("`{}`", options_.isolation);
  }
  tenants_ = context_.timings.measure("tenants", [&] { return tell_tenants(context_, what); });
}

void Report::on(const chains::FabricDiffers& event) {
  if (event.carried)
    context_.output.line("plan     goes on without end ports that the fabric has lost since");
  else
    context_.output.error({ErrorKind::forbidden, "the fabric is not the one that was planned"});
  auto changes = Json::array();
  for (const std::string& change :
       fabric::differences(event.planned, event.seen, fabric::Compared::fingerprint, 20)) {
    context_.output.line("changed  " + change);
    changes.push_back(change);
  }
  context_.output.json("changed", changes);
}

void Report::on(const chains::PathSlsNotAccepted&) {
  context_.output.error(
      {ErrorKind::forbidden,
       fmt::format("the tables are safe only for hosts that take the SL of each path from an SA; nothing was "
                   "written (with an SA beside rch: `--accept {}`)",
                   sm::kPathSls)});
}

void Report::on(const chains::SwitchLidsNotAccepted&) {
  context_.output.error(
      {ErrorKind::forbidden,
       fmt::format(
           "packets of hosts to LIDs of switches close credit loops; nothing was written (where hosts "
           "send them no IPoIB and few management packets: `--accept {}`)",
           chains::kSwitchLids)});
}

void Report::on(const chains::LinksReset& event) {
  const std::size_t between = event.links - event.hosts;
  std::string how;
  if (event.hosts > 0)
    how += fmt::format("; {} lose{} data meanwhile", counted(event.hosts, "end port"),
                       event.hosts == 1 ? "s" : "");
  if (event.rounds > 0)
    how += fmt::format("; {} between switches go{} down in {}, while all pairs use other paths",
                       counted(between - event.unspared, "link"), between - event.unspared == 1 ? "es" : "",
                       counted(event.rounds, "round"));
  if (event.drained > 0)
    how += fmt::format("; before that {} {} drained for {:.1f} s in an update", counted(event.drained, "LID"),
                       event.drained == 1 ? "is" : "are", event.seconds);
  if (event.unspared > 0)
    how += fmt::format("; without {} between switches some pair has no proven path",
                       counted(event.unspared, "link"));
  context_.output.line(
      fmt::format(
          "finding  {}{} in use {} to go down and come up again, because their MTU or VLs change{} [{}]",
          event.accepted ? "accepted: " : "", counted(event.links, "link"), event.links == 1 ? "has" : "have",
          how, hw::kLinkReset),
      event.accepted ? Meaning::warning : Meaning::bad);
  context_.output.json("link_reset", {{"links", event.links},
                                      {"hosts", event.hosts},
                                      {"rounds", event.rounds},
                                      {"unspared", event.unspared},
                                      {"drained", event.drained},
                                      {"accepted", event.accepted}});
}

void Report::on(const chains::LinkRoundBegins& event) {
  context_.output.line(fmt::format("reset    round {} of {}: {} to go down", event.round, event.rounds,
                                   counted(event.links, "link")));
}

void Report::on(const chains::UpdateWaits& event) {
  context_.output.line(
      fmt::format("         adds entries in {:.1f} s: {} and {} of hosts have no path, and packets of an "
                  "update that was broken "
                  "off may be in the fabric until then",
                  event.seconds, counted(event.lids, "LID"), counted(event.pairs, "pair")));
  context_.output.json("waits",
                       {{"seconds", event.seconds}, {"drained_lids", event.lids}, {"pairs", event.pairs}});
}

void Report::on(const chains::LinksClosed& event) {
  std::vector<std::string> ports;
  for (const PortId id : event.ports) {
    const fabric::Port& port = event.fabric.port(id);
    ports.push_back(fmt::format("`{}` port {}", event.fabric.node(port.node).name(), port.number));
  }
  context_.output.warning(fmt::format(
      "{} to what is left out {} taken down, without data until it answers: {} ({})",
      counted(ports.size(), "link"), ports.size() == 1 ? "is" : "are", fmt::join(ports, ", "), event.why));
  context_.output.json("closed_links", {{"ports", ports}, {"why", event.why}});
}

void Report::on(const chains::PartitionsUnenforced& event) {
  context_.output.line(fmt::format("finding  {}partitions are not kept apart as asked: {} [{}]",
                                   event.accepted ? "accepted: " : "", fmt::join(event.what, "; "),
                                   chains::kUnenforcedPartitions),
                       event.accepted ? Meaning::warning : Meaning::bad);
  context_.output.json("unenforced_partitions", {{"what", event.what}, {"accepted", event.accepted}});
}

void Report::on(const chains::PartitionsChange& event) {
  const auto& [losing, gaining, excess] = event.change;
  context_.output.line(
      fmt::format("tenants  {} {} P_Keys before {} new ones: no state in between lets a packet pass that the "
                  "tables before and after keep back",
                  counted(losing, "port"), losing == 1 ? "loses" : "lose",
                  gaining == 1 ? "1 gets" : fmt::format("{} get", gaining)));
  context_.output.json("partition_change", {{"ports_losing", losing}, {"ports_gaining", gaining}});
}

void Report::on(const chains::RoutedAfresh& event) {
  context_.output.line("afresh   the paths are routed once more, afresh: " + event.reason);
  context_.output.json("routed_afresh", event.reason);
}

void Report::on(const chains::OptionMapsIdle&) {
  context_.output.warning("`qos_*_sl2vl` options have no effect: the routing has SL2VL maps of its own");
}

void Report::on(const chains::UpdateNotJudged&) {
  context_.output.line("update   not judged: the target tables have a loop themselves, which was accepted");
}

void Report::on(const chains::UpdatePlanned& event) {
  print_update(context_.output, event, options_.show_rounds);
}

void report_metrics(Context& context, const fabric::Fabric& fabric, const fabric::RoutingTables& tables) {
  warn_of_choices(context.output, tables);
  print_metrics(context.output,
                context.timings.measure("metrics", [&] { return verify::measure(fabric, tables); }));
}

}  // namespace rch::cli
