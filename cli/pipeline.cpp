#include "cli/pipeline.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include <fmt/format.h>
#include <xxhash.h>
#include <nlohmann/json.hpp>

#include "chains/arbitration.h"
#include "chains/balance.h"
#include "chains/dumps.h"
#include "chains/multicast.h"
#include "chains/multicast_roots.h"
#include "chains/rules.h"
#include "cli/change.h"
#include "cli/live.h"
#include "cli/metrics.h"
#include "cli/target.h"
#include "fabric/difference.h"
#include "fabric/fabric_builder.h"
#include "fabric/lids.h"
#include "fabric/table_changes.h"
#include "hw/commit.h"
#include "policy/bind/bind.h"
#include "policy/front_end.h"
#include "policy/partitions/planned_groups.h"
#include "verify/dependencies.h"

namespace rch::cli {
namespace {

tl::unexpected<Exit> stop(Context& context, const Error& error) {
  context.output.error(error);
  return tl::unexpected(exit_of(error.kind));
}

Stage<fabric::Fabric> assign_lids(Context& context, const policy::Options& options,
                                  const fabric::Fabric& fabric, const chains::Plan* previous) {
  auto plan = fabric::plan_lids(fabric, {.lmc = options.lmc,
                                         .lmc_esp0 = options.lmc_esp0,
                                         .reassign = options.reassign_lids,
                                         .planned = previous != nullptr ? &previous->fabric : nullptr});
  if (!plan) return stop(context, plan.error());
  for (const std::string& change : plan->changes) context.output.line("lids     " + change);
  auto labelled = fabric::with_lids(fabric, plan->lids);
  if (!labelled) return stop(context, labelled.error());
  return std::move(*labelled);
}

void describe_fabric(Context& context, const fabric::Fabric& fabric) {
  context.output.line(
      fmt::format("fabric   {} switches, {} end ports, {} links between switches, LIDs up to {} [{}]",
                  fabric.switch_count(), fabric.end_ports().size(), fabric.graph().link_ends() / 2,
                  fabric.max_lid(), fabric.fingerprint()));
  context.output.json("fabric", {{"fingerprint", fabric.fingerprint()},
                                 {"switches", fabric.switch_count()},
                                 {"end_ports", fabric.end_ports().size()},
                                 {"links", fabric.graph().link_ends() / 2},
                                 {"max_lid", fabric.max_lid().value}});
}

/// A previous plan of which nothing can be kept.
void warn_of_strangers(Context& context, const PlanRequest& request, const fabric::Fabric& before,
                       const fabric::Fabric& now) {
  for (std::uint32_t s = 0; s < before.switch_count(); ++s)
    if (const auto node = now.find_node(before.node(SwitchId(s)).guid); node && now.is_switch(*node)) return;
  context.diagnostics.add(
      chains::kPreviousElsewhere, {},
      fmt::format("`{}` is of another fabric: none of its switches is here, nothing is kept",
                  request.previous));
}

/// Runs the chain, recording a phase per step and writing the dumps of each.
Stage<chains::ChainRun> run_chain(Context& context, const policy::BoundPolicy& bound,
                                  const std::string& dump_dir, const chains::Previous* previous) {
  Result<void> dumped;
  const auto observe = [&](const chains::StepOutcome& outcome) {
    context.timings.add({"step", outcome.milliseconds, outcome.step.id, outcome.step.engine});
    if (dump_dir.empty() || !dumped) return;
    context.timings.measure("dump", [&] { dumped = chains::dump_step(dump_dir, outcome); });
  };
  auto run = chains::run(bound, observe, previous);
  if (!run) {
    context.output.steps(run.error().steps);
    return stop(context, {ErrorKind::unroutable,
                          "no engine of the chain could route the fabric; tables in switches "
                          "stay as they are"});
  }
  context.output.steps(run->steps);
  if (!dumped) return stop(context, dumped.error());
  return std::move(*run);
}

bool balances_anew(const policy::Policy& policy) {
  return std::ranges::any_of(
      policy.steps, [](const policy::Step& step) { return step.options.offsweep_balancing_enabled; });
}

/// Off-sweep balancing (routing-engines 10): what is kept lets loads drift, so on an unchanged fabric a fresh
/// run takes its place when it is clearly better.
bool fresh_is_worth_it(Context& context, const policy::BoundPolicy& bound, const chains::Previous& previous) {
  const auto kept = chains::run(bound, {}, &previous), fresh = chains::run(bound);
  if (!kept || !fresh) return false;
  const chains::Balance now = chains::balance(*bound.fabric, kept->tables.lfts);
  const chains::Balance then = chains::balance(*bound.fabric, fresh->tables.lfts);
  const bool worth = chains::is_clearly_better(then, now);
  context.output.line(fmt::format(
      "balance  {}: at most {} entries for hosts on a port, deviation {:.2f}; anew {} and {:.2f}",
      worth ? "routes are dealt anew" : "routes stay", now.most, now.deviation, then.most, then.deviation));
  return worth;
}

/// What a change from a previous plan would be like under traffic.
void tell_change(Context& context, const chains::Plan& previous, const chains::Plan& plan,
                 const verify::ChannelGraph& proven) {
  const fabric::RoutingTables held =
      fabric::carried_over(previous.fabric, previous.tables, plan.fabric, plan.tables);
  const auto blocks = fabric::differing_blocks(held.lfts, plan.tables.lfts);
  std::ignore = plan_change(
      context, {plan.fabric, held, plan.tables, blocks, plan.options.max_op_vls}, plan.verdict,
      {.proven = &proven, .wait = hw::packet_life_time({.packet_life_time = plan.options.packet_life_time})});
}

/// Runs the chain with what a previous plan holds, if there is one.
Stage<chains::ChainRun> run_on(Context& context, const policy::BoundPolicy& bound, const PlanRequest& request,
                               const chains::Plan* previous, bool same_configuration) {
  if (previous == nullptr) return run_chain(context, bound, request.dump_dir, nullptr);
  Diagnostics ignored;
  const policy::BoundPolicy earlier = policy::bind(*bound.policy, previous->fabric, ignored);
  const chains::Previous held{earlier, previous->tables, same_configuration};
  const bool same_fabric = previous->fabric.fingerprint() == bound.fabric->fingerprint();
  const bool anew = same_fabric && balances_anew(*bound.policy) && fresh_is_worth_it(context, bound, held);
  auto run = run_chain(context, bound, request.dump_dir, anew ? nullptr : &held);
  if (!run) return run;
  const auto changes =
      fabric::table_changes(previous->fabric, previous->tables.lfts, *bound.fabric, run->tables.lfts);
  context.output.line(fmt::format("changed  {} entries in {} blocks of {} switches, against {}",
                                  changes.entries, changes.blocks, changes.switches, request.previous));
  context.output.json(
      "changes", {{"entries", changes.entries}, {"blocks", changes.blocks}, {"switches", changes.switches}});
  return run;
}

void describe_groups(Context& context, const fabric::Fabric& fabric,
                     const std::vector<fabric::MulticastGroup>& groups,
                     const chains::MulticastReport& report) {
  if (groups.empty()) return;
  const fabric::Node& root = fabric.node(report.root);
  context.output.line(fmt::format("groups   {} multicast group{} on one tree of {} switch{}, rooted at {}",
                                  groups.size(), groups.size() == 1 ? "" : "s", report.switches,
                                  report.switches == 1 ? "" : "es", describe(root)));
  for (const std::string& remark : report.remarks) context.output.line("           " + remark);
  context.output.json("groups", {{"count", groups.size()},
                                 {"root", fmt::format("{}", root.guid)},
                                 {"switches", report.switches},
                                 {"remarks", report.remarks}});
}

/// Lays the ways of multicast groups and proves the whole.
verify::Verdict prove(Context& context, const policy::BoundPolicy& bound, chains::ChainRun& run,
                      verify::ChannelGraph& graph) {
  const policy::Options& options = bound.policy->options;
  std::vector<fabric::MulticastGroup> groups;
  if (!options.disable_multicast)
    groups = policy::partitions::planned_groups(
        bound.policy->partitions,
        {*bound.fabric, bound.fabric->origin().value_or(PortId::none()), bound.groups});
  chains::MulticastReport report;
  const std::vector<SwitchId> roots = chains::asked_roots(bound, report.remarks);
  verify::Verdict verdict = context.timings.measure("verify", [&] {
    return chains::lay_multicast(*bound.fabric, std::move(groups),
                                 {.max_op_vls = options.max_op_vls, .graph = &graph}, run, report, roots);
  });
  describe_groups(context, *bound.fabric, run.tables.groups, report);
  return verdict;
}

std::vector<chains::Plan::Digest> digests(const Context& context, const policy::Policy& policy) {
  std::vector<chains::Plan::Digest> out;
  for (SourceId id : policy.sources) {
    const SourceText& source = context.sources.at(id);
    const XXH128_hash_t hash = XXH3_128bits(source.text().data(), source.text().size());
    out.push_back({std::filesystem::path(source.name()).filename().string(),
                   fmt::format("{:016x}{:016x}", hash.high64, hash.low64)});
  }
  return out;
}

}  // namespace

void report_metrics(Context& context, const fabric::Fabric& fabric, const fabric::RoutingTables& tables) {
  print_metrics(context.output,
                context.timings.measure("metrics", [&] { return verify::measure(fabric, tables); }));
}

void accept_findings(verify::Verdict& verdict, const std::vector<std::string>& accept) {
  for (verify::Finding& finding : verdict.findings)
    finding.accepted = std::find(accept.begin(), accept.end(), verify::name(finding.kind)) != accept.end();
}

bool Context::report() {
  policy::regrade(diagnostics, output.reported(), settings);
  output.diagnostics(diagnostics, sources);
  return diagnostics.has_errors();
}

Exit Context::end(Exit code, const std::string& timings_file) {
  if (timings_file == "-" && output.format() == Format::json) {
    output.json("timings", timings.document());
  } else if (const auto written = timings.write(timings_file); !written) {
    output.error(written.error());
    if (code == Exit::good) code = exit_of(written.error().kind);
  }
  return output.finish(code);
}

Result<policy::Configuration> read_configuration(Context& context, const ConfFlags& conf) {
  auto read = context.timings.measure("read", [&] {
    return conf.rch_file.empty() ? policy::load(conf.opensm_conf, context.sources, context.diagnostics)
                                 : policy::load_rch_file(conf.rch_file, context.sources, context.diagnostics);
  });
  if (read) context.settings = read->settings;
  return read;
}

Stage<policy::Policy> read_policy(Context& context, const ConfFlags& conf) {
  auto read = read_configuration(context, conf);
  const bool errors = context.report();
  if (!read) return stop(context, read.error());
  if (errors || !read->policy) return tl::unexpected(Exit::findings);
  return std::move(*read->policy);
}

Stage<fabric::Fabric> read_fabric(Context& context, const std::string& target,
                                  const policy::Options& options) {
  const auto port = live_port(target);
  if (!port) return stop(context, port.error());
  if (*port) {
    auto live = context.timings.measure("discover", [&] { return discover_live(**port, options); });
    if (!live) return stop(context, live.error());
    return std::move(*live);
  }
  auto fabric = context.timings.measure(
      "read", [&] { return read_fabric_file(target, context.sources, context.diagnostics); });
  const bool errors = context.report();
  if (!fabric) return stop(context, fabric.error());
  if (errors || !*fabric) return tl::unexpected(Exit::usage);
  return std::move(**fabric);
}

bool same_fabric(Context& context, const fabric::Fabric& planned, const fabric::Fabric& seen) {
  if (planned.fingerprint() == seen.fingerprint()) return true;
  context.output.error({ErrorKind::forbidden, "the fabric is not the one that was planned"});
  auto changes = nlohmann::ordered_json::array();
  for (const std::string& change : fabric::differences(planned, seen, 20)) {
    context.output.line("changed  " + change);
    changes.push_back(change);
  }
  context.output.json("changed", changes);
  return false;
}

Stage<chains::Plan> make_plan(Context& context, const policy::Policy& policy, fabric::Fabric fabric,
                              const PlanRequest& request, verify::ChannelGraph* graph) {
  if (!request.dump_dir.empty()) {
    std::error_code error;
    std::filesystem::create_directories(request.dump_dir, error);
    if (error)
      return stop(context, {ErrorKind::usage,
                            fmt::format("cannot create `{}`: {}", request.dump_dir, error.message())});
  }
  std::optional<chains::Plan> previous;
  if (!request.previous.empty()) {
    auto read = chains::read_plan(request.previous);
    if (!read) return stop(context, read.error());
    previous = std::move(*read);
  }
  const chains::Plan* before = previous ? &*previous : nullptr;
  auto labelled = assign_lids(context, policy.options, fabric, before);
  if (!labelled) return tl::unexpected(labelled.error());
  fabric = std::move(*labelled);
  describe_fabric(context, fabric);
  if (before != nullptr) warn_of_strangers(context, request, before->fabric, fabric);

  const policy::BoundPolicy bound =
      context.timings.measure("bind", [&] { return policy::bind(policy, fabric, context.diagnostics); });
  if (context.report()) return tl::unexpected(Exit::findings);

  auto configuration = digests(context, policy);
  auto run =
      run_on(context, bound, request, before, before != nullptr && before->configuration == configuration);
  if (!run) return tl::unexpected(run.error());

  run->tables.arbitration = chains::lay_arbitration(bound, *run);
  verify::ChannelGraph own_graph;
  verify::Verdict verdict = prove(context, bound, *run, graph != nullptr ? *graph : own_graph);
  if (!request.dump_dir.empty()) {
    const auto dumped =
        context.timings.measure("dump", [&] { return chains::dump_final(request.dump_dir, fabric, *run); });
    if (!dumped) return stop(context, dumped.error());
  }
  std::vector<std::string> accept = request.accept;
  accept.insert(accept.end(), context.settings.accept.begin(), context.settings.accept.end());
  accept_findings(verdict, accept);
  context.output.verdict(verdict, fabric);
  if (request.metrics) report_metrics(context, fabric, run->tables);

  chains::Plan plan{.fabric = std::move(fabric),
                    .tables = std::move(run->tables),
                    .steps = std::move(run->steps),
                    .degraded = run->degraded,
                    .verdict = std::move(verdict),
                    .configuration = std::move(configuration),
                    .options = policy.options};
  // Who takes the graph judges the change by what the switches really hold.
  if (before != nullptr && graph == nullptr && plan.verdict.clean())
    tell_change(context, *before, plan, own_graph);
  return plan;
}

Exit judge(const chains::Plan& plan) { return plan.verdict.clean() ? Exit::good : Exit::forbidden; }

}  // namespace rch::cli
