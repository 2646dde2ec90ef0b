#include "sim/job_start.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "fabric/random.h"
#include "hw/driver.h"
#include "policy/model/policy.h"
#include "sim/host_requests.h"
#include "sim/policies.h"
#include "sim/simulated_fabric.h"
#include "sm/manager.h"
#include "support/small_fabrics.h"

namespace rch::sim::test {
namespace {

namespace h = hw::mad_header;
using hw::Milliseconds;
using hw::TimePoint;

constexpr std::uint32_t kHostsOfSwitch = 25, kSpines = 18;
/// Time of the manager for one request: 200,000 a second; and for one that needs no other answer.
constexpr std::chrono::microseconds kWork{5}, kRepetition{1};
/// Sweeps of the whole fabric, while hosts ask.
constexpr std::size_t kSweeps = 4;

std::vector<PortId> hosts_of(const fabric::Fabric& fabric) {
  std::vector<PortId> hosts;
  for (const fabric::EndPort& end : fabric.end_ports())
    if (!fabric.is_switch(fabric.port(end.port).node)) hosts.push_back(end.port);
  return hosts;
}

/// A host that wants the paths to all others.
class JobHost {
 public:
  JobHost(SimulatedFabric& simulated, const fabric::Fabric& fabric, PortId at, const JobStart& job,
          JobStartOutcome& outcome)
      : simulated_(simulated),
        fabric_(fabric),
        at_(at),
        job_(job),
        outcome_(outcome),
        way_(simulated, at),
        left_(hosts_of(fabric)) {
    std::erase(left_, at);
  }

  bool is_done() const { return left_.empty() && open_.empty(); }
  bool is_due() const { return !way_.nothing_arrived() || due() <= way_.now(); }
  TimePoint due() const {
    if (has_room()) return way_.now();
    TimePoint first = TimePoint::max();
    for (const auto& [transaction, query] : open_) first = std::min(first, query.due);
    return first;
  }
  void go_on() {
    std::vector<hw::Datagram> arrived;
    way_.receive(arrived, way_.now());
    for (const hw::Datagram& answer : arrived) on_answer(answer);
    for (auto at = open_.begin(); at != open_.end();)
      at = at->second.due <= way_.now() && !ask(at->second) ? open_.erase(at) : std::next(at);
    while (has_room()) open_next();
  }

 private:
  struct Query {
    hw::Datagram request;
    TimePoint began{}, due{};
    unsigned sent = 0;
  };

  bool has_room() const { return !left_.empty() && open_.size() < job_.window; }
  void open_next() {
    const PortId to = left_.back();
    left_.pop_back();
    ++outcome_.queries;
    const auto manager = get(simulated_.port_info[at_.index()], hw::port_info::kMasterSmLid);
    Query query{.request = requests::header(sa::Method::get, sa::Attribute::path_record, ++transaction_,
                                            static_cast<std::uint16_t>(manager)),
                .began = way_.now()};
    requests::fill_paths(query.request, fabric_.port(at_).guid, fabric_.port(to).guid);
    ask(open_.emplace(transaction_, query).first->second);
  }
  /// False: it is given up.
  bool ask(Query& query) {
    if (query.sent == job_.tries) {
      ++outcome_.given_up;
      return false;
    }
    ++query.sent;
    query.due = way_.now() + job_.patience;
    (void)way_.send(query.request, Milliseconds{0});
    return true;
  }
  /// A second answer to one query is none to anything. Only one to what was given up is late.
  void on_answer(const hw::Datagram& answer) {
    const auto transaction = static_cast<std::uint32_t>(get(answer.mad, h::kTransactionLow));
    const auto query = open_.find(transaction);
    if (query == open_.end()) {
      outcome_.late += answered_.contains(transaction) ? 0 : 1;
      return;
    }
    ++(get(answer.mad, h::kStatus) == 0 ? outcome_.answered : outcome_.refused);
    const auto took = std::chrono::duration_cast<Milliseconds>(way_.now() - query->second.began);
    outcome_.longest = std::max(outcome_.longest, took);
    answered_.insert(transaction);
    open_.erase(query);
  }

  SimulatedFabric& simulated_;
  const fabric::Fabric& fabric_;
  PortId at_;
  const JobStart& job_;
  JobStartOutcome& outcome_;
  SimulatedPort way_;
  std::vector<PortId> left_;  ///< whose paths it has not asked for
  std::uint32_t transaction_ = 0;
  std::map<std::uint32_t, Query> open_;
  std::set<std::uint32_t> answered_;
};

/// The port of a manager that takes some datagrams at a time: hosts go on while the others wait.
class BusyPort : public SimulatedPort {
 public:
  using SimulatedPort::SimulatedPort;

