#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <memory>
#include <utility>

#include "base/text.h"
#include "chains/plan_file.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/generations.h"
#include "cli/lid_file.h"
#include "cli/points.h"
#include "fabric/table_changes.h"

namespace rch::cli {
namespace {

struct HistoryFlags {
  std::string lid_file, sw, lid;
  Format format = Format::text;
};

/// Fails (usage) when none is kept.
Result<std::vector<Generation>> kept_generations(const HistoryFlags& flags) {
  const std::string folder = generations_folder(flags.lid_file.empty() ? default_lid_file() : flags.lid_file);
  auto generations = generations_in(folder);
  if (generations && generations->empty())
    return fail(ErrorKind::usage, fmt::format("no generation is kept in `{}`", folder));
  return generations;
}

/// `step 1 updn failed, step 2 minhop`.
std::string steps_of(const chains::Plan& plan) {
  std::vector<std::string> steps;
  for (const chains::StepReport& step : plan.steps)
    if (step.status != chains::StepStatus::not_needed)
      steps.push_back(fmt::format("step {} {}{}", step.id, step.engine,
                                  step.status == chains::StepStatus::failed ? " failed" : ""));
  return steps.empty() ? "no step" : fmt::format("{}", fmt::join(steps, ", "));
}

Json steps_json(const chains::Plan& plan) {
  auto steps = Json::array();
  for (const chains::StepReport& step : plan.steps)
    if (step.status != chains::StepStatus::not_needed)
      steps.push_back({{"id", step.id.value},
                       {"engine", step.engine},
                       {"failed", step.status == chains::StepStatus::failed}});
  return steps;
}

/// Findings that were accepted, for the plan and for its installation.
std::vector<std::string> accepted_in(const Generation& generation, const chains::Plan& plan) {
  std::vector<std::string> accepted = generation.note.accepted;
  for (const verify::Finding& finding : plan.verdict.findings)
    if (finding.accepted && std::ranges::find(accepted, verify::name(finding.kind)) == accepted.end())
      accepted.emplace_back(verify::name(finding.kind));
  return accepted;
}

std::string verdict_of(const std::vector<std::string>& accepted) {
  return accepted.empty() ? "proven" : fmt::format("accepted: {}", fmt::join(accepted, ", "));
}

/// Reads the plans of the generations, the newest first. What cannot be read is told, and left out.
class PlansOfHistory {
 public:
  PlansOfHistory(Context& context, std::vector<Generation> generations)
      : context_(context), generations_(std::move(generations)) {}

  /// Calls f(generation, plan) until it returns false. Returns false if a plan could not be read.
  bool for_each(const std::function<bool(const Generation&, chains::Plan)>& f) {
    bool good = true;
    for (const Generation& generation : generations_) {
      auto plan = context_.timings.measure("read", [&] { return chains::read_plan(generation.plan); });
      if (!plan) {
        context_.output.error(plan.error());
        good = false;
      } else if (!f(generation, std::move(*plan))) {
        break;
      }
    }
    return good;
  }

