#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "chains/adoption.h"
#include "chains/plan_file.h"
#include "cli/accepts.h"
#include "cli/apply_ticket.h"
#include "cli/certify.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/generations.h"
#include "cli/lid_file.h"
#include "cli/live_commit.h"
#include "cli/overwrites.h"
#include "cli/report.h"
#include "fabric/names.h"
#include "policy/bind/bind_cables.h"
#include "policy/bind/given_names.h"

namespace rch::cli {
namespace {

struct ApplyFlags {
  ConfFlags conf;
  std::string plan_file, output, timings, fabric = "live", lid_file, certificate;
  std::optional<std::uint64_t> generation;
  std::string ticket, resume, rollback;
  PlanFlags plan;
  bool dry_run = false, takeover = false, strict = false, afresh = false, details = false;
  Format format = Format::text;
};

/// Writes the plan where `-o` says.
Exit write_output(Context& context, const ApplyFlags& flags, const chains::Plan& plan) {
  if (flags.output.empty()) return Exit::good;
  if (const auto written = chains::write_plan(flags.output, plan); !written)
    return context.stop(written.error());
  context.output.line(fmt::format("plan     {}", flags.output));
  return Exit::good;
}

/// The guid2lid file that is written after the commit: that of the flag; else, if the policy honours it, that
/// of OpenSM. Empty: none.
std::string lid_file_to_write(const ApplyFlags& flags, const policy::Options& options) {
  if (!flags.lid_file.empty()) return flags.lid_file;
  return options.lids.honor_guid2lid_file ? default_lid_file(options.manager) : std::string();
}

/// None: none is written.
Stage<std::optional<LidFile>> read_lids(Context& context, const std::string& path,
                                        const policy::Options& options) {
  if (path.empty()) return std::nullopt;
  if (options.lids.reassign_lids) return LidFile{path};
  return read_lid_file(context, path);
}

LiveCommit live_commit(const ApplyFlags& flags) {
  return {.port = flags.fabric,
          .lid_file = flags.lid_file,
          .dry_run = flags.dry_run,
          .takeover = flags.takeover,
          .strict = flags.strict,
          .accept = flags.plan.accept};
}

/// Commits, with a ticket where the flags ask for one, and writes what they name. `lids`: gets the LIDs that
/// were installed; null: they are not kept.
Exit carry_out(Context& context, const ApplyFlags& flags, LiveCommit commit, const policy::Options& options,
               LidFile* lids, Report& report) {
  std::optional<TicketWriter> ticket;
  if (!flags.ticket.empty()) {
    ticket.emplace(flags.ticket, commit.accept, lids == nullptr ? std::string() : lids->path);
    ticket->listen(commit, options);
  }
  const auto committed = commit_live(context, commit, options, report);
  if (!committed) return committed.error();
  if (ticket)
    if (const auto written = ticket->write(context.output); !written) return context.stop(written.error());
  if (lids != nullptr && !flags.dry_run)
    if (const auto written = take_over_lids(*lids, *committed->plan.fabric); !written)
      return context.stop(written.error());
  return write_output(context, flags, committed->plan);
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
  auto lids = read_lids(context, lid_file_to_write(flags, (*policy)->options), (*policy)->options);
  if (!lids) return lids.error();
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
  LiveCommit commit = live_commit(flags);
  commit.planner = [&](const fabric::Fabric& live) -> Result<chains::Plan> {
    if (asks) request->installed = found ? &*found : nullptr;
    auto plan = chains::plan(*policy, live, *request, context.diagnostics, report.observer());
    if (plan && !report.dumped()) return tl::unexpected(report.dumped().error());
    return certified(context, std::move(plan), flags.certificate);
  };
  commit.names = policy::given_names(**policy);
  commit.admitted = policy::cable_policy(**policy);
  if (asks) commit.take_found = take_found;
  if (request->installed != nullptr) commit.previous = {request->installed};
  return carry_out(context, flags, std::move(commit), (*policy)->options, lid_file, report);
}

/// A plan that was made before, with the one that is installed now, if that is known.
struct ReadyPlan {
  chains::Plan plan;
  std::optional<chains::Plan> previous{};
};

Exit apply_ready_plan(Context& context, const ApplyFlags& flags, const ReadyPlan& ready,
                      const std::string& name, Report& report) {
  const chains::Plan& plan = ready.plan;
  if (!plan.tables->adaptive.empty())
    return context.stop(
        {ErrorKind::usage,
         fmt::format("`{}` has groups of ports for adaptive routing, which rch does not write to "
                     "switches; plan with `ar_mode 0`",
                     name)});
  std::vector<std::string> accept = flags.plan.accept;
  for (const verify::Finding& finding : plan.verdict.findings)
    if (finding.accepted) accept.emplace_back(verify::name(finding.kind));
  LiveCommit commit = live_commit(flags);
  commit.planner = [&](const fabric::Fabric& live) {
    return certified(context, chains::prove_again(plan, live, accept, report.observer()), flags.certificate);
  };
  commit.names = fabric::names_of(*plan.fabric);
  commit.admitted = plan.cables;
  if (ready.previous) commit.previous = {&*ready.previous};
  return carry_out(context, flags, std::move(commit), plan.options, nullptr, report);
}

Exit apply_plan(Context& context, const ApplyFlags& flags, Report& report) {
  auto plan = read_plan(context, flags.plan_file);
  if (!plan) return plan.error();
  ReadyPlan ready{std::move(*plan)};
  if (const auto request = plan_request(context, flags.plan, ready.previous); !request)
    return request.error();
  return apply_ready_plan(context, flags, ready, flags.plan_file, report);
}

/// A plan that `rch run` had installed. Hosts have their service levels from the newest one, unless
/// --previous names another.
Exit apply_generation(Context& context, const ApplyFlags& flags, Report& report) {
  const std::string folder = generations_folder(flags.lid_file.empty() ? default_lid_file() : flags.lid_file);
  const auto generations = generations_in(folder);
  if (!generations) return context.stop(generations.error());
  const auto kept = std::ranges::find(*generations, *flags.generation, &Generation::number);
  if (kept == generations->end())
    return context.stop(
        {ErrorKind::usage, fmt::format("generation {} is not kept in `{}` (`rch history` lists "
                                       "those that are)",
                                       *flags.generation, folder)});
  auto plan = read_plan(context, kept->plan);
  if (!plan) return plan.error();
  ReadyPlan ready{std::move(*plan)};
  PlanFlags of_previous = flags.plan;
  if (of_previous.previous.empty() && kept != generations->begin())
    of_previous.previous = generations->front().plan;
  if (const auto request = plan_request(context, of_previous, ready.previous); !request)
    return request.error();
  context.output.line(fmt::format("plan     generation {} of {}", kept->number, kept->note.time));
  return apply_ready_plan(context, flags, ready, kept->plan, report);
}

Exit apply_written_ticket(Context& context, const ApplyFlags& flags, Report& report) {
  const auto [kind, file] = !flags.resume.empty()     ? std::pair(TicketRun::Kind::resume, flags.resume)
                            : !flags.rollback.empty() ? std::pair(TicketRun::Kind::rollback, flags.rollback)
                                                      : std::pair(TicketRun::Kind::apply, flags.ticket);
  const auto committed = run_ticket(context, {kind, file, live_commit(flags)}, report);
  return committed ? write_output(context, flags, committed->plan) : committed.error();
}

Exit apply_what_is_asked(Context& context, const ApplyFlags& flags, Report& report) {
  if (flags.conf.given()) return apply_configuration(context, flags, report);
  if (!flags.plan_file.empty()) return apply_plan(context, flags, report);
  if (flags.generation) return apply_generation(context, flags, report);
  return apply_written_ticket(context, flags, report);
}

Exit run(const ApplyFlags& flags) {
  Context context(flags.format);
  context.output.show_details(flags.details);
  Report report(context, {.dump_dir = flags.plan.dump_dir,
                          .dump_path_sls = flags.plan.dump_path_sls,
                          .previous = flags.plan.previous,
                          .metrics = false,
                          .show_rounds = flags.dry_run});
  const Exit code = apply_what_is_asked(context, flags, report);
  return context.end(code, flags.timings);
}

/// Says why the sources that the flags name do not go together; empty if they do.
std::string objection_to_source(const ApplyFlags& flags) {
  const int sources = (flags.plan_file.empty() ? 0 : 1) + (flags.conf.opensm_conf.empty() ? 0 : 1) +
                      (flags.conf.rch_file.empty() ? 0 : 1) + (flags.generation ? 1 : 0) +
                      (flags.resume.empty() ? 0 : 1) + (flags.rollback.empty() ? 0 : 1);
  const bool goes_on = !flags.resume.empty() || !flags.rollback.empty();
  if (sources > 1) return "name one of a plan, -F, -C, --to, --resume and --rollback";
  if (goes_on && !flags.ticket.empty()) return "--resume and --rollback name the ticket themselves";
  if (sources == 0 && flags.ticket.empty())
    return "name what to apply: a plan, -F, -C, --to, --ticket, --resume or --rollback";
  if (sources == 1 && !flags.ticket.empty() && !flags.dry_run)
    return "--ticket with a plan or a configuration needs --dry-run: it writes the ticket, and `rch apply "
           "--ticket "
           "FILE` alone carries it out";
  return "";
}

/// A ticket has its plan, and what it accepts.
std::string objection_to_ticket(const ApplyFlags& flags) {
  const bool is_written = flags.plan_file.empty() && !flags.conf.given() && !flags.generation;
  if (!is_written) return "";
  if (!flags.plan.previous.empty() || flags.afresh || !flags.plan.dump_dir.empty() ||
      !flags.certificate.empty())
    return "a ticket has its plan: --previous, --afresh, --dump-dir and --certificate go with the dry run "
           "that "
           "writes it";
  if (!flags.plan.accept.empty() && !flags.ticket.empty())
    return "a ticket accepts what the dry run that wrote it accepted";
  return "";
}

std::string objection(const ApplyFlags& flags) {
  for (const std::string& why : {objection_to_source(flags), objection_to_ticket(flags)})
    if (!why.empty()) return "apply: " + why;
  if (!flags.plan_file.empty() && !flags.plan.dump_dir.empty())
    return "apply: --dump-dir needs a configuration; a plan is made already";
  if (!flags.plan_file.empty() && !flags.lid_file.empty())
    return "apply: --guid2lid needs a configuration; a plan has its LIDs";
  if (flags.dry_run && !flags.output.empty()) return "apply: --dry-run installs nothing that -o could write";
  const std::vector<std::string> read{flags.conf.opensm_conf, flags.conf.rch_file, flags.plan_file};
  if (flags.dry_run && !flags.ticket.empty()) return require_other_file(flags.ticket, "a ticket", read);
  return require_other_file(flags.output, "a plan", read);
}

void add_sources(const Command& command, ApplyFlags& flags) {
  command.add("PLAN", flags.plan_file, "A plan; refused when the fabric is not the one that was planned");
  add_conf(command, flags.conf);
  command.add("--to", flags.generation, "A plan that `rch run` had installed, by its number in `rch history`")
      .type("GENERATION");
  command
      .add("--ticket", flags.ticket,
           "With --dry-run: write what would be done, whom it cuts off, and the way back. Alone: do exactly "
           "that, "
           "or nothing")
      .type("FILE");
  command.add("--resume", flags.resume, "Go on with a ticket whose update began and did not end")
      .type("FILE");
  command.add("--rollback", flags.rollback, "Bring back what was installed before a ticket").type("FILE");
}

}  // namespace

void add_apply(const Command& rch) {
  const Command command = rch.command("apply", "Commit a plan, or a configuration, to a live fabric");
  auto flags = std::make_shared<ApplyFlags>();
  add_sources(command, *flags);
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
           "With a configuration: ports keep the LIDs of this file, and it is written after the commit. With "
           "--to: "
           "generations are kept beside it")
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
  command.does([flags] { return run(*flags); }, [flags] { return objection(*flags); });
}

}  // namespace rch::cli
