#pragma once

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "fabric/fabric.h"
#include "hw/commit.h"
#include "sim/simulated_fabric.h"

namespace rch::hw::test {

/// A fabric in memory, committed to by shortest paths.
class Commit : public testing::Test {
 protected:
  Commit();

  Result<CommitReport> run(const CommitOptions& options = {}, bool sl2vl = false);
  Result<CommitReport> run_once(const CommitOptions& options, bool sl2vl);
  std::string failure(const CommitOptions& options = {}, bool sl2vl = false);

  PortId host(std::size_t index) const { return fabric.end_ports()[index].port; }
  SmpData& info(PortId port) { return fake.port_info[port.index()]; }
  /// A Set(PortInfo) of a switch port other than port 0.
  bool is_of_switch_port(const sim::Visit& set) const {
    return set.attribute == Attribute::port_info && fabric.is_switch(set.node) && (set.modifier & 0xFFU) != 0;
  }
  void set_master(PortId port, std::uint8_t priority);

  const fabric::Fabric fabric;
  sim::SimulatedFabric fake;
  fabric::RoutingTables tables;
  /// Adds to the tables before they are committed.
  std::function<void(fabric::RoutingTables&)> dress = [](fabric::RoutingTables&) {};
};

}  // namespace rch::hw::test
