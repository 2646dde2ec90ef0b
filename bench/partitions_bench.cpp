// A partitions.conf of many members: text to syntax, syntax to partitions, partitions to P_Key tables.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "fabrics.h"
#include "isolation/compare.h"
#include "isolation/tenants.h"
#include "policy/bind/partitions/layout.h"
#include "policy/build/partitions/build_partitions.h"

namespace rch::bench {
namespace {

constexpr std::size_t kPartitions = 100;
constexpr std::size_t kMembers = 200'000;

/// Members in turn from the fabric's CAs, a line each with a comment, as generators of such files write them.
const std::string& text() {
  static const std::string written = [] {
    const fabric::Fabric& fabric = fat_tree36().fabric;
    const auto ends = fabric.end_ports();
    std::string out = "Default=0x7fff, ipoib : ALL=limited, SELF=full ;\n";
    for (std::size_t i = 0; i < kMembers; ++i) {
      if (i % (kMembers / kPartitions) == 0)
        out += fmt::format("{}Part{}={:#x}, ipoib, rate=7, mtu=5 :\n", i == 0 ? "" : "  ALL_SWITCHES ;\n", i,
                           i + 1);
      out += fmt::format("  {}=full,  # node{:06} HCA-1\n", fabric.port(ends[i % ends.size()].port).guid, i);
    }
    return out + "  NONE ;\n";
  }();
  return written;
}

struct Read {
  Read() : source(sources.add("partitions.conf", text())) {}

  parsers::partitions::Syntax parse() { return parsers::partitions::parse(sources, source, diagnostics); }
  policy::partitions::Partitions build(const parsers::partitions::Syntax& syntax) {
    return policy::partitions::build_partitions(
        syntax, {.files = files, .diagnostics = diagnostics, .symbols = symbols});
  }

  SourceSet sources;
  Diagnostics diagnostics;
  policy::FileReader files{sources, diagnostics};
  policy::Symbols symbols;
  SourceId source;
};

void bytes(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(text().size()));
}

void parse_partitions(benchmark::State& state) {
  Read read;
  for (auto _ : state) benchmark::DoNotOptimize(read.parse());
  bytes(state);
}

void build_partitions(benchmark::State& state) {
  Read read;
  const auto syntax = read.parse();
  for (auto _ : state) benchmark::DoNotOptimize(read.build(syntax));
  bytes(state);
}

void lay_out_partitions(benchmark::State& state) {
  Read read;
  const auto partitions = read.build(read.parse());
  const fabric::Fabric& fabric = fat_tree36().fabric;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        policy::partitions::lay_out(partitions, {fabric, fabric.end_ports().front().port, {}}));
}

constexpr std::size_t kTenants = 200;

/// Every host is a limited member of the default partition and a full member of one of 200 others.
isolation::InstalledPKeys tenants_of(const fabric::Fabric& fabric) {
  fabric::PKeyTables tables;
  tables.begin.push_back(0);
  std::size_t host = 0;
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
    const PortId port(p);
    if (!isolation::is_end_port(fabric, fabric.port(port)) || fabric.port(port).lid == kUnassignedLid)
      continue;
    tables.ports.push_back(port);
    tables.keys.push_back(0x7FFF);
    if (!fabric.is_switch(fabric.port(port).node))
      tables.keys.push_back(static_cast<std::uint16_t>(0x8001 + host++ % kTenants));
    tables.begin.push_back(static_cast<std::uint32_t>(tables.keys.size()));
  }
  return isolation::pkeys_of_plan(fabric, tables);
}

void judge_tenants(benchmark::State& state) {
  const fabric::Fabric& fabric = fat_tree36().fabric;
  const isolation::InstalledPKeys installed = tenants_of(fabric);
  for (auto _ : state) benchmark::DoNotOptimize(isolation::judge(fabric, installed, {}));
}

/// Against what is planned, one host having moved to another tenant.
void judge_moved_member(benchmark::State& state) {
  const fabric::Fabric& fabric = fat_tree36().fabric;
  const isolation::InstalledPKeys target = tenants_of(fabric);
  isolation::InstalledPKeys installed = target;
  const PortId moved = fabric.end_ports()[fabric.end_ports().size() / 2].port;
  installed.set(moved, std::vector<std::uint16_t>{0x7FFF, 0x8001});
  for (auto _ : state) benchmark::DoNotOptimize(isolation::compare(fabric, installed, target));
}

BENCHMARK(parse_partitions)->Unit(benchmark::kMillisecond);
BENCHMARK(build_partitions)->Unit(benchmark::kMillisecond);
BENCHMARK(lay_out_partitions)->Unit(benchmark::kMillisecond);
BENCHMARK(judge_tenants)->Unit(benchmark::kMillisecond);
BENCHMARK(judge_moved_member)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rch::bench
