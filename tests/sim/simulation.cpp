#include "sim/simulation.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "fabric/generator.h"
#include "sim/policies.h"
#include "sim/process.h"
#include "support/small_fabrics.h"

namespace rch::sim::test {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kDisturbances = 30;
/// Between two disturbances, at most.
constexpr std::uint64_t kQuiet = 8000;
/// After the last fault the fabric must be as it should within this time.
constexpr std::chrono::minutes kBound{5};
/// And its hosts within this time more.
constexpr std::chrono::minutes kHostBound{1};
/// What hosts do between two disturbances, at most.
constexpr std::uint64_t kActs = 4;

/// The file is that of read_policy().
constexpr const char* kRateLimits =
    "routing_engine updn\nqos TRUE\nenhanced_qos_policy_file bandwidths.conf\n";

constexpr const char* kConfigurations[] = {
    "routing_engine updn\n",           "routing_engine dnup\n",          "routing_engine ftree,updn\n",
    "routing_engine updn\nqos TRUE\n", "routing_engine minhop,updn\n",   kRateLimits,
    "routing_engine dfsssp,updn\n",    "routing_engine dfsssp\nlmc 1\n",
};

constexpr const char* kToriConfigurations[] = {
    "routing_engine torus-2QoS\nqos TRUE\n",        "routing_engine torus-2QoS,updn\nqos TRUE\n",
    "routing_engine torus-2QoS,dfsssp\nqos TRUE\n", "routing_engine dor,updn\n",
    "routing_engine dor,dfsssp\nqos TRUE\n",
};

/// An agent that was asked with a wrong key, and with the right one by nobody, protects itself no more then:
/// so a manager that lost its disk finds it.
constexpr const char* kKeysPerPort =
    "m_key 0x5ec2e75ec2e70001\nm_key_per_port TRUE\nkey_mgr_seed 0x5eed5eed5eed0001\n"
    "m_key_protection_level 2\nm_key_lease_period 20\n";

}  // namespace

/// A full disk keeps the file before. After a torn write the file is the front of what was written.
Result<void> Simulation::Disk::write(std::string& file, std::string content, fabric::Random& draw) const {
  if (fault == Fault::full) return fail(ErrorKind::usage, "no space left");
  if (fault == Fault::torn) content.resize(draw.below(content.size() + 1));
  file = std::move(content);
  return {};
}

/// As the file of `rch run`: removed when it cannot be written. No journal tells of a record that is lost
/// whole.
Result<void> Simulation::Disk::keep(const hw::Keeping& keeping, fabric::Random& draw) {
  if (fault == Fault::full) {
    journal.clear();
    return fail(ErrorKind::usage, "no space left");
  }
  std::string bytes = keeping.bytes;
  if (fault == Fault::torn) bytes.resize(1 + draw.below(bytes.size()));
  journal = keeping.afresh ? std::move(bytes) : journal + bytes;
  return {};
}

Simulation::Simulation(std::uint64_t seed, bool verbose, const Faults& faults)
    : draw_(seed), verbose_(verbose), faults_(faults) {
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
  for (std::uint32_t n = 0; n < fabric_->nodes().size(); ++n) {
    set(simulated_->node_info[n], hw::node_info::kVendorId, 0x2C9);  // who has rate limits
    if (n % 5 == 0) simulated_->without_rate_limits.insert(NodeId(n));
  }
  const auto lost = [this](const Visit&) { return draw_.below(1000) < loss_; };
  simulated_->lose_request = [this, lost](const Visit& visit) {
    return lost(visit) || std::ranges::find(muted_, visit.node) != muted_.end();
  };
  simulated_->lose_answer = lost;
  simulated_->delays = [this](const Visit&) { return draw_delays(); };
  simulated_->after_set = [this](const Visit& visit) { check(visit); };
  hosts_ = std::make_unique<Hosts>(*simulated_, *fabric_, draw_, faults_.told,
                                   [this](const std::string& what) { say(what); });
  counting_ = std::make_unique<Counting>(*simulated_, *fabric_, seed);
  if (faults_.tenants) tenants_ = std::make_unique<Tenants>(*fabric_, *simulated_, draw_);
  read_policy();
  processes_.resize(origins_.size());
  disks_.resize(origins_.size());
}

Simulation::~Simulation() = default;

