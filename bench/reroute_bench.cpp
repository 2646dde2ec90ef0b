// Routing again after one cable between switches is lost, with the tables from before in force. The argument
// is the number of threads. `entries` counts those that differ then.

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>

#include "engines/dor/dor.h"
#include "engines/minhop/minhop.h"
#include "engines/torus_2qos/torus_2qos.h"
#include "engines/updn/updn.h"
#include "fabric/faults.h"
#include "fabrics.h"
#include "routing.h"

namespace rch::bench {
namespace {

using engines::EngineResult;
using engines::common::PortOptions;
using fabric::SubFabric;

struct Engine {
  const char* name;
  EngineResult (*route)(const SubFabric& view, const PortOptions& ports);
};

constexpr Engine kEngines[] = {
    {"minhop", [](const SubFabric& view, const PortOptions& p) { return engines::minhop::route(view, {p}); }},
    {"dor", [](const SubFabric& view, const PortOptions& p) { return engines::dor::route(view, {p}); }},
    {"updn",
     [](const SubFabric& view, const PortOptions& p) { return engines::updn::route(view, {.ports = p}); }},
    {"dnup", [](const SubFabric& view,
                const PortOptions& p) { return engines::updn::route_dnup(view, {.ports = p}); }},
};

constexpr Engine kTorus{"torus_2qos", [](const SubFabric& view, const PortOptions& p) {
                          auto options = torus_options(view.fabric());
                          options.held = p.held;
                          return engines::torus_2qos::route(view, options);
                        }};

std::size_t changed(const fabric::ForwardingTables& a, const fabric::ForwardingTables& b) {
  std::size_t count = 0;
  for (std::uint32_t s = 0; s < a.switch_count(); ++s) {
    const auto before = a.row(SwitchId(s)), after = b.row(SwitchId(s));
    count += std::transform_reduce(before.begin(), before.end(), after.begin(), std::size_t{0}, std::plus<>(),
                                   std::not_equal_to<>());
  }
  return count;
}

void reroute(benchmark::State& state, const Engine& engine, const BenchFabric& (*made)()) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(state.range(0)));
  const fabric::Fabric& whole = made().fabric;
  const auto damaged = fabric::remove_parts(whole, {.random_links = 1});
  const SubFabric before(whole), now(damaged->fabric);
  const auto tables = engine.route(before, {});
  const PortOptions ports{
      .held = engines::common::InForce{.view = &before, .lfts = &tables->lfts, .same_rules = true}};
  for (auto _ : state) {
    auto again = engine.route(now, ports);
    if (!again) state.SkipWithError(again.error().message.c_str());
    benchmark::DoNotOptimize(again);
  }
  state.counters["entries"] = static_cast<double>(changed(tables->lfts, engine.route(now, ports)->lfts));
}

void add(const Engine& engine, const std::string& plant, const BenchFabric& (*made)()) {
  benchmark::RegisterBenchmark(("reroute/" + std::string(engine.name) + "/" + plant).c_str(), reroute, engine,
                               made)
      ->ArgName("threads")
      ->Arg(1)
      ->Arg(2)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

const bool kAdded = [] {
  for (const Engine& engine : kEngines) add(engine, "fat_tree36", fat_tree36);
  add(kTorus, "torus16", torus16);
  add(kTorus, "torus32", torus32);
  return true;
}();

}  // namespace
}  // namespace rch::bench
