// A fabric file's text to a Fabric.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <benchmark/benchmark.h>

#include "fabric/db_csv_file.h"
#include "fabric/formats.h"
#include "fabrics.h"
#include "peak_memory.h"

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
std::string tables_of(const fabric::Fabric& fabric) {
  std::ostringstream text;
  fabric::write_db_csv(fabric, text);
  return std::move(text).str();
}

void read_db_csv(benchmark::State& state, const BenchFabric& (*made)()) {
  read(state, tables_of(made().fabric));
}

/// A file as ibdiagnet writes it: beside the sections that are read, a kilobyte of counters for each port.
void load_db_csv(benchmark::State& state, const BenchFabric& (*made)()) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("rch-bench-{}.db_csv", ::getpid());
  {
    const std::string counters = std::string(1023, '1') + "\n";
    std::ofstream file(path);
    file << tables_of(made().fabric) << "START_PM_INFO\nNodeGUID\n";
    for (std::size_t p = 0; p < made().fabric.ports().size(); ++p) file << counters;
    file << "END_PM_INFO\n";
  }
  const PeakMemory memory;
  for (auto _ : state) {
    SourceSet sources;
    Diagnostics diagnostics;
    const auto source = fabric::load_fabric_text(sources, path);
    auto fabric = source ? fabric::read_fabric(sources, *source, diagnostics) : std::nullopt;
    if (!fabric) state.SkipWithError("unreadable");
    benchmark::DoNotOptimize(fabric);
  }
  state.counters["peak"] = memory.bytes();
  state.counters["ports"] = static_cast<double>(made().fabric.ports().size());
  std::filesystem::remove(path);
}

void read_snapshot(benchmark::State& state, const BenchFabric& (*made)()) {
  read(state, fabric::write_snapshot(made().fabric));
}

BENCHMARK_CAPTURE(read_ibnetdiscover, fat_tree24, fat_tree24)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_ibnetdiscover, fat_tree36, fat_tree36)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_ibnetdiscover, torus16, torus16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_db_csv, fat_tree36, fat_tree36)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load_db_csv, fat_tree36, fat_tree36)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load_db_csv, fat_tree56, fat_tree56)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_snapshot, torus16, torus16)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rch::bench
