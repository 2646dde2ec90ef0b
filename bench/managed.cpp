#include "managed.h"

#include <filesystem>
#include <fstream>
#include <utility>

#include "chains/plan.h"
#include "fabric/random.h"
#include "policy/build/front_end.h"

namespace rch::bench {

std::shared_ptr<const policy::Policy> policy_of(const std::string& engine) {
  const auto file = std::filesystem::temp_directory_path() / "rch_manager_bench.opensm.conf";
  std::ofstream(file) << "routing_engine " << engine << "\n";
  SourceSet sources;
  Diagnostics diagnostics;
  auto configuration = policy::load(file, sources, diagnostics);
  std::filesystem::remove(file);
  return std::make_shared<const policy::Policy>(std::move(*configuration.value().policy));
}

sm::Replanner planner_of(std::shared_ptr<const policy::Policy> policy) {
  return [policy = std::move(policy)](const fabric::Fabric& live, const sm::Known& known) {
    Diagnostics diagnostics;
    return chains::plan(
        policy, live,
        {.installed = known.installed, .settings = {}, .repairs = known.repairs, .regroups = known.regroups},
        diagnostics);
  };
}

std::vector<PortId> shuffled_cables(const fabric::Fabric& fabric) {
  std::vector<PortId> cables;
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
    const fabric::Port& port = fabric.port(PortId(p));
    if (!port.peer.is_none() && port.peer.value > p && fabric.is_switch(port.node) &&
        fabric.is_switch(fabric.port(port.peer).node))
      cables.emplace_back(p);
  }
  fabric::Random(1).shuffle(cables);
  return cables;
}

}  // namespace rch::bench
