#pragma once

#include <optional>

#include "hw/driver.h"
#include "sim/actor.h"
#include "sim/simulation.h"
#include "sm/manager.h"

namespace rch::sim::test {

/// A manager at a host, and what it tells.
struct Simulation::Process : Actor {
  Process(Simulation& of, PortId at, std::uint8_t rank, Disk& on);

  void prepare() override { driver.carry_out(); }
  bool nothing_arrived() const override { return port.nothing_arrived(); }
  hw::TimePoint due() const override { return std::min(driver.deadline(), port.next_arrival()); }
  void go_on() override { driver.receive(); }
  /// True if hosts are answered from a plan that it installed.
  bool answers() const {
    return manager.status().state == hw::SmState::master && manager.status().generation > 0;
  }

  /// The configuration is read again.
  void reload();

  static hw::KeyOptions keys(const Simulation& of, PortId at, const Disk& on);
  static sm::HealthSettings health();
  static sm::ManagerSettings settings(Simulation& of, std::uint8_t priority, Disk& disk);
  /// Makes plans by the configuration as it is now.
  sm::Replanner planner();
  Result<chains::Plan> plan(const std::shared_ptr<const policy::Policy>& policy, const fabric::Fabric& live,
                            const sm::Known& known);
  void note(const chains::Event& event);
  void note(const sm::ManagerEvent& event);

  Simulation& simulation;
  PortId origin;
  std::uint8_t priority;
  Disk& disk;
  std::size_t version;  ///< of the partition file that was read last
  std::size_t first_version;
  SimulatedPort port;
  hw::Driver driver;
  sm::Manager manager;
  hw::Task<Result<void>> task;
  ServiceLevels planned;                   ///< of the last plan
  std::optional<ServiceLevels> installed;  ///< of the plan that is installed
  bool refused = false;                    ///< the last failure was of the plan, not of the fabric
  bool asks_hosts = false;                 ///< took over in part: all hosts are still to register again
};

}  // namespace rch::sim::test
