// Paths that hosts ask for while the manager routes around cables: from the moment a query comes to that of
// its answer. Plans and proofs run on a thread of their own, as in `rch run`. The agents of the fabric answer
// in the thread of the manager, so their time is part of the figures.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "fabrics.h"
#include "hw/driver.h"
#include "managed.h"
#include "path_query.h"
#include "sim/simulated_fabric.h"
#include "sm/manager.h"

namespace rch::bench {
namespace {

using std::chrono::microseconds;

/// Between two queries: 20,000 a second.
constexpr microseconds kInterval{50};

/// A thread for one job after the other.
class Jobs {
 public:
  void start(const hw::Job& job) {
    thread_ = std::thread([this, job] {
      job.run();
      const std::lock_guard lock(mutex_);
      done_ = job.id;
      changed_.notify_one();
    });
  }
  void wait_until(hw::TimePoint end) {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, end, [this] { return done_.has_value(); });
  }
  bool is_idle() const { return !thread_.joinable(); }
  std::optional<hw::JobId> take() {
    const std::lock_guard lock(mutex_);
    if (done_) thread_.join();
    return std::exchange(done_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<hw::JobId> done_;
  std::thread thread_;
};

/// A fabric in memory on the clock of the machine, with hosts that ask for paths at given times.
class AskedPort : public hw::Transport {
 public:
  AskedPort(const fabric::Fabric& fabric, sim::SimulatedFabric& simulated, Jobs& jobs)
      : fabric_(fabric), simulated_(simulated), port_(simulated, *fabric.origin()), jobs_(jobs) {}

  Result<void> send(const hw::Datagram& datagram, hw::Milliseconds timeout) override {
    namespace h = hw::mad_header;
    if (get(datagram.mad, h::kClass) != static_cast<std::uint8_t>(hw::MadClass::sa))
      return port_.send(datagram, timeout);
    const std::size_t query = get(datagram.mad, h::kTransaction) - 1;
    latencies_.push_back(hw::Clock::now() - due(query));
    refused_ += get(datagram.mad, h::kStatus) != 0 ? 1 : 0;
    return {};
  }
  void receive(std::vector<hw::Datagram>& arrived, hw::TimePoint deadline) override {
    away_.push_back(hw::Clock::now() - last_here_);
    simulated_.gets.clear();
    simulated_.sets.clear();
    port_.receive(arrived, now());
    if (arrived.empty() && due(asked_) > hw::Clock::now()) jobs_.wait_until(std::min(deadline, due(asked_)));
    for (; due(asked_) <= hw::Clock::now(); ++asked_)
      arrived.push_back(path_query(fabric_, asked_, sa::Method::get));
    last_here_ = hw::Clock::now();
  }
  Result<void> set_is_sm() override { return port_.set_is_sm(); }
  hw::TimePoint now() const override {
    simulated_.pass_until(hw::Clock::now());
    return simulated_.now();
  }

  void begin() {
    begin_ = last_here_ = hw::Clock::now();
    first_ = asked_;
    latencies_.clear();
    away_.clear();
  }
  /// None come any more.
  void end() { begin_ = hw::TimePoint::max() - std::chrono::hours(1); }
  /// Times without a look at what has arrived, since begin().
  const std::vector<hw::Clock::duration>& away() const { return away_; }
  const std::vector<hw::Clock::duration>& latencies() const { return latencies_; }
  std::size_t refused() const { return refused_; }

 private:
  hw::TimePoint due(std::size_t query) const { return begin_ + kInterval * (query - first_); }

  const fabric::Fabric& fabric_;
  sim::SimulatedFabric& simulated_;
  sim::SimulatedPort port_;
  Jobs& jobs_;
  hw::TimePoint begin_ = hw::TimePoint::max() - std::chrono::hours(1);
  hw::TimePoint last_here_{};
  std::size_t asked_ = 0, first_ = 0, refused_ = 0;
  std::vector<hw::Clock::duration> latencies_, away_;
};

/// A manager on a fabric whose hosts ask for paths during each sweep.
class AskedManager {
 public:
  AskedManager(const fabric::Fabric& fabric, const std::string& engine)
      : simulated_(fabric, *fabric.origin()),
        port_(fabric, simulated_, jobs_),
        driver_(port_, {.window = 32}),
        manager_(driver_, planner_of(policy_of(engine)),
                 {.install = {.accept_path_sls = true, .accept_switch_lids = true}},
                 {.manager = [this](const sm::ManagerEvent& event) { note(event); }, .chains = {}}),
        task_(manager_.run()) {
    driver_.run_jobs_with([this](const hw::Job& job) { jobs_.start(job); });
    task_.start();
    install_next();
    asks_ = true;
  }

  /// Until the next plan is installed and published, and all queries are answered that came before.
  void install_next() {
    const std::size_t before = ups_;
    const auto is_over = [&] { return (ups_ != before || !degraded_.empty()) && jobs_.is_idle(); };
    for (driver_.carry_out(); !is_over(); driver_.carry_out()) turn(hw::TimePoint::max());
    turn(hw::Clock::now());
    port_.end();
    driver_.carry_out();
  }
  sim::SimulatedFabric& simulated() { return simulated_; }
  const AskedPort& port() const { return port_; }
  const std::string& degraded() const { return degraded_; }

 private:
  void turn(hw::TimePoint limit) {
    driver_.receive(limit);
    if (const auto done = jobs_.take()) driver_.on_job_done(*done);
  }
  void note(const sm::ManagerEvent& event) {
    if (std::holds_alternative<sm::SweepBegan>(event) && asks_) port_.begin();
    ups_ += std::holds_alternative<sm::SubnetUp>(event) ? 1 : 0;
    if (const auto* degraded = std::get_if<sm::Degraded>(&event)) degraded_ = degraded->error.message;
  }

  sim::SimulatedFabric simulated_;
  Jobs jobs_;
  AskedPort port_;
  hw::Driver driver_;
  sm::Manager manager_;
  hw::Task<Result<void>> task_;
  std::size_t ups_ = 0;
  bool asks_ = false;
  std::string degraded_;
};

double milliseconds(hw::Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

/// Each iteration pulls or plugs a cable.
void queries(benchmark::State& state, const char* engine) {
  const fabric::Fabric& fabric = fat_tree36().fabric;
  AskedManager manager(fabric, engine);
  const std::vector<PortId> cables = shuffled_cables(fabric);
  std::vector<hw::Clock::duration> latencies, away;
  std::size_t turn = 0;
  for (auto _ : state) {
    const PortId cable = cables[turn / 2];
    turn++ % 2 == 0 ? manager.simulated().pull(cable) : manager.simulated().plug(cable);
    manager.install_next();
    if (!manager.degraded().empty()) return state.SkipWithError(manager.degraded().c_str());
    std::ranges::copy(manager.port().latencies(), std::back_inserter(latencies));
    std::ranges::copy(manager.port().away(), std::back_inserter(away));
  }
  std::ranges::sort(latencies);
  std::ranges::sort(away);
  if (latencies.empty()) return state.SkipWithError("no query was answered");
  state.counters["queries"] = static_cast<double>(latencies.size());
  state.counters["refused"] = static_cast<double>(manager.port().refused());
  state.counters["median_ms"] = milliseconds(latencies[latencies.size() / 2]);
  state.counters["p99_ms"] = milliseconds(latencies[latencies.size() * 99 / 100]);
  state.counters["longest_ms"] = milliseconds(latencies.back());
  state.counters["away_ms"] = milliseconds(away.back());
}

const bool kAdded = [] {
  for (const char* engine : {"updn", "minhop"})
    benchmark::RegisterBenchmark((std::string("sa/queries_in_reroute/fat_tree36/") + engine).c_str(), queries,
                                 engine)
        ->Iterations(16)
        ->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
}  // namespace rch::bench
