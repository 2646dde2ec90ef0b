#include "sim/simulation.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "chains/plan_file.h"
#include "fabric/generator.h"
#include "fabric/lid_records.h"
#include "policy/build/front_end.h"
#include "support/small_fabrics.h"

namespace rch::sim::test {
namespace {

using hw::SmState;
using std::chrono::milliseconds;

constexpr std::size_t kDisturbances = 30;
/// Between two disturbances, at most.
constexpr std::uint64_t kQuiet = 8000;
/// After the last fault the fabric must be as it should within this time.
constexpr std::chrono::minutes kBound{5};

/// Pairs of hosts in the piece of `origin` that do not reach each other.
std::vector<std::string> lost_pairs(const Traffic& traffic, PortId origin) {
  auto pairs = traffic.unreachable(origin);
  return pairs.empty() ? traffic.without_broadcast(origin) : pairs;
}

/// What an SA tells hosts by a plan.
ServiceLevels levels_of(const fabric::Fabric& fabric, const fabric::RoutingTables& tables) {
  ServiceLevels levels;
  for (const auto& from : fabric.end_ports())
    for (const auto& to : fabric.end_ports()) {
      const fabric::Port &source = fabric.port(from.port), &destination = fabric.port(to.port);
      if (fabric.is_switch(source.node) || source.peer.is_none() || destination.lid == kUnassignedLid)
        continue;
      const NodeId sw = fabric.port(source.peer).node;
      if (!fabric.is_switch(sw)) continue;
      levels[{source.guid, destination.lid.value}] =
          fabric::path_sl(fabric, tables, SwitchId(sw.value), destination.lid);
    }
  return levels;
}

constexpr const char* kConfigurations[] = {
    "routing_engine updn\n",        "routing_engine dnup\n",
    "routing_engine ftree,updn\n",  "routing_engine updn\nqos TRUE\n",
    "routing_engine minhop,updn\n", "routing_engine updn\nuse_ucast_cache TRUE\n",
    "routing_engine dfsssp,updn\n", "routing_engine dfsssp\nlmc 1\n",
};

std::shared_ptr<const policy::Policy> read_policy(const std::string& text) {
  const auto file = std::filesystem::temp_directory_path() / fmt::format("rch_sim.{}.opensm.conf", getpid());
  std::ofstream(file) << text << "sweep_interval 5\nsminfo_polling_timeout 2000\npacket_life_time 14\n";
  SourceSet sources;
  Diagnostics diagnostics;
  auto configuration = policy::load(file, sources, diagnostics);
  std::filesystem::remove(file);
  return std::make_shared<const policy::Policy>(std::move(*configuration.value().policy));
}

}  // namespace

/// A manager at a host, and what it tells.
struct Simulation::Process {
  Process(Simulation& of, PortId at, std::uint8_t priority, Disk& on)
      : simulation(of),
        origin(at),
        port(*of.simulated_, at),
        driver(port, {.retries = 2}),
        manager(driver,
                [this](const fabric::Fabric& live, const sm::Known& known) { return plan(live, known); },
                settings(of, priority, on),
                {.manager = [this](const sm::ManagerEvent& event) { note(event); },
                 .chains = [this](const chains::Event& event) { note(event); }}),
        task(manager.run()) {
    if (auto kept = chains::decode_plan(on.plan)) {
      installed = levels_of(*kept->fabric, *kept->tables);
      manager.start_from(std::move(*kept));
    }
    SourceSet sources;
    Diagnostics diagnostics;
    const SourceId source = sources.add("guid2lid", on.lids);
    manager.start_from(fabric::read_guid2lid(sources, source, diagnostics));
    task.start();
  }
  static sm::ManagerSettings settings(Simulation& of, std::uint8_t priority, Disk& disk) {
    return {.install = {.manager = {.sm_priority = priority, .poll_every = milliseconds{2000}},
                        .accept_reset = true,
                        .accept_path_sls = true,
                        .accept_switch_lids = true},
            .sweep_every = milliseconds{5000},
            .keep =
                [&](const chains::Plan& plan) {
                  return disk.write(disk.plan, chains::encode_plan(plan), of.draw_);
                },
            .keep_lids =
                [&](const fabric::LidRecords& lids) {
                  return disk.write(disk.lids, fabric::write_guid2lid(lids), of.draw_);
                }};
  }
  Result<chains::Plan> plan(const fabric::Fabric& live, const sm::Known& known) {
    ++simulation.outcome_.plans;
    Diagnostics diagnostics;
    const chains::PlanRequest request{.installed = known.installed,
                                      .joined = &known.joined,
                                      .settings = {},
                                      .lids = &known.lids,
                                      .lids_of_fabric_first = known.after_standby};
    return chains::plan(simulation.policy_, live, request, diagnostics,
                        [this](const chains::Event& event) { note(event); });
  }
  void note(const chains::Event& event) {
    if (const auto* step = std::get_if<chains::StepOutcome>(&event); step && step->report.failure)
      simulation.say(fmt::format("{} fails: {}", step->report.engine, step->report.failure->message));
    if (const auto* proven = std::get_if<chains::Proven>(&event))
      planned = levels_of(proven->fabric, proven->tables);
    const auto* update = std::get_if<chains::UpdatePlanned>(&event);
    if (update == nullptr) return;
    // From now on hosts have the levels of the new plan, or still those of the one before.
    simulation.levels_ = {planned};
    if (installed) simulation.levels_.push_back(*installed);
    simulation.say(fmt::format("host {}: update in {} rounds, {}, {} LIDs outwards, {} drained{}",
                               origin.value, update->plan.rounds.size(),
                               update->plan.judged ? "judged" : "not judged", update->plan.outwards.size(),
                               update->plan.drained.size(), update->plan.only_static ? ", only static" : ""));
  }
  void note(const sm::ManagerEvent& event) {
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
    if (const auto* degraded = std::get_if<sm::Degraded>(&event)) {
      refused = degraded->error.cause.empty();
      say("degraded: " + degraded->error.message);
    }
    const auto* up = std::get_if<sm::SubnetUp>(&event);
    if (up == nullptr) return;
    installed = planned;
    simulation.levels_ = {planned};
    say(fmt::format("subnet up: {} writes", up->installed.report.writes()));
  }

