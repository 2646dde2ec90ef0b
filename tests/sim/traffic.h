#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "sim/simulated_fabric.h"

namespace rch::sim::test {

/// Service levels of paths, by port GUID of the source and LID of the destination.
using ServiceLevels = std::map<std::pair<Guid, std::uint16_t>, std::uint8_t>;
/// In place of one: the tables are not proven for packets to that LID, and the operator has accepted it.
constexpr std::uint8_t kUnproven = 0xFF;

/// What packets between hosts meet in the switches now: the tables they hold, over links that are active.
/// Written from the definitions, with nothing of verify/.
class Traffic {
 public:
  /// `levels`: what hosts were told; a path may have the level of each. None: 0.
  Traffic(const fabric::Fabric& fabric, const SimulatedFabric& simulated,
          std::vector<ServiceLevels> levels = {});

  /// A forwarding loop or a credit loop that packets between hosts of one piece of the fabric can meet; empty
  /// if there is none.
  std::string fault() const;
  /// Pairs of hosts in one piece of the fabric with `origin` whose packets do not arrive. Links count that
  /// are not down.
  std::vector<std::string> unreachable(PortId origin) const;
  /// A multicast packet of a host that comes to a switch or host twice; empty if there is none.
  std::string multicast_fault() const;
  /// As unreachable(), for the broadcast group of the default partition.
  std::vector<std::string> without_broadcast(PortId origin) const;
  /// True if packets of a host to a LID arrive at a port.
  bool leads(PortId from, Lid lid, PortId to) const;
  /// True if a multicast packet of a host arrives at another one.
  bool reaches(PortId from, Lid mlid, PortId to) const;
  /// Nodes that are joined with `origin` by links that are not down.
  std::vector<bool> piece_of(PortId origin) const;
  /// By links that are active.
  std::vector<bool> active_piece_of(PortId origin) const;

 private:
  enum class End { arrives, dropped, loops };
  End walk(PortId from, PortId to, std::vector<PortId>& channels) const;
  End walk(PortId from, std::uint16_t lid, PortId to, std::vector<PortId>& channels) const;
  std::set<std::uint16_t> multicast_lids() const;
  std::vector<PortId> copies(NodeId sw, std::uint16_t lid, PortId in) const;
  std::optional<std::set<PortId>> flood(PortId from, std::uint16_t lid) const;
  std::set<std::uint8_t> levels(PortId from, PortId to) const;
  std::vector<std::uint32_t> lanes(const std::vector<PortId>& channels, std::uint8_t level) const;
  std::string describe(const std::vector<PortId>& channels) const;
  PortId next_hop(NodeId sw, std::uint16_t lid) const;
  bool is_active(PortId port) const;
  std::vector<PortId> hosts() const;
  std::vector<std::size_t> pieces() const;
  template <class Joins>
  std::vector<bool> joined_with(PortId origin, const Joins& joins) const;
  template <class Visit>
  void for_pairs(const Visit& visit) const;
  std::string who_goes_on(std::uint32_t lane, std::uint32_t next) const;

  const fabric::Fabric& fabric_;
  const SimulatedFabric& simulated_;
  std::vector<ServiceLevels> levels_;
};

}  // namespace rch::sim::test
