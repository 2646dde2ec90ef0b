// Routing alone: fabric in memory to tables. The argument is the number of threads.

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include "engines/common/distances.h"
#include "engines/minhop/minhop.h"
#include "engines/torus_2qos/torus_2qos.h"
#include "engines/updn/updn.h"
#include "fabrics.h"
#include "routing.h"

namespace rch::bench {
namespace {

class Threads {
 public:
  explicit Threads(const benchmark::State& state)
      : limit_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(state.range(0))) {}

 private:
  tbb::global_control limit_;
};

void minhop_distances(benchmark::State& state, const BenchFabric& (*made)()) {
  const Threads threads(state);
  for (auto _ : state) benchmark::DoNotOptimize(engines::common::distances(made().fabric.graph()));
}

void minhop(benchmark::State& state, const BenchFabric& (*made)()) {
  const Threads threads(state);
  const fabric::SubFabric view(made().fabric);
  for (auto _ : state) benchmark::DoNotOptimize(engines::minhop::route(view, {}));
}

/// Roots found, as an operator without a root file has it.
void updn(benchmark::State& state, const BenchFabric& (*made)()) {
  const Threads threads(state);
  const fabric::SubFabric view(made().fabric);
  for (auto _ : state) benchmark::DoNotOptimize(engines::updn::route(view, {}));
}

void torus_2qos(benchmark::State& state) {
  const Threads threads(state);
  const fabric::SubFabric view(torus16().fabric);
  const auto options = torus16_options(torus16().fabric);
  for (auto _ : state) {
    auto tables = engines::torus_2qos::route(view, options);
    if (!tables) state.SkipWithError(tables.error().message.c_str());
    benchmark::DoNotOptimize(tables);
  }
}

void threads_and_time(benchmark::internal::Benchmark* b) {
  b->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(minhop_distances, fat_tree24, fat_tree24)->Apply(threads_and_time);
BENCHMARK_CAPTURE(minhop_distances, fat_tree36, fat_tree36)->Apply(threads_and_time);
BENCHMARK_CAPTURE(minhop_distances, torus16, torus16)->Apply(threads_and_time);
BENCHMARK_CAPTURE(minhop, fat_tree24, fat_tree24)->Apply(threads_and_time);
BENCHMARK_CAPTURE(minhop, fat_tree36, fat_tree36)->Apply(threads_and_time);
BENCHMARK_CAPTURE(minhop, torus16, torus16)->Apply(threads_and_time);
BENCHMARK_CAPTURE(updn, fat_tree24, fat_tree24)->Apply(threads_and_time);
BENCHMARK_CAPTURE(updn, fat_tree36, fat_tree36)->Apply(threads_and_time);
BENCHMARK(torus_2qos)->Apply(threads_and_time);

}  // namespace
}  // namespace rch::bench