  void receive(std::vector<hw::Datagram>& arrived, TimePoint deadline) override {
    std::vector<hw::Datagram> more;
    SimulatedPort::receive(more, waiting_.empty() ? deadline : now());
    waiting_.insert(waiting_.end(), more.begin(), more.end());
    const auto some = static_cast<std::ptrdiff_t>(std::min(waiting_.size(), kAtOnce));
    arrived.insert(arrived.end(), waiting_.begin(), waiting_.begin() + some);
    waiting_.erase(waiting_.begin(), waiting_.begin() + some);
  }
  bool is_empty() const { return waiting_.empty(); }

 private:
  static constexpr std::size_t kAtOnce = 1000;
  std::deque<hw::Datagram> waiting_;
};

/// A manager, whose work takes time, and the hosts.
class Site {
 public:
  Site(const fabric::Fabric& fabric, const JobStart& job)
      : job_(job),
        draw_(job.seed),
        policy_(read_policy("routing_engine updn\n")),
        simulated_(fabric, hosts_of(fabric).front()),
        port_(simulated_, hosts_of(fabric).front()),
        driver_(port_, {.retries = 8}),
        manager_(driver_,
                 [this](const fabric::Fabric& live, const sm::Known& known) {
                   Diagnostics diagnostics;
                   return chains::plan(policy_, live, {.installed = known.installed, .settings = {}},
                                       diagnostics);
                 },
                 {.install = {.accept_path_sls = true, .accept_switch_lids = true}},
                 {.manager =
                      [this](const sm::ManagerEvent& event) {
                        plans_ += std::holds_alternative<sm::SubnetUp>(event) ? 1 : 0;
                      },
                  .chains = {}}),
        task_(manager_.run()) {
    simulated_.lose_request =
        simulated_.lose_answer = [this](const Visit&) { return draw_.below(1000) < job_.loss; };
    task_.start();
    driver_.carry_out();
    while (plans_ == 0) turn_of_manager(simulated_.now(), TimePoint::max());
    for (const PortId at : hosts_of(fabric))
      hosts_.push_back(std::make_unique<JobHost>(simulated_, fabric, at, job_, outcome_));
  }

  JobStartOutcome run() {
    const TimePoint began = simulated_.now();
    outcome_.hosts = hosts_.size();
    const std::size_t all = hosts_.size() * (hosts_.size() - 1), before = manager_.counters().whole_sweeps;
    while (std::ranges::any_of(hosts_, [](const auto& host) { return !host->is_done(); })) {
      turn();
      if (sweeps_ == kSweeps || outcome_.answered <= sweeps_ * all / kSweeps) continue;
      ++sweeps_;
      manager_.sweep();
    }
    const sa::ServerCounters& counters = manager_.subnet_administration().counters();
    outcome_.arrived = counters.requests;
    outcome_.answers = counters.answered;
    outcome_.repeated = counters.repeated;
    outcome_.sweeps = manager_.counters().whole_sweeps - before;
    outcome_.all = std::chrono::duration_cast<Milliseconds>(simulated_.now() - began);
    return outcome_;
  }

 private:
  void turn() {
    bool was_due = false;
    TimePoint first = TimePoint::max();
    for (const auto& host : hosts_) {
      if (host->is_due()) host->go_on(), was_due = true;
      first = std::min(first, host->due());
    }
    simulated_.gets.clear();
    simulated_.sets.clear();
    turn_of_manager(simulated_.now(), was_due || !port_.is_empty() ? simulated_.now() : first);
  }
  /// Answers leave when the work of all that had come is done.
  void turn_of_manager(TimePoint now, TimePoint limit) {
    const sa::ServerCounters& counters = manager_.subnet_administration().counters();
    const std::size_t answered = counters.answered, repeated = counters.repeated;
    driver_.receive(limit);
    simulated_.pass_until(std::max(now, simulated_.now()) + kWork * (counters.answered - answered) +
                          kRepetition * (counters.repeated - repeated));
    driver_.carry_out();
  }

  const JobStart& job_;
  fabric::Random draw_;
  std::shared_ptr<const policy::Policy> policy_;
  SimulatedFabric simulated_;
  BusyPort port_;
  hw::Driver driver_;
  sm::Manager manager_;
  hw::Task<Result<void>> task_;
  JobStartOutcome outcome_;
  std::vector<std::unique_ptr<JobHost>> hosts_;
  std::size_t plans_ = 0, sweeps_ = 0;
};

}  // namespace

JobStartOutcome run(const JobStart& job) {
  const std::uint32_t leaves = (job.hosts + kHostsOfSwitch - 1) / kHostsOfSwitch;
  const fabric::Fabric fabric = rch::test::build(rch::test::clos(leaves, kSpines, kHostsOfSwitch));
  return Site(fabric, job).run();
}

}  // namespace rch::sim::test