/// A dimension wraps or not. A torus of three dimensions is small in each.
void Simulation::draw_torus() {
  fabric::Grid shape;
  const std::size_t dimensions = 2 + draw_.below(2);
  for (std::size_t d = 0; d < dimensions; ++d)
    shape.dimensions.push_back(
        {static_cast<std::uint32_t>(2 + draw_.below(dimensions == 2 ? 4 : 2)), draw_.below(4) != 0});
  fabric::GeneratorOptions options{.shape = shape, .hosts = 1};
  auto made = fabric::generate(options);
  torus_conf_ = std::move(made->torus_conf);
  fabric_ = std::make_unique<fabric::Fabric>(std::move(made->fabric));
}

/// A fat tree with what real fabrics have besides. Aggregation nodes need more ports than its switches have.
void Simulation::draw_equipped_tree() {
  fabric::GeneratorOptions options{
      .shape = fabric::FatTree{.k = 4}, .hosts = 1, .shuffle = draw_.below(1000)};
  options.equipment = fabric::Equipment::all(1 + draw_.below(1000));
  options.equipment.aggregation_nodes = false;
  options.equipment.missing_hosts = draw_.below(2) == 0;
  options.equipment.spine_hosts = draw_.below(2) == 0;
  // Traffic takes hosts for nodes that have one port.
  options.equipment.two_port_hosts = false;
  fabric_ = std::make_unique<fabric::Fabric>(std::move(fabric::generate(options)->fabric));
}

void Simulation::draw_fabric() {
  if (faults_.tori) return draw_torus();
  if (faults_.equipped) return draw_equipped_tree();
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
  const std::span<const char* const> known = faults_.tori ? std::span<const char* const>(kToriConfigurations)
                                                          : std::span<const char* const>(kConfigurations);
  const std::string text = known[draw_.below(known.size())];
  say(fmt::format("{} switches, {} end ports, {}", fabric_->switch_count(), fabric_->end_ports().size(),
                  text));
  options_ = faults_.keys ? text + kKeysPerPort : text;
  if (faults_.tenants) options_ += fmt::format("part_enforce {}\n", draw_.below(3) == 0 ? "off" : "both");
}

void Simulation::read_policy() {
  policy_ =
      test::read_policy(options_, {.torus = torus_conf_, .partitions = tenants_ ? tenants_->file() : ""});
}

Outcome Simulation::run() {
  start(0);
  advance(simulated_->now() + milliseconds{draw_.below(3000)});
  for (std::size_t d = 0; d < kDisturbances && outcome_.fault.empty(); ++d) {
    disturb();
    counting_->act(loss_);
    for (std::uint64_t acts = draw_.below(kActs); acts > 0; --acts) hosts_->act();
    advance(simulated_->now() + milliseconds{draw_.below(kQuiet)});
  }
  loss_ = 0;
  slow_ = false;
  muted_.clear();
  counting_->act(0);
  if (std::ranges::none_of(processes_, [](const auto& p) { return p != nullptr; })) start(0);
  for (const auto& process : processes_)
    if (process) reload(*process);
  say("faults end");
  const auto end = simulated_->now() + kBound;
  while (outcome_.fault.empty() && !is_settled() && simulated_->now() < end) {
    restart_refused();
    advance(simulated_->now() + milliseconds{500});
  }
  if (outcome_.fault.empty()) check_end();
  check_end_of_hosts(simulated_->now() + kHostBound);
  if (outcome_.fault.empty()) check_end_of_counters();
  outcome_.hosts = hosts_->counters();
  return outcome_;
}

void Simulation::disturb() {
  ++outcome_.faults_injected;
  if (faults_.errors && draw_.below(4) == 0) return draw_.below(2) == 0 ? bounce() : send_error_traps();
  if (tenants_ && draw_.below(3) == 0) return disturb_tenants();
  switch (draw_.below(faults_.mute ? 14 : 12)) {
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
    case 11:
    case 12:
      if (faults_.mute) return mute_or_unmute();
      [[fallthrough]];
    default:
      for (const auto& process : processes_)
        if (process) process->manager.sweep();
  }
}

void Simulation::mute_or_unmute() {
  if (!muted_.empty() && draw_.below(2) == 0) {
    say(fmt::format("node {} answers again", muted_.back().value));
    return muted_.pop_back();
  }
  muted_.emplace_back(static_cast<std::uint32_t>(draw_.below(fabric_->nodes().size())));
  say(fmt::format("node {} answers no more", muted_.back().value));
}

