#include "cli/ticket_maker.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "chains/plan_file.h"
#include "chains/update.h"
#include "cli/accepts.h"
#include "whatif/level_change.h"

namespace rch::cli {
namespace {

using chains::Plan;

CutOff::Host host_of(const fabric::Fabric& fabric, Lid lid, PortId id) {
  const fabric::Port& port = fabric.port(id);
  return {fabric.node(port.node).name(), port.guid, lid};
}

std::vector<CutOff::Host> owners(const fabric::Fabric& fabric, const std::vector<Lid>& lids) {
  std::vector<CutOff::Host> hosts;
  for (const Lid lid : lids)
    if (const auto owner = fabric.lid_owner(lid)) hosts.push_back(host_of(fabric, lid, *owner));
  return hosts;
}

/// End ports that have a LID now and get another one. Both fabrics have the same ports.
std::vector<CutOff::Host> with_other_lids(const fabric::Fabric& live, const fabric::Fabric& target) {
  std::vector<CutOff::Host> hosts;
  for (std::uint32_t p = 0; p < live.ports().size(); ++p) {
    const Lid now = live.port(PortId(p)).lid, then = target.port(PortId(p)).lid;
    if (now != kUnassignedLid && now != then) hosts.push_back(host_of(target, then, PortId(p)));
  }
  return hosts;
}

/// The waits from the first forwarding block on.
std::chrono::milliseconds waits_of_rounds(const std::vector<sm::StepDigest>& steps) {
  std::chrono::milliseconds waits{};
  bool begun = false;
  for (const sm::StepDigest& step : steps) {
    begun = begun || step.name == "write forwarding tables";
    if (begun) waits += step.waits;
  }
  return waits;
}

UpdateOutline outline(const verify::UpdatePlan& update) {
  return {update.rounds.size(), update.drained.size(), update.only_static.has_value()};
}

std::string steps_of(const Plan& plan) {
  std::vector<std::string> steps;
  for (const chains::StepReport& step : plan.steps)
    if (step.status == chains::StepStatus::routed)
      steps.push_back(step.id.value == 0 ? step.engine : fmt::format("{} {}", step.id, step.engine));
  return fmt::format("{}", fmt::join(steps, ", "));
}

/// Why a plan may not be installed; empty: it may.
std::string objection(const verify::Verdict& verdict, const std::vector<std::string>& accept) {
  const sm::InstallOptions options = accepted(accept);
  for (const verify::Finding& finding : verdict.findings)
    if (!finding.accepted) return fmt::format("{}: {}", verify::name(finding.kind), finding.message);
  if (verdict.without_path_sls && !verdict.without_path_sls->sound() && !options.accept_path_sls)
    return fmt::format("it holds only with path SLs (`--accept {}`)", sm::kPathSls);
  if (!verdict.switch_lids.sound() && !options.accept_switch_lids)
    return fmt::format("packets to LIDs of switches close credit loops (`--accept {}`)", chains::kSwitchLids);
  return "";
}

/// Found tables as a plan file can hold them: without entries for LIDs beyond those of the fabric. `maps`:
/// that were found, where the update writes others; else empty.
Result<Plan> fitted(const Plan& found, fabric::Sl2VlTables maps, const std::vector<std::string>& accept) {
  const Lid top = found.fabric->max_lid();
  fabric::RoutingTables tables;
  tables.lfts = fabric::ForwardingTables(found.fabric->switch_count(), top);
  for (std::uint32_t s = 0; s < found.fabric->switch_count(); ++s) {
    const auto was = std::as_const(found.tables->lfts).row(SwitchId(s));
    std::copy_n(was.begin(), std::min(was.size(), top.index() + 1), tables.lfts.row(SwitchId(s)).begin());
  }
  tables.sl2vl = std::move(maps);
  tables.groups = found.tables->groups;
  tables.steps = found.tables->steps;
  for (fabric::RoutedStep& step : tables.steps) step.lids = IdSet<Lid>(top.index() + 1, true);
  Plan plan = found;
  plan.tables = std::make_shared<const fabric::RoutingTables>(std::move(tables));
  return chains::prove_again(std::move(plan), *found.fabric, accept);
}

bool writes_maps(const hw::Preparation& prepared) {
  return !prepared.delta.sl2vl.empty() || !prepared.delta.end_port_sl2vl.empty();
}

std::vector<std::string> what_stays(const hw::Preparation& prepared, const Plan& back, WayBack::From from) {
  const fabric::RoutingTables& tables = *back.tables;
  const bool is_found = from == WayBack::From::found;
  std::vector<std::string> stays;
  const auto note = [&](bool is_written, bool comes_back, const char* what) {
    if (is_written && !comes_back) stays.emplace_back(what);
  };
  note(writes_maps(prepared), !tables.sl2vl.empty(), "SL2VL maps");
  note(!prepared.arbitration.empty(), !tables.arbitration.empty(), "VL arbitration");
  note(!prepared.rate_limits.empty(), !tables.rate_limits.empty(), "rate limits");
  note(!prepared.pkeys.removals.empty() || !prepared.pkeys.additions.empty(), !tables.pkeys.empty(),
       "P_Keys");
  note(!prepared.fdr10.empty(), !is_found, "FDR10");
  note(!prepared.ports.end_ports.empty() || !prepared.ports.switch_ports.empty() ||
           !prepared.ports.resets.empty(),
       !is_found, "parameters of ports other than LIDs");
  return stays;
}

JudgedWayBack none(std::string why) {
  JudgedWayBack judged;
  judged.way.why_none = std::move(why);
  return judged;
}

/// What the switches hold, as a plan.
Result<Plan> found_plan(const sm::PendingUpdate& pending, BeforeUpdate& before,
                        const std::vector<std::string>& accept) {
  if (!before.found)
    return fail(ErrorKind::forbidden, "no switch forwards yet: there is nothing to go back to");
  if (!*before.found) return tl::unexpected(before.found->error());
  if (const std::string& why = (*before.found)->objection; !why.empty())
    return fail(ErrorKind::forbidden, "the installed tables are not proven: " + why);
  return fitted((*before.found)->plan,
                writes_maps(pending.prepared) ? std::move(before.maps) : fabric::Sl2VlTables(), accept);
}

}  // namespace

Ticket ticket_of(const sm::PendingUpdate& pending, const Plan* levels_from) {
  const fabric::Fabric& live = pending.live.fabric;
  const Plan& target = pending.target;
  const hw::Preparation& prepared = pending.prepared;
  Ticket ticket;
  ticket.fabric = live.fingerprint();
  ticket.switches = live.switch_count();
  ticket.hosts = live.end_ports().size();
  ticket.steps = steps_of(target);
  ticket.configuration = target.configuration;
  ticket.knows_levels = levels_from != nullptr;
  ticket.update = outline(pending.update);
  ticket.writes = sm::step_digests(pending);
  ticket.installed = sm::state_digests(pending);
  CutOff& cut = ticket.cut_off;
  cut.hosts = owners(*target.fabric, pending.interruption.which);
  cut.pairs = pending.interruption.pairs;
  if (!cut.hosts.empty()) cut.waits = waits_of_rounds(ticket.writes);
  cut.pairs_for_good = sm::pairs_lost_by(
      {*target.fabric, prepared.installed.lfts, target.tables->lfts, pending.update, false});
  cut.other_lids = with_other_lids(live, *target.fabric);
  if (levels_from != nullptr) cut.sl_hosts = whatif::level_change(*levels_from, target).hosts;
  cut.links_reset = prepared.ports.resets.size() + prepared.closes.size();
  cut.groups_drained = prepared.multicast.removals.size();
  return ticket;
}

JudgedWayBack way_back(const sm::PendingUpdate& pending, BeforeUpdate before,
                       const std::vector<std::string>& accept) {
  const fabric::Fabric& live = pending.live.fabric;
  JudgedWayBack judged;
  WayBack& way = judged.way;
  const bool holds_previous =
      before.previous != nullptr && sm::forwards_as(*before.previous, live, pending.prepared.read->lfts);
  auto plan = holds_previous ? chains::prove_again(*before.previous, live, accept)
                             : found_plan(pending, before, accept);
  if (!plan) return none(plan.error().message);
  if (const std::string why = objection(plan->verdict, accept); !why.empty())
    return none("the plan of the installed tables must not be installed again: " + why);
  way.from = holds_previous ? WayBack::From::previous : WayBack::From::found;
  way.stays = what_stays(pending.prepared, *plan, way.from);
  const auto observe = [&](const chains::Event& event) {
    const auto* planned = std::get_if<chains::UpdatePlanned>(&event);
    if (planned == nullptr) return;
    way.update = outline(planned->plan);
    way.pairs = sm::interruption_of({*plan->fabric, planned->change.installed.lfts,
                                     planned->change.target.lfts, planned->plan, false})
                    .pairs;
  };
  const Plan* const levels[] = {&pending.target, &*plan};
  // Refused because traffic has to stop: the ticket says so.
  std::ignore = chains::judge_update(pending.target, *plan, levels, true, observe);
  way.plan = chains::digest(chains::encode_plan(*plan));
  judged.plan = std::move(*plan);
  return judged;
}

}  // namespace rch::cli
