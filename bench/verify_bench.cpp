// The proof: tables in memory to a verdict.

#include <benchmark/benchmark.h>

#include "engines/minhop/minhop.h"
#include "fabrics.h"
#include "routing.h"
#include "verify/verify.h"

namespace rch::bench {
namespace {

void judge(benchmark::State& state, const fabric::Fabric& fabric, const fabric::RoutingTables& tables) {
  for (auto _ : state) {
    const verify::Verdict verdict = verify::verify(fabric, tables);
    if (!verdict.clean()) state.SkipWithError(verdict.findings.front().message.c_str());
    state.counters["pairs"] = static_cast<double>(verdict.pairs);
  }
}

void verify_minhop(benchmark::State& state, const BenchFabric& (*made)()) {
  const fabric::Fabric& fabric = made().fabric;
  judge(state, fabric, single_step(fabric, engines::minhop::route(fabric::SubFabric(fabric), {})));
}

void verify_torus_2qos(benchmark::State& state) {
  const fabric::Fabric& fabric = torus16().fabric;
  judge(state, fabric,
        single_step(fabric, engines::torus_2qos::route(fabric::SubFabric(fabric), torus_options(fabric))));
}

BENCHMARK_CAPTURE(verify_minhop, fat_tree24, fat_tree24)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(verify_minhop, fat_tree36, fat_tree36)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(verify_torus_2qos)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rch::bench
