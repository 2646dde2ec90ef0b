#pragma once

// The verdict once more, the plain way: every pair walked hop by hop, one at a time, with sets and maps. It
// shares nothing with verify/ but the question.

#include <map>
#include <set>
#include <tuple>

#include "fabric/fabric.h"
#include "fabric/routing_tables.h"
#include "verify/verify.h"

namespace rch::test {

/// (sending switch, port, VL).
using Channel = std::tuple<std::uint32_t, unsigned, unsigned>;

struct BruteForce {
  std::uint64_t pairs = 0;  ///< of end ports and LIDs of others, or of switches
  std::map<verify::FindingKind, std::uint64_t> lost;
  std::set<Channel> channels;                       ///< between switches
  std::map<Channel, std::set<Channel>> dependents;  ///< no empty sets

  std::uint64_t dependencies() const;
  /// Length of the shortest cycle through a channel; 0: none.
  std::size_t shortest_cycle(const Channel& through) const;
};

/// Some cables lead from one switch to the other.
bool joined(const fabric::Fabric& fabric, SwitchId from, SwitchId to);

BruteForce brute_force(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                       const verify::Options& options);

/// The same towards LIDs of switches, added to what is there.
void brute_force_to_switches(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                             const verify::Options& options, BruteForce& result);

/// All LIDs, of whoever, whose entries lead from some switch back to it. Ascending.
std::vector<Lid> looping_lids(const fabric::Fabric& fabric, const fabric::RoutingTables& tables);

/// Channels between switches that one pair really uses, in order.
std::vector<Channel> channels_of(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                                 const verify::Options& options, PortId source, Lid lid, std::uint8_t sl);

}  // namespace rch::test
