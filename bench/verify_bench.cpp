// The proof: tables in memory to a verdict.

#include <benchmark/benchmark.h>

#include "certificate/certificate.h"
#include "engines/adaptive/groups.h"
#include "engines/ftree/ftree.h"
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

void verify_torus_2qos(benchmark::State& state, const BenchFabric& (*made)()) {
  const fabric::Fabric& fabric = made().fabric;
  judge(state, fabric,
        single_step(fabric, engines::torus_2qos::route(fabric::SubFabric(fabric), torus_options(fabric))));
}

/// Tables of ftree, and the same with groups for adaptive routing.
void verify_ftree(benchmark::State& state, bool with_groups) {
  const fabric::Fabric& fabric = fat_tree36().fabric;
  const fabric::SubFabric view(fabric);
  auto made = engines::ftree::route(view, {});
  engines::adaptive::Groups groups;
  if (with_groups) groups = engines::adaptive::make_groups(view, *made, engines::GroupRule::up_down, {});
  fabric::RoutingTables tables = single_step(fabric, std::move(made));
  tables.adaptive = std::move(groups.tables);
  judge(state, fabric, tables);
  state.counters["bytes"] = static_cast<double>(tables.lfts.byte_count() + tables.adaptive.byte_count());
}

/// The check of a certificate, beside the proof above.
void check_certificate(benchmark::State& state, const BenchFabric& (*made)()) {
  const fabric::Fabric& fabric = made().fabric;
  const auto tables = single_step(fabric, engines::minhop::route(fabric::SubFabric(fabric), {}));
  const certificate::Tables of{.fabric = fabric, .tables = tables};
  const auto certificate = certificate::make(of);
  if (!certificate) return state.SkipWithError(certificate.error().message.c_str());
  for (auto _ : state)
    if (const auto holds = certificate::check(of, *certificate); !holds)
      state.SkipWithError(holds.error().message.c_str());
}

const bool kAdded = [] {
  const auto add = [](const char* name, auto run, const BenchFabric& (*made)()) {
    benchmark::RegisterBenchmark(name, run, made)->UseRealTime()->Unit(benchmark::kMillisecond);
  };
  add("verify_minhop/fat_tree24", verify_minhop, fat_tree24);
  add("verify_minhop/fat_tree36", verify_minhop, fat_tree36);
  add("check_certificate/fat_tree36", check_certificate, fat_tree36);
  benchmark::RegisterBenchmark("verify_ftree/fat_tree36", verify_ftree, false)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("verify_ar_ftree/fat_tree36", verify_ftree, true)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
  add("verify_minhop/fat_tree36_ordered", verify_minhop, fat_tree36_ordered);
  add("verify_minhop/fat_tree56", verify_minhop, fat_tree56);
  add("verify_minhop/fat_tree56_ordered", verify_minhop, fat_tree56_ordered);
  add("verify_torus_2qos/torus16", verify_torus_2qos, torus16);
  add("verify_torus_2qos/torus16_ordered", verify_torus_2qos, torus16_ordered);
  return true;
}();

}  // namespace
}  // namespace rch::bench
