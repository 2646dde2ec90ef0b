// What must hold in a simulation, while things go wrong and afterwards.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/process.h"
#include "sim/simulation.h"

namespace rch::sim::test {

using hw::SmState;
using std::chrono::milliseconds;

namespace {

constexpr std::chrono::minutes kLongestLook{1};

/// Pairs of hosts in the piece of `origin` that do not reach each other.
std::vector<std::string> lost_pairs(const Traffic& traffic, PortId origin) {
  auto pairs = traffic.unreachable(origin);
  return pairs.empty() ? traffic.without_broadcast(origin) : pairs;
}

/// A plan without findings, or with some that are accepted (process.cpp): those about LIDs of switches.
/// The chain has no plan, and some paths that were lost have no repair.
bool is_repaired_in_part(const sm::Status& status) {
  return status.degraded && std::ranges::find(status.accepted, "unreachable") != status.accepted.end();
}
bool holds_plan(const sm::Status& status) { return status.proven || !status.accepted.empty(); }

}  // namespace

/// No answer was of two plans, and no registration is lost: but for what a manager asks all hosts for, once
/// more.
void Simulation::check_hosts() {
  if (outcome_.fault.empty()) outcome_.fault = hosts_->fault();
  for (const auto& process : processes_)
    if (process && process->answers() && !process->asks_hosts && outcome_.fault.empty())
      outcome_.fault = hosts_->lost(process->origin, *process->manager.installed()->fabric,
                                    process->manager.subnet_administration());
}

/// No total falls, and none is more than was counted.
void Simulation::check_counters() {
  for (const auto& process : processes_)
    if (process && outcome_.fault.empty())
      outcome_.fault = counting_->fault_of(process->manager.performance_manager());
}

/// Each master that has been one for two sweeps of the counters has read each port in two more. They wait
/// while it looks at the fabric, which takes long where a port stays silent.
void Simulation::check_end_of_counters() {
  if (!counting_->settings().enabled) return;
  const milliseconds two_sweeps = 2 * counting_->settings().sweep_time + milliseconds{1000};
  advance(simulated_->now() + two_sweeps);
  const auto plan_of = [](const auto& process) -> std::uint64_t {
    // Without a plan of the chain some agents may be out of reach.
    const bool is_master = process && process->answers() && holds_plan(process->manager.status()) &&
                           !process->manager.status().degraded;
    return is_master ? process->manager.status().generation : 0;
  };
  const auto sweeps_of = [](const auto& process) -> std::uint64_t {
    return process ? process->manager.performance_manager().counters().sweeps : 0;
  };
  std::vector<std::uint64_t> plans, sweeps;
  const auto note_sweeps = [&] {
    sweeps.clear();
    for (const auto& process : processes_) sweeps.push_back(sweeps_of(process));
  };
  const auto stays = [&](std::size_t p) { return plans[p] != 0 && plan_of(processes_[p]) == plans[p]; };
  const auto wait_for_two = [&] {
    advance(simulated_->now() + two_sweeps);
    const auto end = simulated_->now() + kLongestLook;
    for (std::size_t p = 0; p < processes_.size(); ++p)
      while (stays(p) && sweeps_of(processes_[p]) < sweeps[p] + 2 && simulated_->now() < end)
        advance(simulated_->now() + milliseconds{500});
  };
  for (const auto& process : processes_) plans.push_back(plan_of(process));
  note_sweeps();
  wait_for_two();
  counting_->count_all();
  note_sweeps();
  wait_for_two();
  for (std::size_t p = 0; p < processes_.size() && outcome_.fault.empty(); ++p) {
    if (!stays(p)) continue;
    const chains::Plan& plan = *processes_[p]->manager.installed();
    outcome_.fault = counting_->fault_at_end(
        processes_[p]->manager.performance_manager(),
        {.fabric = plan.fabric, .tables = plan.tables, .local = *plan.fabric->origin(), .pkeys = {}});
  }
}

/// Hosts have the levels of the installed plan, as far as it is known. From the first target entry on some
/// may have those of the new plan (docs/pipeline.md).
void Simulation::begin_update(const ServiceLevels& planned, const std::optional<ServiceLevels>& installed,
                              const verify::UpdatePlan& update) {
  levels_ = {installed ? *installed : planned};
  levels_of_target_ = {planned, levels_.front()};
  removals_.clear();
  for (const fabric::WriteRound& round : update.rounds) {
    if (!round.drains) break;
    for (const fabric::BlockWrite& write : round.writes) removals_.emplace(write.at.block, write.entries);
  }
}

bool Simulation::writes_target(const Visit& visit) const {
  if (visit.attribute == hw::Attribute::sl2vl) return true;
  if (visit.attribute != hw::Attribute::linear_table) return false;
  // The tops of a switch that started again go up over blocks without entries.
  const bool has_entries = std::ranges::any_of(visit.data, [](std::uint8_t entry) { return entry != 0xFF; });
  return has_entries && !removals_.contains({visit.modifier, visit.data});
}

/// After each write.
void Simulation::check(const Visit& visit) {
  ++outcome_.writes;
  using hw::Attribute;
  if (writes_target(visit) && !levels_of_target_.empty()) levels_ = std::exchange(levels_of_target_, {});
  const bool moves_links =
      visit.attribute == Attribute::port_info || visit.attribute == Attribute::switch_info;
  const bool moves_unicast =
      moves_links || visit.attribute == Attribute::linear_table || visit.attribute == Attribute::sl2vl;
  const bool moves_multicast = moves_links || visit.attribute == Attribute::multicast_table;
  if (!outcome_.fault.empty()) return;
  const Traffic traffic(*fabric_, *simulated_, levels_);
  if (tenants_ && (moves_links || visit.attribute == Attribute::p_key_table))
    outcome_.fault = tenants_->fault(traffic);
  if (moves_unicast && outcome_.fault.empty()) outcome_.fault = traffic.fault();
  if (moves_multicast && outcome_.fault.empty()) outcome_.fault = traffic.multicast_fault();
  if (!outcome_.fault.empty())
    outcome_.fault += fmt::format(" (after Set of attribute 0x{:02x}, {}, at node {})",
                                  static_cast<unsigned>(visit.attribute), visit.modifier, visit.node.value);
}

/// Names the first port that does not hold its M_Key, or shows it to others; empty: there is none.
std::string Simulation::unguarded(const fabric::Fabric& installed) const {
  const policy::ManagerOptions& asked = policy_->options.manager;
  const hw::KeySource source{asked.m_key, asked.key_mgr_seed, asked.m_key_per_port};
  for (const auto& end : installed.end_ports()) {
    const fabric::Port& port = installed.port(end.port);
    const bool on_switch = installed.is_switch(port.node);
    const Guid agent = on_switch ? installed.node(port.node).guid : port.guid;
    const PortId at =
        on_switch ? fabric_->port_id(*fabric_->find_node(agent), PortNum(0)) : *fabric_->find_port(agent);
    const hw::SmpData& info = simulated_->port_info[at.index()];
    if (get(info, hw::port_info::kMKey) != key_of(source, agent))
      return fmt::format("{} has another M_Key", agent);
    if (get(info, hw::port_info::kMKeyProtect) != asked.m_key_protection_level)
      return fmt::format("{} does not protect itself", agent);
  }
  return {};
}

/// Names the first adapter that does not hold its rate limits although it can; empty: there is none.
std::string Simulation::unlimited(const chains::Plan& installed) const {
  const fabric::Fabric& planned = *installed.fabric;
  for (const auto& end : planned.end_ports()) {
    const fabric::Port& port = planned.port(end.port);
    const fabric::RateLimits* limits = installed.tables->rate_limits.at(end.port);
    const auto at = fabric_->find_port(port.guid);
    if (limits == nullptr || !at || simulated_->without_rate_limits.contains(fabric_->port(*at).node))
      continue;
    const auto found = simulated_->rate_limits.find(*at);
    for (std::size_t sl = 0; sl < limits->size(); ++sl) {
      const hw::Field limit{static_cast<std::uint16_t>(4 * sl + 1), 4, 20};
      if (found == simulated_->rate_limits.end() || get(found->second, limit) != (*limits)[sl])
        return fmt::format("{} has another rate limit of SL {}", port.guid, sl);
    }
  }
  return {};
}

/// Names the first port that does not hold its P_Keys; empty: there is none.
std::string Simulation::unassigned(const fabric::Fabric& installed) const {
  return tenants_ ? tenants_->unassigned(installed) : "";
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
      if (!other->manager.health().left_out().empty()) return false;  // for a minute
      if (!holds_plan(status) && !other->refused) return false;
      if (is_repaired_in_part(status) && other->refused) continue;
      if (holds_plan(status) && !lost_pairs(traffic, other->origin).empty()) return false;
      if (holds_plan(status) && !unguarded(*other->manager.installed()->fabric).empty()) return false;
      if (holds_plan(status) && !unlimited(*other->manager.installed()).empty()) return false;
      if (holds_plan(status) && !unassigned(*other->manager.installed()->fabric).empty()) return false;
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
    outcome_.fault += fmt::format(
        " [host {}, state {}, {}, {}, {} pairs do not reach each other{}{}, {}{}{}{}]", process->origin.value,
        static_cast<int>(status.state), holds_plan(status) ? "installed" : "not installed",
        status.degraded.value_or("not degraded"), lost.size(), lost.empty() ? "" : ": ",
        lost.empty() ? "" : lost.front(),
        holds_plan(status) ? unguarded(*process->manager.installed()->fabric) : "",
        holds_plan(status) ? unlimited(*process->manager.installed()) : "",
        holds_plan(status) ? unassigned(*process->manager.installed()->fabric) : "",
        holds_plan(status) ? chains::why_groups_wait(process->manager.installed()->verdict) : "");
  }
}

/// All hosts of pieces with sound tables are answered, and their groups reach them.
void Simulation::check_end_of_hosts(hw::TimePoint end) {
  std::string problem;
  do {
    std::vector<std::vector<bool>> pieces;
    for (const auto& process : processes_)
      if (process && process->answers() && holds_plan(process->manager.status()) &&
          !is_repaired_in_part(process->manager.status()))
        pieces.push_back(Traffic(*fabric_, *simulated_).piece_of(process->origin));
    for (const auto& piece : pieces) hosts_->confirm(piece);
    const auto idle = [&] {
      return std::ranges::all_of(pieces, [&](const auto& piece) { return hosts_->are_idle(piece); });
    };
    do advance(simulated_->now() + milliseconds{500});
    while (outcome_.fault.empty() && !idle() && simulated_->now() < end);
    problem.clear();
    for (const auto& piece : pieces)
      if (problem.empty()) problem = hosts_->unconfirmed(piece, Traffic(*fabric_, *simulated_));
  } while (outcome_.fault.empty() && !problem.empty() && simulated_->now() < end);
  if (outcome_.fault.empty() && !problem.empty()) outcome_.fault = "a minute later: " + problem;
}

}  // namespace rch::sim::test
