#pragma once

#include <map>
#include <string>
#include <vector>

#include "fabric/random.h"
#include "perfmgr/performance_manager.h"
#include "sim/simulated_fabric.h"

namespace rch::sim::test {

/// Ports that count while things go wrong, and what managers make of it. It draws from a seed of its own:
/// with and without it a run is the same.
class Counting {
 public:
  Counting(SimulatedFabric& simulated, const fabric::Fabric& fabric, std::uint64_t seed);

  /// What a manager is started with. Every second seed reads counters.
  perfmgr::Settings settings() const { return settings_; }
  /// Some ports count; `lost` of 1,000 datagrams are lost from now on.
  void act(std::uint64_t lost);
  /// All ports count once.
  void count_all();
  /// What must not be: a total that falls, or that is more than was counted. Empty: all is well.
  std::string fault_of(const perfmgr::PerformanceManager& manager);
  /// The same, when faults have ended: each port that the installed routes lead to was read since
  /// count_all().
  std::string fault_at_end(const perfmgr::PerformanceManager& manager, const perfmgr::View& installed) const;
  /// Nodes that are gone begin anew when they are back. To be called for each plan that is installed.
  void forget_gone(const perfmgr::PerformanceManager& manager);
  /// What `manager` showed is not compared with what it shows from now on.
  void forget(const perfmgr::PerformanceManager& manager) { shown_.erase(&manager); }

 private:
  void count(PortId port, perfmgr::Counter counter, std::uint64_t times);

  SimulatedFabric& simulated_;
  const fabric::Fabric& fabric_;
  fabric::Random draw_;
  perfmgr::Settings settings_;
  std::uint64_t lost_ = 0;
  std::map<std::pair<PortId, std::size_t>, std::uint64_t> counted_;
  using Shown = std::map<std::pair<perfmgr::PortKey, std::size_t>, std::uint64_t>;
  std::map<const perfmgr::PerformanceManager*, Shown> shown_;   ///< as fault_of() saw it last
  std::map<const perfmgr::PerformanceManager*, Shown> before_;  ///< the same, at count_all()
};

}  // namespace rch::sim::test