  Simulation& simulation;
  PortId origin;
  SimulatedPort port;
  hw::Driver driver;
  sm::Manager manager;
  hw::Task<Result<void>> task;
  ServiceLevels planned;                   ///< of the last plan
  std::optional<ServiceLevels> installed;  ///< of the plan that is installed
  bool refused = false;                    ///< the last failure was of the plan, not of the fabric
};

/// A full disk keeps the file before. After a torn write the file is the front of what was written.
Result<void> Simulation::Disk::write(std::string& file, std::string content, fabric::Random& draw) const {
  if (fault == Fault::full) return fail(ErrorKind::usage, "no space left");
  if (fault == Fault::torn) content.resize(draw.below(content.size() + 1));
  file = std::move(content);
  return {};
}

Simulation::Simulation(std::uint64_t seed, bool verbose) : draw_(seed), verbose_(verbose) {
  draw_fabric();
  draw_policy();
  const auto& ends = fabric_->end_ports();
  for (const auto& end : ends)
    if (!fabric_->is_switch(fabric_->port(end.port).node)) origins_.push_back(end.port);
  draw_.shuffle(origins_);
  origins_.resize(std::min<std::size_t>(origins_.size(), 2));
  simulated_ = std::make_unique<SimulatedFabric>(*fabric_, origins_[0]);
  for (std::uint32_t p = 0; p < fabric_->ports().size(); ++p) {
    const PortId peer = fabric_->port(PortId(p)).peer;
    const bool of_manager = std::ranges::find(origins_, PortId(p)) != origins_.end() ||
                            std::ranges::find(origins_, peer) != origins_.end();
    if (!peer.is_none() && peer.value > p && !of_manager) cables_.push_back(PortId(p));
  }
  const auto lost = [this](const Visit&) { return draw_.below(1000) < loss_; };
  simulated_->lose_request = lost;
  simulated_->lose_answer = lost;
  simulated_->delays = [this](const Visit&) { return draw_delays(); };
  simulated_->after_set = [this](const Visit& visit) { check(visit); };
  processes_.resize(origins_.size());
  disks_.resize(origins_.size());
}

Simulation::~Simulation() = default;

void Simulation::draw_fabric() {
  const auto small = [&](std::uint64_t least, std::uint64_t most) {
    return static_cast<std::uint32_t>(least + draw_.below(most - least + 1));
  };
  switch (draw_.below(3)) {
    case 0:
      fabric_ = std::make_unique<fabric::Fabric>(
          rch::test::build(rch::test::clos(small(2, 5), small(2, 3), small(1, 3), small(1, 2))));
      return;
    case 1: {
      fabric::GeneratorOptions options{
          .shape = fabric::FatTree{.k = 4}, .hosts = 1, .shuffle = draw_.below(1000)};
      fabric_ = std::make_unique<fabric::Fabric>(std::move(fabric::generate(options)->fabric));
      return;
    }
    default:
      do {
        fabric_ = std::make_unique<fabric::Fabric>(
            rch::test::build(rch::test::random_shape(draw_.below(100000), 8)));
      } while (fabric_->end_ports().size() < 3);
  }
}

void Simulation::draw_policy() {
  const std::string text = kConfigurations[draw_.below(std::size(kConfigurations))];
  say(fmt::format("{} switches, {} end ports, {}", fabric_->switch_count(), fabric_->end_ports().size(),
                  text));
  policy_ = read_policy(text);
}

Outcome Simulation::run() {
  start(0);
  advance(simulated_->now() + milliseconds{draw_.below(3000)});
  for (std::size_t d = 0; d < kDisturbances && outcome_.fault.empty(); ++d) {
    disturb();
    advance(simulated_->now() + milliseconds{draw_.below(kQuiet)});
  }
  loss_ = 0;
  slow_ = false;
  if (std::ranges::none_of(processes_, [](const auto& p) { return p != nullptr; })) start(0);
  say("faults end");
  const auto end = simulated_->now() + kBound;
  while (outcome_.fault.empty() && !is_settled() && simulated_->now() < end)
    advance(simulated_->now() + milliseconds{500});
  if (outcome_.fault.empty()) check_end();
  return outcome_;
}

void Simulation::disturb() {
  ++outcome_.faults_injected;
  switch (draw_.below(12)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
      return pull_or_plug();
    case 5: {
      const auto sw = static_cast<std::uint32_t>(draw_.below(fabric_->switch_count()));
      say(fmt::format("switch {} starts again", sw));
      return simulated_->reboot(SwitchId(sw));
    }
    case 6:
      loss_ = loss_ == 0 ? draw_.below(150) : 0;
      return say(fmt::format("loss {} of 1000", loss_));
    case 7:
      return kill_or_start(0);
    case 8:
      return kill_or_start(processes_.size() - 1);
    case 9:
      slow_ = !slow_;
      return say(slow_ ? "answers are late" : "answers are in time");
    case 10:
      return disturb_disk();
    default:
      for (const auto& process : processes_)
        if (process) process->manager.sweep();
  }
}

void Simulation::disturb_disk() {
  const std::size_t p = draw_.below(disks_.size());
  disks_[p].fault = Disk::Fault(draw_.below(3));
  say(fmt::format("the disk of host {} {}", origins_[p].value,
                  disks_[p].fault == Disk::Fault::none   ? "works"
                  : disks_[p].fault == Disk::Fault::full ? "is full"
                                                         : "tears what is written"));
}

/// Some answers come after the request was sent again, or given up; some come twice.
std::vector<milliseconds> Simulation::draw_delays() {
  if (!slow_) return {};
  const auto draw = [this] {
    const std::uint64_t kind = draw_.below(100);
    return milliseconds{draw_.below(kind < 80 ? 5 : kind < 97 ? 400 : 5000)};
  };
  std::vector<milliseconds> delays{draw()};
  if (draw_.below(20) == 0) delays.push_back(draw());
  return delays;
}

void Simulation::pull_or_plug() {
  const bool traps = draw_.below(4) != 0;
  if (!down_.empty() && draw_.below(2) == 0) {
    std::swap(down_[draw_.below(down_.size())], down_.back());
    say(fmt::format("cable at port {} is plugged in{}", down_.back().value, traps ? "" : ", without traps"));
    simulated_->plug(down_.back(), traps);
    down_.pop_back();
    return;
  }
  if (cables_.empty()) return;
  const PortId cable = cables_[draw_.below(cables_.size())];
  if (std::ranges::find(down_, cable) != down_.end()) return;
  say(fmt::format("cable at port {} is pulled{}", cable.value, traps ? "" : ", without traps"));
  down_.push_back(cable);
  simulated_->pull(cable, traps);
}

void Simulation::kill_or_start(std::size_t p) {
  if (!processes_[p]) return start(p);
  say(fmt::format("the manager at host {} is killed", origins_[p].value));
  processes_[p].reset();
}

void Simulation::start(std::size_t p) {
  const auto priority = static_cast<std::uint8_t>(draw_.below(3));
  say(fmt::format("a manager starts at host {}, priority {}", origins_[p].value, priority));
  processes_[p] = std::make_unique<Process>(*this, origins_[p], priority, disks_[p]);
}

/// Runs what is due until that time. Who has something to receive goes on in an order that is drawn.
void Simulation::advance(hw::TimePoint until) {
  std::vector<Process*> running;
  while (outcome_.fault.empty()) {
    running.clear();
    for (const auto& process : processes_)
      if (process) running.push_back(process.get());
    draw_.shuffle(running);
    for (Process* process : running) process->driver.carry_out();
    simulated_->gets.clear();
    simulated_->sets.clear();
    const auto next =
        std::ranges::find_if(running, [](const Process* p) { return !p->port.nothing_arrived(); });
    if (next != running.end()) {
      (*next)->driver.receive();
      continue;
    }
    const auto due = [](const Process* p) { return std::min(p->driver.deadline(), p->port.next_arrival()); };
    const auto first = std::ranges::min_element(running, {}, due);
    if (first == running.end() || due(*first) > until) return simulated_->pass_until(until);
    (*first)->driver.receive();
  }
}

/// After each write.
void Simulation::check(const Visit& visit) {
  ++outcome_.writes;
  using hw::Attribute;
  const bool moves_links =
      visit.attribute == Attribute::port_info || visit.attribute == Attribute::switch_info;
  const bool moves_unicast = moves_links || visit.attribute == Attribute::linear_table;
  const bool moves_multicast = moves_links || visit.attribute == Attribute::multicast_table;
  if ((!moves_unicast && !moves_multicast) || !outcome_.fault.empty()) return;
  const Traffic traffic(*fabric_, *simulated_, levels_);
  if (moves_unicast) outcome_.fault = traffic.fault();
  if (moves_multicast && outcome_.fault.empty()) outcome_.fault = traffic.multicast_fault();
  if (!outcome_.fault.empty())
    outcome_.fault += fmt::format(" (after Set of attribute 0x{:02x}, {}, at node {})",
                                  static_cast<unsigned>(visit.attribute), visit.modifier, visit.node.value);
}

/// Every piece of the fabric with a manager has one master. It installed a proven plan, and all pairs of
/// hosts reach each other; or it says that the configuration has no sound tables for this piece.
bool Simulation::is_settled() const {
  const Traffic traffic(*fabric_, *simulated_);
  for (const auto& process : processes_) {
    if (!process) continue;
    const std::vector<bool> piece = traffic.piece_of(process->origin);
    std::size_t masters = 0;
    for (const auto& other : processes_) {
      if (!other || !piece[fabric_->port(other->origin).node.index()]) continue;
      const sm::Status& status = other->manager.status();
      if (status.state != SmState::master) continue;
      ++masters;
      if (!status.proven && !other->refused) return false;
      if (status.proven && !lost_pairs(traffic, other->origin).empty()) return false;
    }
    if (masters != 1) return false;
  }
  return true;
}

void Simulation::check_end() {
  if (is_settled()) return;
  outcome_.fault = "five minutes after the last fault:";
  for (const auto& process : processes_) {
    if (!process) continue;
    const sm::Status& status = process->manager.status();
    const auto lost = lost_pairs(Traffic(*fabric_, *simulated_), process->origin);
    outcome_.fault +=
        fmt::format(" [host {}, state {}, {}, {}, {} pairs do not reach each other{}{}]",
                    process->origin.value, static_cast<int>(status.state),
                    status.proven ? "proven" : "not proven", status.degraded.value_or("not degraded"),
                    lost.size(), lost.empty() ? "" : ": ", lost.empty() ? "" : lost.front());
  }
}

void Simulation::say(const std::string& what) const {
  if (!verbose_) return;
  const auto now = simulated_ ? simulated_->now() : hw::TimePoint{};
  fmt::print("{:>9.3f} s  {}\n", std::chrono::duration<double>(now.time_since_epoch()).count(), what);
}

}  // namespace rch::sim::test
