#pragma once

#include <optional>

#include "hw/driver.h"
#include "sim/actor.h"
#include "sim/simulation.h"
#include "sm/manager.h"

namespace rch::sim::test {

/// A manager at a host, and what it tells.
struct Simulation::Process : Actor {
  Process(Simulation& of, PortId at, std::uint8_t priority, Disk& on);

  void prepare() override { driver.carry_out(); }
  bool nothing_arrived() const override { return port.nothing_arrived(); }
  hw::TimePoint due() const override { return std::min(driver.deadline(), port.next_arrival()); }
  void go_on() override { driver.receive(); }
  /// True if hosts are answered from a plan that it installed.
  bool answers() const {
    return manager.status().state == hw::SmState::master && manager.status().generation > 0;
  }

  static hw::KeyOptions keys(const Simulation& of, PortId at, const Disk& on);
  static sm::HealthSettings health();
  static sm::ManagerSettings settings(Simulation& of, std::uint8_t priority, Disk& disk);
  Result<chains::Plan> plan(const fabric::Fabric& live, const sm::Known& known);
  void note(const chains::Event& event);
  void note(const sm::ManagerEvent& event);

  Simulation& simulation;
  PortId origin;
  SimulatedPort port;
  hw::Driver driver;
  sm::Manager manager;
  hw::Task<Result<void>> task;
  ServiceLevels planned;                   ///< of the last plan
  std::optional<ServiceLevels> installed;  ///< of the plan that is installed
  bool refused = false;                    ///< the last failure was of the plan, not of the fabric
};

}  // namespace rch::sim::test
