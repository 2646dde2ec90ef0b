#pragma once

#include <memory>
#include <vector>

#include "hw/driver.h"
#include "perfmgr/performance_manager.h"
#include "sim/simulated_fabric.h"
#include "support/small_fabrics.h"

namespace rch::perfmgr::test {

/// A fabric in memory that has its LIDs and tables, as `view` has them, and a port from which to ask.
class PerformanceFabric {
 public:
  explicit PerformanceFabric(const rch::test::Shape& shape);

  /// Lets `manager` go on for a time.
  void run(PerformanceManager& manager, hw::Milliseconds span);
  /// Until one more sweep of it is over. False if that takes longer than `most`.
  bool sweep(PerformanceManager& manager, hw::Milliseconds most = std::chrono::minutes{20});
  /// What the manager would send now is not sent, but returned.
  std::vector<hw::OutgoingDatagram> take(PerformanceManager& manager);

  PortId host(std::size_t h) const { return fabric.end_ports()[h].port; }
  PortId port(std::uint32_t sw, unsigned number) const {
    return fabric.port_id(SwitchId(sw), PortNum(static_cast<std::uint8_t>(number)));
  }
  PortKey key(PortId id) const { return {fabric.node(fabric.port(id).node).guid, fabric.port(id).number}; }
  sim::CountingPort& counts(PortId id) { return fake.counting[id.index()]; }
  sim::PerformanceAgent& agent(PortId id) { return fake.performance_agents[fabric.port(id).node.index()]; }
  /// The total of a port; kUnknown also if it has no row.
  std::uint64_t total(const PerformanceManager& manager, PortId id, Counter counter) const;

  fabric::Fabric fabric;
  sim::SimulatedFabric fake;
  View view;

 private:
  void step(PerformanceManager& manager, hw::TimePoint limit);

  sim::SimulatedPort port_;
};

}  // namespace rch::perfmgr::test