/// A cable goes down and comes up again, several times.
void Simulation::bounce() {
  if (cables_.empty()) return;
  const PortId cable = cables_[draw_.below(cables_.size())];
  if (std::ranges::find(down_, cable) != down_.end()) return;
  say(fmt::format("cable at port {} bounces", cable.value));
  for (std::uint64_t times = 1 + draw_.below(4); times > 0 && outcome_.fault.empty(); --times) {
    simulated_->pull(cable, draw_.below(4) != 0);
    advance(simulated_->now() + milliseconds{draw_.below(3000)});
    simulated_->plug(cable, draw_.below(4) != 0);
    advance(simulated_->now() + milliseconds{draw_.below(3000)});
  }
}

void Simulation::send_error_traps() {
  const auto& ends = fabric_->end_ports();
  const PortId port = ends[draw_.below(ends.size())].port;
  const fabric::Node& node = fabric_->node(fabric_->port(port).node);
  const bool is_switch = fabric_->is_switch(fabric_->port(port).node);
  const std::uint64_t about = is_switch ? 1 + draw_.below(node.num_ports) : fabric_->port(port).number.value;
  say(fmt::format("port {} sends error traps about port {}", port.value, about));
  hw::SmpData notice{};
  const std::uint64_t lid = get(simulated_->port_info[port.index()], hw::port_info::kLid);
  set(notice, hw::Field{0, 0, 1}, 1);
  set(notice, hw::Field{4, 0, 16}, 129 + draw_.below(3));
  set(notice, hw::Field{6, 0, 16}, lid);
  set(notice, hw::Field{12, 0, 16}, lid);
  set(notice, hw::Field{14, 0, 8}, about);
  for (int i = 0; i < 12; ++i) simulated_->send_notice(port, notice);
}

/// One of two managers may read the new file later than the other.
void Simulation::disturb_tenants() {
  if (draw_.below(4) == 0) return say(fmt::format("host {} starts again", tenants_->restart_host().value));
  tenants_->change();
  read_policy();
  say(fmt::format("partition file {}", tenants_->version()));
  for (const auto& process : processes_)
    if (process && draw_.below(4) != 0) reload(*process);
}

void Simulation::reload(Process& process) {
  if (!tenants_ || process.version == tenants_->version()) return;
  say(fmt::format("host {} reads partition file {}", process.origin.value, tenants_->version()));
  process.reload();
}

/// The operator's way out when the master is gone, and had another configuration than its standby. Without
/// tenants all have the same: nobody may need it then.
void Simulation::restart_refused() {
  for (std::size_t p = 0; tenants_ && p < processes_.size(); ++p) {
    if (!processes_[p]) continue;
    const sm::Status& status = processes_[p]->manager.status();
    if (status.state != hw::SmState::standby || !status.degraded) continue;
    kill_or_start(p);
    start(p);
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
  counting_->forget(processes_[p]->manager.performance_manager());
  processes_[p].reset();
}

void Simulation::start(std::size_t p) {
  const auto priority = static_cast<std::uint8_t>(draw_.below(3));
  say(fmt::format("a manager starts at host {}, priority {}", origins_[p].value, priority));
  processes_[p] = std::make_unique<Process>(*this, origins_[p], priority, disks_[p]);
}

/// Runs what is due until that time. Who has something to receive goes on in an order that is drawn.
void Simulation::advance(hw::TimePoint until) {
  std::vector<Actor*> running;
  while (outcome_.fault.empty()) {
    running.clear();
    for (const auto& process : processes_)
      if (process) running.push_back(process.get());
    for (const auto& host : hosts_->all()) running.push_back(host.get());
    draw_.shuffle(running);
    for (Actor* actor : running) actor->prepare();
    simulated_->gets.clear();
    simulated_->sets.clear();
    const auto next = std::ranges::find_if(running, [](const Actor* a) { return !a->nothing_arrived(); });
    if (next != running.end()) {
      (*next)->go_on();
      continue;
    }
    const auto first = std::ranges::min_element(running, {}, [](const Actor* a) { return a->due(); });
    if ((*first)->due() > until) break;
    (*first)->go_on();
  }
  simulated_->pass_until(until);
  check_hosts();
  check_counters();
}

void Simulation::say(const std::string& what) const {
  if (!verbose_) return;
  const auto now = simulated_ ? simulated_->now() : hw::TimePoint{};
  fmt::print("{:>9.3f} s  {}\n", std::chrono::duration<double>(now.time_since_epoch()).count(), what);
}

}  // namespace rch::sim::test
