// Routing again after something went or came back, with the tables from before installed. The argument is the
// number of threads. `entries` counts those that differ then.

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <string>

#include "engines/dfsssp/dfsssp.h"
#include "engines/dor/dor.h"
#include "engines/ftree/ftree.h"
#include "engines/minhop/minhop.h"
#include "engines/pqft/pqft.h"
#include "engines/torus_2qos/torus_2qos.h"
#include "engines/updn/updn.h"
#include "fabric/faults.h"
#include "fabrics.h"
#include "routing.h"

namespace rch::bench {
namespace {

const fabric::SlRule kOneLayer;

using engines::EngineResult;
using fabric::SubFabric;
using Installed = std::optional<engines::common::InstalledTables>;

struct Engine {
  const char* name;
  EngineResult (*route)(const SubFabric& view, const Installed& installed);
};

/// ftree takes a tree that misses something only if its roots are named: the switches that have no neighbour
/// with hosts, nor hosts.
std::vector<Guid> roots(const SubFabric& view) {
  std::vector<Guid> found;
  const auto has_hosts = [&](SwitchId sw) { return !view.end_ports_of(sw).empty(); };
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    const auto neighbors = view.graph().neighbors(SwitchId(s));
    if (!has_hosts(SwitchId(s)) &&
        std::ranges::none_of(neighbors, [&](const fabric::Neighbor& n) { return has_hosts(n.sw); }))
      found.push_back(view.node(SwitchId(s)).guid);
  }
  return found;
}

EngineResult minhop(const SubFabric& view, const Installed& installed) {
  return engines::minhop::route(view, {.ports = {.installed = installed}});
}
EngineResult dor(const SubFabric& view, const Installed& installed) {
  return engines::dor::route(view, {.ports = {.installed = installed}});
}
EngineResult updn(const SubFabric& view, const Installed& installed) {
  return engines::updn::route(view, {.ports = {.installed = installed}});
}
EngineResult dnup(const SubFabric& view, const Installed& installed) {
  return engines::updn::route_dnup(view, {.ports = {.installed = installed}});
}
EngineResult ftree(const SubFabric& view, const Installed& installed) {
  return engines::ftree::route(view, {.lists = {.roots = roots(view)}, .installed = installed});
}
EngineResult pqft(const SubFabric& view, const Installed& installed) {
  return engines::pqft::route(view, {.installed = installed});
}
EngineResult dfsssp(const SubFabric& view, const Installed& installed) {
  return engines::dfsssp::route(view, {.installed = installed});
}
EngineResult torus_2qos(const SubFabric& view, const Installed& installed) {
  auto options = torus_options(view.fabric());
  options.installed = installed;
  return engines::torus_2qos::route(view, options);
}

struct Plant {
  const char* name;
  const BenchFabric& (*made)();
};

struct Incident {
  const char* name;
  /// The fabric that misses something.
  fabric::Fabric (*damage)(const fabric::Fabric& whole);
  bool comes_back;
};

fabric::Fabric without_cable(const fabric::Fabric& whole) {
  return fabric::remove_parts(whole, {.random_links = 1})->fabric;
}
fabric::Fabric without_switch(const fabric::Fabric& whole) {
  return fabric::remove_parts(whole, {.random_switches = 1})->fabric;
}
fabric::Fabric without_host(const fabric::Fabric& whole) {
  const fabric::EndPort& host = whole.end_ports()[whole.end_ports().size() / 2];
  return fabric::remove_parts(whole,
                              {.links = {fmt::format("{}[{}]", whole.node(host.sw).guid, host.attach)}})
      ->fabric;
}

std::size_t changed(const fabric::ForwardingTables& a, const fabric::ForwardingTables& b) {
  if (a.switch_count() != b.switch_count()) return 0;
  std::size_t count = 0;
  for (std::uint32_t s = 0; s < a.switch_count(); ++s) {
    const auto before = a.row(SwitchId(s)), after = b.row(SwitchId(s));
    count += std::transform_reduce(before.begin(), before.end(), after.begin(), std::size_t{0}, std::plus<>(),
                                   std::not_equal_to<>());
  }
  return count;
}

void reroute(benchmark::State& state, const Engine& engine, const Plant& plant, const Incident& incident) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(state.range(0)));
  const fabric::Fabric& whole = plant.made().fabric;
  const fabric::Fabric damaged = incident.damage(whole);
  const SubFabric before(incident.comes_back ? damaged : whole), now(incident.comes_back ? whole : damaged);
  const auto tables = engine.route(before, {});
  const auto again = [&] {
    const engines::common::ChangeSet changes(before, now);
    return engine.route(
        now, engines::common::InstalledTables{
                 .changes = &changes, .lfts = &tables->lfts, .same_rules = true, .sl = &kOneLayer});
  };
  for (auto _ : state) {
    auto tables_again = again();
    if (!tables_again) state.SkipWithError(tables_again.error().message.c_str());
    benchmark::DoNotOptimize(tables_again);
  }
  state.counters["entries"] = static_cast<double>(changed(tables->lfts, again()->lfts));
}

void add(const Engine& engine, const Plant& plant, const Incident& incident) {
  const std::string name = std::string("reroute/") + engine.name + "/" + plant.name + "/" + incident.name;
  benchmark::RegisterBenchmark(name.c_str(), reroute, engine, plant, incident)
      ->ArgName("threads")
      ->Arg(1)
      ->Arg(2)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

const bool kAdded = [] {
  const Incident cable{"cable", without_cable, false};
  for (const Engine& engine : {Engine{"minhop", minhop},
                               {"dor", dor},
                               {"updn", updn},
                               {"dnup", dnup},
                               {"ftree", ftree},
                               {"pqft", pqft},
                               {"dfsssp", dfsssp}})
    for (const Incident& incident : {cable,
                                     {"cable_back", without_cable, true},
                                     {"switch", without_switch, false},
                                     {"host", without_host, false}})
      add(engine, {"fat_tree36", fat_tree36}, incident);
  for (const Plant& plant : {Plant{"torus16", torus16}, {"torus32", torus32}})
    add({"torus_2qos", torus_2qos}, plant, cable);
  return true;
}();

}  // namespace
}  // namespace rch::bench
