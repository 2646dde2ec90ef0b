#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fabric/random.h"
#include "sa/server.h"
#include "sim/generations.h"
#include "sim/host.h"
#include "sim/traffic.h"

namespace rch::sim::test {

/// The hosts of a fabric as clients of subnet administration, and what must hold for them.
class Hosts {
 public:
  using Say = std::function<void(const std::string&)>;
  /// All references must outlive it. Most hosts join the broadcast group.
  /// `told`: every second host registers with another manager only when it is told to.
  Hosts(SimulatedFabric& simulated, const fabric::Fabric& fabric, fabric::Random& draw, bool told, Say say);

  /// One of them joins, leaves, registers or asks.
  void act();
  /// A plan was installed.
  void on_installed(const chains::Plan& plan) { generations_.add(plan); }

  const std::vector<std::unique_ptr<Host>>& all() const { return all_; }
  /// An answer that must not be; empty if there was none.
  const std::string& fault() const { return fault_; }
  /// A registration that the master at `manager` acknowledged and does not have, of a host in the fabric that
  /// it manages; empty if there is none.
  std::string lost(PortId manager, const fabric::Fabric& managed, const sa::Server& server) const;

  // Once nothing is lost any more. `piece`: nodes that are joined with a manager.
  void confirm(const std::vector<bool>& piece);
  bool are_idle(const std::vector<bool>& piece) const;
  /// What confirm() brought to light; empty if all is well.
  std::string unconfirmed(const std::vector<bool>& piece, const Traffic& traffic) const;

  Host::Counters counters() const;

 private:
  Item draw_item();
  bool is_in(const std::vector<bool>& piece, PortId port) const {
    return piece[fabric_.port(port).node.index()];
  }
  std::string without_tree(const std::vector<bool>& piece, const Traffic& traffic) const;

  SimulatedFabric& simulated_;
  const fabric::Fabric& fabric_;
  fabric::Random& draw_;
  Say say_;
  Generations generations_;
  std::string fault_;
  std::vector<std::unique_ptr<Host>> all_;
};

}  // namespace rch::sim::test
