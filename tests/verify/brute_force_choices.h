#pragma once

// What adaptive switches may do, the plain way: for every pair of ports every choice is followed, one packet
// at a time. It shares nothing with verify/adaptive but the question.

#include "brute_force.h"

namespace rch::test {

/// As brute_force(); a pair counts once, by the worst that may happen: no path, no virtual lane, a loop.
BruteForce brute_force_choices(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                               const verify::Options& options);
/// The same towards LIDs of switches, added to what is there.
void brute_force_choices_to_switches(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                                     const verify::Options& options, BruteForce& result);

/// Service levels that packets of a path may have, one bit each: `sl`, or any where all paths have that one.
std::uint16_t packet_sls(const fabric::RoutingTables& tables, const verify::Options& options,
                         std::uint8_t sl);

/// Ports by which a switch may send a packet of one of the service levels, ascending; 255 and others that
/// lead nowhere among them.
std::set<unsigned> choices(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, SwitchId sw,
                           Lid lid, std::uint16_t sls);

}  // namespace rch::test