 private:
  Context& context_;
  std::vector<Generation> generations_;
};

std::string head_of(const Generation& generation) {
  return fmt::format("{:>4}  {}  {}", generation.number,
                     generation.note.time.empty() ? "time not known" : generation.note.time,
                     generation.note.is_repair ? "repair, " : "") +
         (generation.note.reason.empty() ? "reason not known" : generation.note.reason);
}

Json head_json(const Generation& generation) {
  return {{"generation", generation.number},
          {"plan", generation.plan},
          {"time", generation.note.time},
          {"reason", generation.note.reason},
          {"repair", generation.note.is_repair}};
}

/// Says what one generation changed; `before`: the one before, if it is kept.
void tell_generation(Output& output, const Generation& generation, const chains::Plan& plan,
                     const chains::Plan* before, Json& list) {
  const std::vector<std::string> accepted = accepted_in(generation, plan);
  Json json = head_json(generation);
  json["steps"] = steps_json(plan);
  auto findings = Json::array();
  for (const std::string& finding : accepted) findings.push_back(finding);
  json["accepted"] = std::move(findings);
  std::string changed = "the one before is not kept";
  if (before != nullptr) {
    const fabric::TableChanges changes =
        fabric::table_changes(*before->fabric, before->tables->lfts, *plan.fabric, plan.tables->lfts);
    changed = changes.entries == 0
                  ? "no entry changed"
                  : fmt::format("{} at {} changed",
                                changes.entries == 1 ? "1 entry" : fmt::format("{} entries", changes.entries),
                                counted(changes.switches, "switch"));
    json["entries"] = changes.entries;
    json["switches"] = changes.switches;
  }
  output.line(head_of(generation));
  output.line(fmt::format("      {}; {}; {}", steps_of(plan), verdict_of(accepted), changed));
  list.push_back(std::move(json));
}

Exit history(const HistoryFlags& flags) {
  Context context(flags.format);
  auto generations = kept_generations(flags);
  if (!generations) return context.output.finish(context.stop(generations.error()));
  auto list = Json::array();
  std::optional<std::pair<Generation, chains::Plan>> newer;
  const auto tell = [&](const chains::Plan* before) {
    if (newer) tell_generation(context.output, newer->first, newer->second, before, list);
  };
  const bool good = PlansOfHistory(context, std::move(*generations))
                        .for_each([&](const Generation& generation, chains::Plan plan) {
                          tell(newer && generation.number + 1 == newer->first.number ? &plan : nullptr);
                          newer.emplace(generation, std::move(plan));
                          return true;
                        });
  tell(nullptr);
  context.output.json("generations", std::move(list));
  return context.output.finish(good ? Exit::good : Exit::usage);
}

/// An entry of one generation. Switches and ports are named by GUIDs, as numbers differ between generations.
struct BlamedEntry {
  std::uint8_t port = kNoPath;
  std::string to;     ///< what hangs there
  std::string owner;  ///< of the LID
  std::string step;   ///< that wrote it; empty where there is no path
  bool has_switch = true;

  bool same_as(const BlamedEntry& other) const {
    return port == other.port && to == other.to && owner == other.owner && has_switch == other.has_switch;
  }
};

std::string named_port(const fabric::Fabric& fabric, PortId id) {
  const fabric::Port& port = fabric.port(id);
  return fmt::format("{} port {}", describe(fabric.node(port.node)), port.number);
}

BlamedEntry entry_of(const chains::Plan& plan, Guid guid, Lid lid) {
  const fabric::Fabric& fabric = *plan.fabric;
  BlamedEntry entry;
  if (const auto owner = fabric.lid_owner(lid)) entry.owner = named_port(fabric, *owner);
  const auto sw = fabric.find_switch(guid);
  entry.has_switch = sw.has_value();
  if (!sw || lid > plan.tables->lfts.max_lid()) return entry;
  entry.port = plan.tables->lfts.at(*sw, lid);
  if (entry.port == kNoPath) return entry;
  if (!plan.tables->steps.empty()) {
    const fabric::RoutedStep& step = plan.tables->steps[plan.tables->step_of(*sw, lid)];
    entry.step = fmt::format("step {} {}", step.id, step.engine);
  }
  if (entry.port == 0 || entry.port > fabric.node(*sw).num_ports) return entry;
  const PortId peer = fabric.port(fabric.port_id(*sw, PortNum(entry.port))).peer;
  if (!peer.is_none()) entry.to = named_port(fabric, peer);
  return entry;
}

std::string text_of(const BlamedEntry& entry) {
  if (!entry.has_switch) return "the switch is not in the fabric";
  if (entry.port == kNoPath) return "no path";
  if (entry.port == 0) return "port 0, the switch itself" + (entry.step.empty() ? "" : "; " + entry.step);
  return fmt::format("port {}{}{}", entry.port, entry.to.empty() ? "" : " to " + entry.to,
                     entry.step.empty() ? "" : "; " + entry.step);
}

/// Tells the generations from which on the entry was another one.
class BlameReport {
 public:
  BlameReport(Output& output, Guid sw, Lid lid) : output_(output), sw_(sw), lid_(lid) {}

