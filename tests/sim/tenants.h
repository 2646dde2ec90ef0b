#pragma once

#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/random.h"
#include "sim/simulated_fabric.h"
#include "sim/traffic.h"

namespace rch::sim::test {

/// Partitions that change. In each version of the partition file a host is in one partition besides the
/// default one, or in none: its tenant.
class Tenants {
 public:
  /// All must outlive it.
  Tenants(const fabric::Fabric& fabric, SimulatedFabric& simulated, fabric::Random& draw);

  /// Hosts move to other tenants.
  void change();
  /// A host starts again: its P_Key table is as delivered, and its link comes up anew. Returns which.
  PortId restart_host();
  /// The partition file now.
  std::string file() const;
  /// Number of that file.
  std::size_t version() const { return versions_.size() - 1; }

  /// A manager begins to write a version, which need not be the last one.
  void on_update(std::size_t version);
  /// It installed it on these ports.
  void on_installed(const fabric::Fabric& installed, std::size_t version);
  /// A port with P_Keys of two tenants, or two hosts that can exchange packets of a tenant although no
  /// version that they may hold says so; empty if there is none.
  std::string fault(const Traffic& traffic) const;
  /// Names the first port that does not hold its P_Keys; empty: there is none.
  std::string unassigned(const fabric::Fabric& installed) const;

 private:
  using PKey = std::uint16_t;
  /// By host: the P_Key of its tenant; 0: it has none.
  using Version = std::vector<PKey>;

  PKey draw_key();
  std::vector<PKey> keys_of(PortId port) const;
  std::string two_tenants(PortId port) const;
  bool lets_pass(PortId host, PKey key, hw::Field enforcement) const;
  bool can_send(PortId from, PortId to) const;
  bool may_send(std::size_t from, std::size_t to) const;
  std::string describe(std::size_t host) const;

  const fabric::Fabric& fabric_;
  SimulatedFabric& simulated_;
  fabric::Random& draw_;
  std::vector<PortId> hosts_;
  std::vector<Version> versions_;
  std::vector<std::size_t> oldest_;  ///< by host: it holds P_Keys of this version or of later ones
};

}  // namespace rch::sim::test
