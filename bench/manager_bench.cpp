// The manager that stays on a fabric in memory: bring-up, and a cable that is pulled and plugged in. Times
// are those of the manager alone; the time of the simulated switches is left out. A cable is measured from
// the trap to the last block of a linear forwarding table of the repair that goes out, or of the plan where
// there is nothing to repair. `up_ms`: until the plan is read back and served. `requests` counts SMPs.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "fabrics.h"
#include "hw/driver.h"
#include "hw/mad.h"
#include "managed.h"
#include "sim/simulated_fabric.h"
#include "sm/manager.h"

namespace rch::bench {
namespace {

using Seconds = std::chrono::duration<double>;

struct Watch {
  Seconds& sum;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  ~Watch() { sum += std::chrono::steady_clock::now() - start; }
};

bool writes_lft(const hw::Mad& mad) {
  return get(mad, hw::mad_header::kMethod) == static_cast<std::uint64_t>(hw::Method::set) &&
         get(mad, hw::mad_header::kAttribute) == static_cast<std::uint64_t>(hw::Attribute::linear_table);
}

/// A way to the fabric that knows how long the fabric itself took.
class TimedPort : public hw::Transport {
 public:
  TimedPort(sim::SimulatedFabric& fabric, PortId origin) : fabric_(fabric), port_(fabric, origin) {}

  Result<void> send(const hw::Datagram& datagram, hw::Milliseconds timeout) override {
    if (writes_lft(datagram.mad)) last_block_ = time();
    const Watch watch{spent_};
    return port_.send(datagram, timeout);
  }
  void receive(std::vector<hw::Datagram>& arrived, hw::TimePoint deadline) override {
    const Watch watch{spent_};
    fabric_.gets.clear();
    fabric_.sets.clear();
    port_.receive(arrived, deadline);
  }
  Result<void> set_is_sm() override { return port_.set_is_sm(); }
  hw::TimePoint now() const override { return port_.now(); }
  /// The time of the manager: a clock that stands while the fabric works.
  Seconds time() const { return std::chrono::steady_clock::now() - begun_ - spent_; }
  Seconds last_block() const { return last_block_; }

 private:
  sim::SimulatedFabric& fabric_;
  sim::SimulatedPort port_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  Seconds spent_{}, last_block_{};
};

struct Installed {
  Seconds written;  ///< the last block of a linear forwarding table went out, of the repair if there was one
  Seconds up;
};

/// A manager on a fabric.
class Site {
 public:
  Site(const fabric::Fabric& fabric, const std::string& engine)
      : simulated_(fabric, *fabric.origin()),
        port_(simulated_, *fabric.origin()),
        driver_(port_, {.window = 32}),
        manager_(driver_, planner_of(policy_of(engine)),
                 {.install = {.accept_path_sls = true, .accept_switch_lids = true}, .heals = true},
                 {.manager = [this](const sm::ManagerEvent& event) { note(event); }, .chains = {}}),
        task_(manager_.run()) {
    task_.start();
  }

  /// Runs until the next plan is installed. Returns times of the manager.
  Installed install_next() {
    const std::size_t before = ups_;
    const Seconds start = port_.time();
    healed_.reset();
    for (driver_.carry_out(); ups_ == before && degraded_.empty(); driver_.carry_out()) driver_.receive();
    return {healed_.value_or(port_.last_block()) - start, port_.time() - start};
  }
  sim::SimulatedFabric& simulated() { return simulated_; }
  const std::string& degraded() const { return degraded_; }
  std::size_t requests() const { return driver_.counters().requests; }
  std::size_t blocks() const { return blocks_; }

 private:
  void note(const sm::ManagerEvent& event) {
    if (const auto* up = std::get_if<sm::SubnetUp>(&event)) {
      ++ups_;
      blocks_ = up->installed.report.lft_blocks;
    }
    if (std::holds_alternative<sm::Healed>(event)) healed_ = port_.last_block();
    if (const auto* degraded = std::get_if<sm::Degraded>(&event)) degraded_ = degraded->error.message;
  }

  sim::SimulatedFabric simulated_;
  TimedPort port_;
  hw::Driver driver_;
  sm::Manager manager_;
  hw::Task<Result<void>> task_;
  std::optional<Seconds> healed_;
  std::size_t ups_ = 0, blocks_ = 0;
  std::string degraded_;
};

struct Scenario {
  const char* name;
  const BenchFabric& (*fabric)();
  const char* engine;
};

void bring_up(benchmark::State& state, const Scenario& scenario) {
  for (auto _ : state) {
    const auto site = std::make_unique<Site>(scenario.fabric().fabric, scenario.engine);
    state.SetIterationTime(site->install_next().up.count());
    if (!site->degraded().empty()) return state.SkipWithError(site->degraded().c_str());
    state.counters["requests"] = static_cast<double>(site->requests());
  }
}

/// Cables between two switches, each pulled and plugged in again. Each one is pulled for the first time.
void cable(benchmark::State& state, const Scenario& scenario) {
  const fabric::Fabric& fabric = scenario.fabric().fabric;
  Site site(fabric, scenario.engine);
  site.install_next();
  const std::vector<PortId> cables = shuffled_cables(fabric);
  std::size_t turn = 0, requests = 0, blocks = 0;
  double longest = 0, up = 0;
  for (auto _ : state) {
    const std::size_t before = site.requests();
    if (turn % 2 == 0)
      site.simulated().pull(cables[turn / 2]);
    else
      site.simulated().plug(cables[turn / 2]);
    ++turn;
    const Installed installed = site.install_next();
    longest = std::max(longest, installed.written.count());
    up += installed.up.count();
    state.SetIterationTime(installed.written.count());
    if (!site.degraded().empty()) return state.SkipWithError(site.degraded().c_str());
    requests += site.requests() - before;
    blocks += site.blocks();
  }
  const auto mean = benchmark::Counter::kAvgIterations;
  state.counters["longest_ms"] = longest * 1000;
  state.counters["up_ms"] = benchmark::Counter(up * 1000, mean);
  state.counters["requests"] = benchmark::Counter(static_cast<double>(requests), mean);
  state.counters["blocks"] = benchmark::Counter(static_cast<double>(blocks), mean);
}

const bool kAdded = [] {
  for (const Scenario& scenario : {Scenario{"fat_tree24/updn", fat_tree24, "updn"},
                                   {"fat_tree36/minhop", fat_tree36, "minhop"},
                                   {"fat_tree36/updn", fat_tree36, "updn"}}) {
    benchmark::RegisterBenchmark(("manager/bring_up/" + std::string(scenario.name)).c_str(), bring_up,
                                 scenario)
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("manager/cable/" + std::string(scenario.name)).c_str(), cable, scenario)
        ->UseManualTime()
        ->Iterations(16)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace rch::bench
