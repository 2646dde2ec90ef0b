// What `rch diff` takes besides reading: two generations of tables in memory.

#include <benchmark/benchmark.h>

#include "compare/comparison.h"
#include "engines/ftree/ftree.h"
#include "engines/minhop/minhop.h"
#include "fabrics.h"
#include "routing.h"

namespace rch::bench {
namespace {

compare::Side side_of(const fabric::Fabric& fabric, fabric::RoutingTables tables) {
  return {.name = "bench",
          .fabric = std::shared_ptr<const fabric::Fabric>(std::shared_ptr<void>(), &fabric),
          .tables = std::make_shared<const fabric::RoutingTables>(std::move(tables))};
}

fabric::RoutingTables minhop(const fabric::Fabric& fabric) {
  return single_step(fabric, engines::minhop::route(fabric::SubFabric(fabric), {}));
}

void compare_sides(benchmark::State& state, const compare::Side& before, const compare::Side& after) {
  for (auto _ : state) {
    const compare::Comparison comparison = compare::compare(before, after);
    state.counters["entries"] = static_cast<double>(comparison.forwarding.entries.total());
    state.counters["pairs"] = static_cast<double>(comparison.forwarding.changed);
  }
}

/// As after the loss of a cable: the entries of one switch that use one port go elsewhere.
void few_changes(benchmark::State& state, const BenchFabric& (*made)()) {
  const fabric::Fabric& fabric = made().fabric;
  fabric::RoutingTables other = minhop(fabric);
  const SwitchId sw = fabric.end_ports().front().sw;
  const fabric::SwitchGraph& graph = fabric.graph();
  const auto neighbors = graph.neighbors(sw);
  const auto port_to = [&](std::size_t n) { return graph.links(neighbors[n]).front().out.value; };
  for (std::uint8_t& entry : other.lfts.row(sw))
    if (entry == port_to(0)) entry = port_to(1);
  compare_sides(state, side_of(fabric, minhop(fabric)), side_of(fabric, std::move(other)));
}

void all_changed(benchmark::State& state, const BenchFabric& (*made)()) {
  const fabric::Fabric& fabric = made().fabric;
  compare_sides(state, side_of(fabric, minhop(fabric)),
                side_of(fabric, single_step(fabric, engines::ftree::route(fabric::SubFabric(fabric), {}))));
}

const bool kAdded = [] {
  const auto add = [](const char* name, auto run, const BenchFabric& (*made)()) {
    benchmark::RegisterBenchmark(name, run, made)->UseRealTime()->Unit(benchmark::kMillisecond);
  };
  add("compare/few_changes/fat_tree36", few_changes, fat_tree36);
  add("compare/few_changes/fat_tree56", few_changes, fat_tree56);
  add("compare/all_changed/fat_tree36", all_changed, fat_tree36);
  add("compare/all_changed/fat_tree56", all_changed, fat_tree56);
  return true;
}();

}  // namespace
}  // namespace rch::bench
