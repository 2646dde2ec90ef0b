// A fabric file's text to a Fabric.

#include <benchmark/benchmark.h>

#include "fabric/formats.h"
#include "fabrics.h"

namespace rch::bench {
namespace {

void read(benchmark::State& state, const std::string& text) {
  for (auto _ : state) {
    SourceSet sources;
    Diagnostics diagnostics;
    const auto source = sources.add("bench.net", text);
    auto fabric = fabric::read_fabric(sources, source, diagnostics);
    if (!fabric) state.SkipWithError("unreadable");
    benchmark::DoNotOptimize(fabric);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(text.size()));
}

void read_ibnetdiscover(benchmark::State& state, const BenchFabric& (*made)()) { read(state, made().text); }
void read_snapshot(benchmark::State& state, const BenchFabric& (*made)()) {
  read(state, fabric::write_snapshot(made().fabric));
}

BENCHMARK_CAPTURE(read_ibnetdiscover, fat_tree24, fat_tree24)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_ibnetdiscover, fat_tree36, fat_tree36)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_ibnetdiscover, torus16, torus16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_snapshot, torus16, torus16)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rch::bench
