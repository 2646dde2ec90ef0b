// Routing alone: fabric in memory to tables. The argument is the number of threads. `tables` is the peak of
// memory that one run takes, in multiples of the bytes of the tables it makes.

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <string>

#include "base/parallel.h"
#include "engines/common/distances.h"
#include "engines/dfsssp/dfsssp.h"
#include "engines/dor/dor.h"
#include "engines/ftree/ftree.h"
#include "engines/minhop/minhop.h"
#include "engines/pqft/pqft.h"
#include "engines/torus_2qos/torus_2qos.h"
#include "engines/updn/updn.h"
#include "fabrics.h"
#include "peak_memory.h"
#include "routing.h"

namespace rch::bench {
namespace {

using engines::EngineResult;
using fabric::SubFabric;

struct Engine {
  const char* name;
  EngineResult (*route)(const SubFabric& view);
};

EngineResult minhop(const SubFabric& view) { return engines::minhop::route(view, {}); }
EngineResult dor(const SubFabric& view) { return engines::dor::route(view, {}); }
/// Roots found, as an operator without a root file has it.
EngineResult updn(const SubFabric& view) { return engines::updn::route(view, {}); }
EngineResult updn_compat(const SubFabric& view) {
  return engines::updn::route(view, {.ports = {.compat = true}});
}
EngineResult ftree(const SubFabric& view) { return engines::ftree::route(view, {}); }
EngineResult pqft(const SubFabric& view) { return engines::pqft::route(view, {}); }
EngineResult dnup(const SubFabric& view) { return engines::updn::route_dnup(view, {}); }
EngineResult dfsssp(const SubFabric& view) { return engines::dfsssp::route(view, {}); }
EngineResult torus_2qos(const SubFabric& view) {
  return engines::torus_2qos::route(view, torus_options(view.fabric()));
}

struct Plant {
  const char* name;
  const BenchFabric& (*made)();
};
constexpr Plant kTrees[] = {{"fat_tree24", fat_tree24},
                            {"fat_tree36", fat_tree36},
                            {"fat_tree36_ordered", fat_tree36_ordered},
                            {"fat_tree56", fat_tree56},
                            {"fat_tree56_ordered", fat_tree56_ordered}};
constexpr Plant kEquippedTree = {"fat_tree24_equipped", fat_tree24_equipped};
constexpr Plant kToruses[] = {{"torus16", torus16}, {"torus16_ordered", torus16_ordered}};
constexpr Plant kLargeTorus = {"torus32", torus32};

class Threads {
 public:
  explicit Threads(const benchmark::State& state)
      : limit_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(state.range(0))) {}

 private:
  tbb::global_control limit_;
};

void distances(benchmark::State& state, const BenchFabric& (*made)()) {
  const Threads threads(state);
  for (auto _ : state) benchmark::DoNotOptimize(engines::common::distances(made().fabric.graph()));
}

void route(benchmark::State& state, const Engine& engine, const BenchFabric& (*made)()) {
  const Threads threads(state);
  const SubFabric view(made().fabric);
  for (auto _ : state) {
    auto tables = engine.route(view);
    if (!tables) state.SkipWithError(tables.error().message.c_str());
    benchmark::DoNotOptimize(tables);
  }
  const PeakMemory memory;
  const auto tables = engine.route(view);
  if (tables) state.counters["tables"] = memory.bytes() / static_cast<double>(tables->lfts.byte_count());
}

/// What no engine can do without: writing tables of that size once. `copied`: reading others for it.
void memory_floor(benchmark::State& state, const BenchFabric& (*made)(), bool copied) {
  const Threads threads(state);
  const fabric::Fabric& fabric = made().fabric;
  const fabric::ForwardingTables from(fabric.switch_count(), fabric.max_lid());
  for (auto _ : state) {
    auto tables = fabric::ForwardingTables::uninitialised(from.switch_count(), from.max_lid());
    parallel_ranges(from.switch_count(), 4, [&](std::size_t begin, std::size_t end) {
      for (std::size_t s = begin; s < end; ++s) {
        const SwitchId sw(static_cast<std::uint32_t>(s));
        if (copied)
          std::ranges::copy(from.row(sw), tables.row(sw).begin());
        else
          std::ranges::fill(tables.row(sw), kNoPath);
      }
    });
    benchmark::DoNotOptimize(tables);
  }
}

template <class Run, class... Args>
void add(const std::string& name, Run run, Args... args) {
  benchmark::RegisterBenchmark(name.c_str(), run, args...)
      ->ArgName("threads")
      ->Arg(1)
      ->Arg(2)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

void add(const Engine& engine, const Plant& plant) {
  add(std::string(engine.name) + "/" + plant.name, route, engine, plant.made);
}

const bool kAdded = [] {
  for (const Plant& plant : kTrees) {
    add(std::string("memory_floor/written/") + plant.name, memory_floor, plant.made, false);
    add(std::string("memory_floor/copied/") + plant.name, memory_floor, plant.made, true);
    add(std::string("distances/") + plant.name, distances, plant.made);
    for (const Engine& engine : {Engine{"minhop", minhop},
                                 {"updn", updn},
                                 {"updn_compat", updn_compat},
                                 {"dnup", dnup},
                                 {"ftree", ftree},
                                 {"pqft", pqft},
                                 {"dor", dor},
                                 {"dfsssp", dfsssp}})
      add(engine, plant);
  }
  // ftree and pqft want to know which hosts are on spines. dfsssp takes two minutes there.
  for (const Engine& engine : {Engine{"minhop", minhop}, {"updn", updn}, {"dnup", dnup}})
    add(engine, kEquippedTree);
  for (const Plant& torus : kToruses) {
    add(std::string("distances/") + torus.name, distances, torus.made);
    for (const Engine& engine :
         {Engine{"minhop", minhop}, {"dor", dor}, {"torus_2qos", torus_2qos}, {"dfsssp", dfsssp}})
      add(engine, torus);
  }
  add(Engine{"torus_2qos", torus_2qos}, kLargeTorus);
  add(Engine{"dfsssp", dfsssp}, kLargeTorus);
  return true;
}();

}  // namespace
}  // namespace rch::bench
