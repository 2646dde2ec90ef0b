// The repair of the installed tables after a cable between two switches was pulled, and its proof. Each
// iteration takes another cable. `prove_ms` is the part of the proof; `entries` counts those that are
// replaced.

#include <benchmark/benchmark.h>

#include <string>
#include <variant>

#include "chains/plan.h"
#include "fabric/fabric_builder.h"
#include "fabrics.h"
#include "managed.h"

namespace rch::bench {
namespace {

fabric::Fabric with_cable_pulled(const fabric::Fabric& whole, PortId cable) {
  fabric::FabricBuilder builder(whole);
  builder.disconnect(*builder.find(whole.node(whole.port(cable).node).guid), whole.port(cable).number);
  return *std::move(builder).build();
}

void repair(benchmark::State& state, const BenchFabric& (*made)(), const char* engine) {
  const fabric::Fabric& whole = made().fabric;
  const auto policy = policy_of(engine);
  Diagnostics diagnostics;
  const auto installed = chains::plan(policy, whole, {}, diagnostics);
  if (!installed) return state.SkipWithError(installed.error().message.c_str());
  const std::vector<PortId> cables = shuffled_cables(whole);
  double prove = 0, entries = 0;
  std::size_t turn = 0;
  const chains::Observer observe = [&](const chains::Event& event) {
    const auto* finished = std::get_if<chains::PhaseFinished>(&event);
    if (finished != nullptr && finished->phase == chains::Phase::verify) prove += finished->milliseconds;
  };
  for (auto _ : state) {
    state.PauseTiming();
    fabric::Fabric cut = with_cable_pulled(whole, cables[turn++ % cables.size()]);
    state.ResumeTiming();
    auto repaired =
        chains::plan(policy, std::move(cut), {.installed = &*installed, .settings = {}, .repairs = true},
                     diagnostics, observe);
    if (!repaired) return state.SkipWithError(repaired.error().message.c_str());
    state.PauseTiming();
    for (std::uint32_t s = 0; s < whole.switch_count(); ++s) {
      const auto before = installed->tables->lfts.row(SwitchId(s));
      const auto after = std::as_const(*repaired->tables).lfts.row(SwitchId(s));
      for (std::size_t l = 0; l < before.size(); ++l) entries += before[l] != after[l] ? 1 : 0;
    }
    state.ResumeTiming();
  }
  const auto mean = benchmark::Counter::kAvgIterations;
  state.counters["prove_ms"] = benchmark::Counter(prove, mean);
  state.counters["entries"] = benchmark::Counter(entries, mean);
}

const bool kAdded = [] {
  const auto add = [](const std::string& name, const BenchFabric& (*made)(), const char* engine) {
    benchmark::RegisterBenchmark(("repair/" + name + "/" + engine).c_str(), repair, made, engine)
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  };
  for (const char* engine : {"minhop", "updn", "ftree", "dfsssp"}) add("fat_tree36", fat_tree36, engine);
  return true;
}();

}  // namespace
}  // namespace rch::bench
