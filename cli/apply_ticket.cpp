#include "cli/apply_ticket.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/source.h"
#include "base/text.h"
#include "chains/plan_file.h"
#include "cli/state_file.h"
#include "cli/ticket_journal.h"

namespace rch::cli {
namespace {

using TicketDirection = TicketJournal::Direction;
using TicketKind = TicketRun::Kind;
using TicketState = TicketJournal::State::Kind;

Result<void> write_private(const std::string& path, std::string_view bytes) {
  make_private(path);
  return write_file(path, bytes);
}

void print(Output& output, const TicketFiles& files, const Ticket& ticket) {
  std::uint64_t writes = 0;
  for (const sm::StepDigest& step : ticket.writes) writes += step.writes;
  output.line(fmt::format("ticket   {}: {} in {} steps; `rch apply --ticket {}` does this or nothing",
                          files.ticket, counted(writes, "write"), ticket.writes.size(), files.ticket));
  output.line("cut off  " + describe(ticket.cut_off));
  const WayBack& back = ticket.back;
  if (back.from == WayBack::From::none) {
    output.line("back     no way back: " + back.why_none, Meaning::warning);
    return;
  }
  output.line(
      fmt::format("back     `rch apply --rollback {}`, to the {}: {}, {}", files.ticket,
                  back.from == WayBack::From::previous ? "previous plan" : "tables that the switches hold",
                  counted(back.update.rounds, "round"),
                  back.pairs == 0 ? "no pair without a path"
                                  : counted(back.pairs, "pair") + " without a path meanwhile"));
  if (back.update.stops_traffic)
    output.line("         it has to stop traffic: it needs `--accept static-change`", Meaning::warning);
  if (!back.stays.empty())
    output.line(fmt::format("         these stay as the update writes them: {}", fmt::join(back.stays, ", ")),
                Meaning::warning);
}

}  // namespace

TicketWriter::TicketWriter(std::string file, std::vector<std::string> accept, std::string lid_file)
    : files_(std::move(file)), accept_(std::move(accept)), lid_file_(std::move(lid_file)) {}

void TicketWriter::listen(LiveCommit& commit, const policy::Options& options) {
  before_.previous = commit.previous.empty() ? nullptr : commit.previous.front();
  commit.take_found = [this, &options, also = std::move(commit.take_found)](const fabric::Fabric& live,
                                                                            chains::FoundTables found) {
    policy::Policy as_installed;
    as_installed.options = options;
    before_.maps = found.maps;
    chains::FoundTables copy{.tables = {}, .maps_alike = found.maps_alike, .maps = found.maps};
    copy.tables.lfts = found.tables.lfts.clone();
    copy.tables.steps = found.tables.steps;
    copy.tables.groups = found.tables.groups;
    before_.found = chains::judge_found(as_installed, live, std::move(copy), accept_);
    if (also) also(live, std::move(found));
  };
  commit.agrees = [this](const sm::PendingUpdate& pending) -> Result<void> {
    JudgedWayBack back = way_back(pending, before_, accept_);
    const bool knows_levels = back.way.from == WayBack::From::previous;
    if (before_.previous != nullptr && !knows_levels)
      return fail(
          ErrorKind::forbidden,
          "`--previous` is not what the switches hold, or was made for another fabric, so a ticket cannot go "
          "back to it (without `--previous` it goes back to what they hold): " +
              back.way.why_none);
    ticket_ = ticket_of(pending, knows_levels ? &*back.plan : nullptr);
    ticket_.accept = accept_;
    ticket_.lid_file = lid_file_;
    target_ = chains::encode_plan(pending.target);
    ticket_.target = chains::digest(target_);
    ticket_.back = std::move(back.way);
    back_ = back.plan ? chains::encode_plan(*back.plan) : std::string();
    return {};
  };
}

Result<void> TicketWriter::write(Output& output) const {
  if (const auto state = journal_state(files_.journal); !state)
    return tl::unexpected(state.error());
  else if (state->kind == TicketState::open)
    return fail(
        ErrorKind::forbidden,
        fmt::format("an update of the ticket `{}` has begun and not ended: `rch apply --resume {}` goes on, "
                    "`--rollback` goes back",
                    files_.ticket, files_.ticket));
  std::error_code failed;
  std::filesystem::remove(files_.ticket, failed);
  std::filesystem::remove(files_.journal, failed);
  std::filesystem::remove(files_.before, failed);
  if (auto done = write_private(files_.target, target_); !done) return done;
  if (!back_.empty())
    if (auto done = write_private(files_.before, back_); !done) return done;
  if (auto done = write_file(files_.ticket, ticket_text(ticket_)); !done) return done;
  print(output, files_, ticket_);
  output.json("ticket", *Json::parse(ticket_text(ticket_)));
  return {};
}

namespace {

/// A ticket with its plans, as they lie on the disk.
struct OpenTicket {
  TicketFiles files;
  Ticket ticket;
  TicketJournal journal;
  chains::Plan target;
  std::optional<chains::Plan> before{};
};

Result<chains::Plan> read_plan_of(const std::string& path, const std::string& digest) {
  const auto bytes = read_file(path);
  if (!bytes) return tl::unexpected(bytes.error());
  if (chains::digest(*bytes) != digest)
    return fail(ErrorKind::usage, fmt::format("`{}` is not the plan that the ticket names", path));
  return chains::decode_plan(*bytes);
}

Result<OpenTicket> open_ticket(const std::string& file) {
  TicketFiles files(file);
  const auto text = read_file(file);
  if (!text) return tl::unexpected(text.error());
  auto ticket = ticket_of(*text);
  if (!ticket) return fail(ticket.error().kind, fmt::format("`{}`: {}", file, ticket.error().message));
  auto target = read_plan_of(files.target, ticket->target);
  if (!target) return tl::unexpected(target.error());
  auto journal = TicketJournal::open(files.journal, chains::digest(*text));
  if (!journal) return tl::unexpected(journal.error());
  OpenTicket open{std::move(files), std::move(*ticket), std::move(*journal), std::move(*target)};
  if (open.ticket.back.from == WayBack::From::none) return open;
  auto before = read_plan_of(open.files.before, open.ticket.back.plan);
  if (!before) return tl::unexpected(before.error());
  open.before = std::move(*before);
  return open;
}

std::string ways_on(const OpenTicket& open) {
  return fmt::format("`rch apply --resume {}` goes on{}", open.files.ticket,
                     open.before ? ", `--rollback` goes back" : "");
}

/// The direction in which the ticket is to be carried out. Fails (usage) when that is not possible now.
Result<TicketDirection> direction_of(TicketKind kind, const OpenTicket& open) {
  const TicketJournal::State& state = open.journal.state();
  const auto refuse = [&](const std::string& why) {
    return fail(ErrorKind::usage, fmt::format("ticket `{}`: {}", open.files.ticket, why));
  };
  const bool is_open = state.kind == TicketState::open;
  switch (kind) {
    case TicketKind::apply:
      if (is_open) return refuse("an update of it has begun and not ended: " + ways_on(open));
      if (state.kind == TicketState::ended && state.direction == TicketDirection::forward)
        return refuse("it is carried out already");
      return TicketDirection::forward;
    case TicketKind::resume:
      if (!is_open) return refuse("no update of it has begun and not ended");
      return state.direction;
    case TicketKind::rollback:
      if (state.kind == TicketState::fresh) return refuse("nothing was written for it");
      if (!is_open && state.direction == TicketDirection::back) return refuse("it is undone already");
      if (!open.before) return refuse("it has no way back: " + open.ticket.back.why_none);
      return TicketDirection::back;
  }
  return refuse("");
}

/// The plans that hosts may have their service levels from. The first is the one that the switches hold
/// before the update begins.
std::vector<const chains::Plan*> previous_plans(TicketKind kind, TicketDirection direction,
                                                const OpenTicket& open) {
  const chains::Plan* const before = open.before ? &*open.before : nullptr;
  if (direction == TicketDirection::back) return {&open.target, before};
  if (!open.ticket.knows_levels || before == nullptr) return {};
  if (kind == TicketKind::apply) return {before};
  return {before, &open.target};
}

/// Somebody else wrote tables meanwhile.
Result<void> check_entries(const OpenTicket& open, const sm::PendingUpdate& pending) {
  if (!open.before) return {};
  const chains::Plan* const plans[] = {&*open.before, &open.target};
  const auto foreign = sm::foreign_entries(plans, pending.live.fabric, pending.prepared.read->lfts);
  if (foreign.count == 0) return {};
  return fail(
      ErrorKind::forbidden,
      fmt::format("{} in the switches that the ticket does not know, such as that for LID {} in {}: "
                  "somebody else has written tables since (`rch apply` with a plan or a configuration goes "
                  "on from whatever is installed)",
                  foreign.count == 1 ? "1 entry is" : fmt::format("{} entries are", foreign.count),
                  foreign.lid, foreign.node));
}

/// The update is the one of the ticket.
Result<void> check_ticket(const OpenTicket& open, const sm::PendingUpdate& pending) {
  Ticket now = ticket_of(pending, open.ticket.knows_levels && open.before ? &*open.before : nullptr);
  now.target = open.ticket.target;
  const std::string why = difference(open.ticket, now);
  if (why.empty()) return {};
  return fail(
      ErrorKind::forbidden,
      fmt::format("the ticket `{}` does not hold any more: {}; nothing is written", open.files.ticket, why));
}

/// Writes the LIDs of the plan into the guid2lid file of the ticket, if it names one.
Stage<void> write_lids(Context& context, const std::string& path, const fabric::Fabric& fabric) {
  if (path.empty()) return {};
  auto file = read_lid_file(context, path);
  if (!file) return tl::unexpected(file.error());
  if (const auto written = take_over_lids(*file, fabric); !written)
    return tl::unexpected(context.stop(written.error()));
  return {};
}

}  // namespace

Stage<Committed> run_ticket(Context& context, TicketRun run, Report& report) {
  const auto stop = [&](const Error& error) { return tl::unexpected(context.stop(error)); };
  auto opened = open_ticket(run.file);
  if (!opened) return stop(opened.error());
  OpenTicket& open = *opened;
  const auto direction = direction_of(run.kind, open);
  if (!direction) return stop(direction.error());
  const bool goes_back = *direction == TicketDirection::back;
  const chains::Plan& plan = goes_back ? *open.before : open.target;
  LiveCommit& commit = run.commit;
  commit.accept.insert(commit.accept.end(), open.ticket.accept.begin(), open.ticket.accept.end());
  for (const verify::Finding& finding : plan.verdict.findings)
    if (finding.accepted) commit.accept.emplace_back(verify::name(finding.kind));
  commit.names = fabric::names_of(*plan.fabric);
  commit.admitted = plan.cables;
  commit.previous = previous_plans(run.kind, *direction, open);
  commit.planner = [&](const fabric::Fabric& live) {
    return chains::prove_again(plan, live, commit.accept, report.observer());
  };
  commit.agrees = [&](const sm::PendingUpdate& pending) -> Result<void> {
    const auto holds =
        run.kind == TicketKind::apply ? check_ticket(open, pending) : check_entries(open, pending);
    if (!holds || commit.dry_run) return holds;
    return open.journal.begin(*direction);
  };
  context.output.line(fmt::format("ticket   {}: {}", open.files.ticket,
                                  goes_back ? "back to the state before" : "to its plan"));
  auto committed = commit_live(context, commit, plan.options, report);
  if (!committed && open.journal.state().kind == TicketState::open && !commit.dry_run)
    context.output.warning(ways_on(open));
  if (!committed || commit.dry_run) return committed;
  if (const auto lids = write_lids(context, open.ticket.lid_file, *committed->plan.fabric); !lids)
    return tl::unexpected(lids.error());
  if (const auto ended = open.journal.end(); !ended) return stop(ended.error());
  context.output.line(
      fmt::format("ticket   {}: {}", open.files.ticket, goes_back ? "undone" : "carried out"));
  return committed;
}

}  // namespace rch::cli