  /// From the newest to the oldest.
  void take(const Generation& generation, const chains::Plan& plan) {
    BlamedEntry entry = entry_of(plan, sw_, lid_);
    if (since_ && (!entry.same_as(entry_) || generation.number + 1 != since_->number)) tell(false);
    entry_ = std::move(entry);
    since_ = generation;
  }
  void finish() {
    if (since_) tell(true);
    output_.json("blame", {{"switch", fmt::format("{}", sw_)}, {"lid", lid_.value}, {"entries", list_}});
  }

 private:
  /// `is_oldest`: an older generation may have set it.
  void tell(bool is_oldest) {
    output_.line(head_of(*since_));
    const std::string owner = entry_.owner.empty() ? "nobody has the LID" : "the LID is of " + entry_.owner;
    output_.line(fmt::format("      {}; {}{}", text_of(entry_), owner,
                             is_oldest ? "; the oldest that is kept, so it may be older" : ""));
    Json json = head_json(*since_);
    json["port"] = entry_.port == kNoPath ? Json() : Json(entry_.port);
    json["to"] = entry_.to;
    json["owner"] = entry_.owner;
    json["step"] = entry_.step;
    json["may_be_older"] = is_oldest;
    list_.push_back(std::move(json));
  }

  Output& output_;
  Guid sw_;
  Lid lid_;
  BlamedEntry entry_;
  std::optional<Generation> since_;
  Json list_ = Json::array();
};

struct Blamed {
  Guid sw;
  Lid lid;
};
Result<Blamed> find_blamed(const fabric::Fabric& fabric, const HistoryFlags& flags) {
  const auto sw = find_switch_point(fabric, flags.sw);
  if (!sw) return tl::unexpected(sw.error());
  const auto lid = find_lid_point(fabric, flags.lid);
  if (!lid) return tl::unexpected(lid.error());
  return Blamed{fabric.node(*sw).guid, *lid};
}

Exit blame(const HistoryFlags& flags) {
  Context context(flags.format);
  auto generations = kept_generations(flags);
  if (!generations) return context.output.finish(context.stop(generations.error()));
  std::optional<BlameReport> report;
  std::optional<Error> unknown;
  const bool good =
      PlansOfHistory(context, std::move(*generations))
          .for_each([&](const Generation& generation, const chains::Plan& plan) {
            if (!report) {
              const auto blamed = find_blamed(*plan.fabric, flags);
              if (!blamed) {
                unknown = blamed.error();
                return false;
              }
              context.output.line(
                  fmt::format("entry    of {} for LID {}",
                              describe(plan.fabric->node(*plan.fabric->find_node(blamed->sw))), blamed->lid));
              report.emplace(context.output, blamed->sw, blamed->lid);
            }
            report->take(generation, plan);
            return true;
          });
  if (unknown) return context.output.finish(context.stop(*unknown));
  if (report) report->finish();
  return context.output.finish(good ? Exit::good : Exit::usage);
}

void add_kept(const Command& command, const std::shared_ptr<HistoryFlags>& flags) {
  command
      .add("--guid2lid", flags->lid_file,
           "The file of that `rch run`; the generations are in rch-generations beside it (default: guid2lid "
           "in "
           "$OSM_CACHE_DIR or /var/cache/opensm)")
      .type("FILE");
  command.add_format(flags->format);
  command.exits({Exit::good, Exit::usage});
}

}  // namespace

void add_history(const Command& rch) {
  const Command command =
      rch.command("history", "List the plans that `rch run` has installed, the newest first");
  auto flags = std::make_shared<HistoryFlags>();
  add_kept(command, flags);
  command.does([flags] { return history(*flags); });
}

void add_blame(const Command& rch) {
  const Command command =
      rch.command("blame", "Tell which installed plan set a forwarding entry, and the ones before");
  auto flags = std::make_shared<HistoryFlags>();
  command.add("SWITCH", flags->sw, "The switch, as a point of the newest plan").required();
  command.add("LID", flags->lid, "The destination, as a point").required();
  add_kept(command, flags);
  command.does([flags] { return blame(*flags); });
}

}  // namespace rch::cli
