#include "sim/process.h"

#include <algorithm>

#include <fmt/format.h>

#include "chains/plan_file.h"
#include "fabric/lid_records.h"

namespace rch::sim::test {

using std::chrono::milliseconds;

namespace {

/// What an SA tells hosts by a plan. It may be proven without packets to LIDs of switches.
ServiceLevels levels_of(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                        const verify::Verdict& verdict) {
  ServiceLevels levels;
  for (const auto& from : fabric.end_ports())
    for (const auto& to : fabric.end_ports()) {
      const fabric::Port &source = fabric.port(from.port), &destination = fabric.port(to.port);
      if (fabric.is_switch(source.node) || source.peer.is_none() || destination.lid == kUnassignedLid)
        continue;
      const NodeId sw = fabric.port(source.peer).node;
      if (!fabric.is_switch(sw)) continue;
      levels[{source.guid, destination.lid.value}] =
          fabric.is_switch(destination.node) && !verdict.switch_lids.sound()
              ? kUnproven
              : fabric::path_sl(fabric, tables, SwitchId(sw.value), destination.lid);
    }
  return levels;
}

}  // namespace

Simulation::Process::Process(Simulation& of, PortId at, std::uint8_t rank, Disk& on)
    : simulation(of),
      origin(at),
      priority(rank),
      disk(on),
      version(of.tenants_ ? of.tenants_->version() : 0),
      first_version(version),
      port(*of.simulated_, at),
      driver(port, {.retries = 2, .keys = keys(of, at, on), .sets_follow = of.faults_.keys}),
      manager(driver, planner(), settings(of, rank, on),
              {.manager = [this](const sm::ManagerEvent& event) { note(event); },
               .chains = [this](const chains::Event& event) { note(event); }}),
      task(manager.run()) {
  if (auto kept = chains::decode_plan(on.plan)) {
    installed = levels_of(*kept->fabric, *kept->tables, kept->verdict);
    manager.start_from(std::move(*kept));
  }
  driver.keep_with([&](const hw::Keeping& keeping) { return on.keep(keeping, of.draw_); });
  if (!on.journal.empty()) manager.start_from(sa::read_journal(on.journal));
  SourceSet sources;
  Diagnostics diagnostics;
  const SourceId source = sources.add("guid2lid", on.lids);
  manager.start_from(fabric::read_guid2lid(sources, source, diagnostics));
  task.start();
}

void Simulation::Process::reload() {
  version = simulation.tenants_->version();
  manager.replan(planner(), settings(simulation, priority, disk), version);
}

sm::Replanner Simulation::Process::planner() {
  return [this, policy = simulation.policy_](const fabric::Fabric& live, const sm::Known& known) {
    return plan(policy, live, known);
  };
}

hw::KeyOptions Simulation::Process::keys(const Simulation& of, PortId at, const Disk& on) {
  const policy::ManagerOptions& asked = of.policy_->options.manager;
  SourceSet sources;
  Diagnostics diagnostics;
  std::vector<Guid> managers;
  for (const PortId origin : of.origins_) managers.push_back(of.fabric_->port(origin).guid);
  return {.own = {asked.m_key, asked.key_mgr_seed, asked.m_key_per_port},
          .cables = fabric::read_neighbors(sources, sources.add("neighbors", on.cables), diagnostics),
          .local = of.fabric_->port(at).guid,
          .managers = std::move(managers)};
}

/// Actions that leave parts out after few events, for a minute.
sm::HealthSettings Simulation::Process::health() {
  using policy::HealthAction;
  policy::HealthOptions options;
  options.hm_ca_flapping_action = options.hm_sw_reboot_action = HealthAction::isolate;
  options.hm_ca_unresponsive_action = options.hm_sw_unresponsive_action = HealthAction::no_discover;
  options.hm_ca_illegal_action = options.hm_sw_seterr_action = HealthAction::isolate;
  options.hm_num_flapping_sweeps = options.hm_num_reboots = options.hm_num_no_resp_sweeps = 2;
  return {options, {.error_threshold = 2, .bounces = 3, .period = 60}};
}

sm::ManagerSettings Simulation::Process::settings(Simulation& of, std::uint8_t priority, Disk& disk) {
  return {.install = {.manager = {.sm_priority = priority, .poll_every = milliseconds{2000}},
                      .accept_reset = true,
                      .accept_path_sls = true,
                      .accept_switch_lids = true},
          .heals = true,
          .sweep_every = milliseconds{5000},
          .performance = of.counting_->settings(),
          .standby = {.configuration = 1 + (of.tenants_ ? of.tenants_->version() : 0),
                      .sa_key = policy::ManagerOptions{}.sa_key},
          .health = of.faults_.errors ? health() : sm::HealthSettings{},
          .keep =
              [&](const chains::Plan& plan) {
                return disk.write(disk.plan, chains::encode_plan(plan), of.draw_);
              },
          .keep_lids =
              [&](const fabric::LidRecords& lids) {
                return disk.write(disk.lids, fabric::write_guid2lid(lids), of.draw_);
              },
          .keep_cables =
              [&](const fabric::CableMap& cables) {
                return disk.write(disk.cables, fabric::write_neighbors(cables), of.draw_);
              }};
}

Result<chains::Plan> Simulation::Process::plan(const std::shared_ptr<const policy::Policy>& policy,
                                               const fabric::Fabric& live, const sm::Known& known) {
  ++simulation.outcome_.plans;
  Diagnostics diagnostics;
  const chains::PlanRequest request{.installed = known.installed,
                                    .joined = &known.joined,
                                    .settings = {},
                                    .lids = &known.lids,
                                    .lids_of_fabric_first = known.after_standby,
                                    .repairs = known.repairs,
                                    .regroups = known.regroups};
  return chains::plan(policy, live, request, diagnostics,
                      [this](const chains::Event& event) { note(event); });
}

void Simulation::Process::note(const chains::Event& event) {
  if (const auto* step = std::get_if<chains::StepOutcome>(&event); step && step->report.failure)
    simulation.say(fmt::format("{} fails: {}", step->report.engine, step->report.failure->message));
  if (const auto* seen = std::get_if<chains::FabricSeen>(&event))
    for (const fabric::Quarantined& part : seen->quarantine)
      simulation.say(fmt::format("host {}: left out: {} {}", origin.value, part.place, part.reason));
  if (const auto* proven = std::get_if<chains::Proven>(&event))
    planned = levels_of(proven->fabric, proven->tables, proven->verdict);
  if (const auto* closed = std::get_if<chains::LinksClosed>(&event))
    simulation.say(
        fmt::format("host {}: {} links to what is left out are closed", origin.value, closed->ports.size()));
  const auto* update = std::get_if<chains::UpdatePlanned>(&event);
  if (update == nullptr) return;
  if (simulation.tenants_) simulation.tenants_->on_update(version);
  // Nobody is told of the SLs of a plan that is refused.
  if (!update->plan.only_static) simulation.begin_update(planned, installed, update->plan);
  simulation.say(fmt::format("host {}: update in {} rounds, {}, {} LIDs outwards, {} drained{}", origin.value,
                             update->plan.rounds.size(), update->plan.judged ? "judged" : "not judged",
                             update->plan.outwards.size(), update->plan.drained.size(),
                             update->plan.only_static ? ", only static" : ""));
}

void Simulation::Process::note(const sm::ManagerEvent& event) {
  const auto say = [&](const std::string& what) {
    simulation.say(fmt::format("host {}: {}", origin.value, what));
  };
  if (const auto* sweep = std::get_if<sm::SweepBegan>(&event)) {
    ++simulation.outcome_.sweeps;
    if (installed) planned = *installed;
    say(fmt::format("sweep: {}", sweep->reason));
  }
  if (const auto* state = std::get_if<sm::StateChanged>(&event))
    say(fmt::format("state {}: {}", static_cast<int>(state->state), state->why));
  if (const auto* health = std::get_if<sm::HealthChanged>(&event))
    say(fmt::format("{} port {} is {}: {}, {}{}", health->part.part.node, health->part.part.port,
                    health->is_over ? "healthy again" : "unhealthy", sm::name_of(health->part.condition),
                    sm::name_of(health->part.action), health->part.spared ? ", spared" : ""));
  if (const auto* follows = std::get_if<sm::FollowsMaster>(&event))
    say(fmt::format("follows the master at LID {}", follows->master));
  if (const auto* took = std::get_if<sm::TookOver>(&event)) {
    const chains::Plan& plan = took->followed.plan;
    installed = levels_of(*plan.fabric, *plan.tables, plan.verdict);
    say(fmt::format("takes over from LID {}{}", took->followed.master,
                    took->followed.whole ? "" : ", in part"));
    asks_hosts = !took->followed.whole;
  }
  if (const auto* degraded = std::get_if<sm::Degraded>(&event)) {
    refused = degraded->error.cause.empty();
    say("degraded: " + degraded->error.message);
  }
  const auto* up = std::get_if<sm::SubnetUp>(&event);
  if (up == nullptr) return;
  installed = planned;
  asks_hosts = false;
  simulation.counting_->forget_gone(manager.performance_manager());
  simulation.hosts_->on_installed(up->installed.plan);
  if (simulation.tenants_) {
    const std::uint64_t read = up->status.configuration;
    simulation.tenants_->on_installed(*up->installed.plan.fabric, read != 0 ? read : first_version);
  }
  simulation.levels_ = {planned};
  simulation.levels_of_target_.clear();
  say(fmt::format("subnet up: {} writes, {} hosts asked", up->installed.report.writes(),
                  up->installed.report.asked_hosts));
}

}  // namespace rch::sim::test
