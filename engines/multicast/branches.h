#pragma once

#include <span>
#include <vector>

#include "engines/spanning_tree.h"
#include "fabric/fabric.h"

namespace rch::engines::multicast {

/// The part of a tree that a group needs: the ports that carry its packets, ascending. They are those of the
/// members, and both ends of one link for each branch between them and from senders to them. Of parallel
/// links `mlid` selects one, round robin. No branch ends at a switch without a member or sender. Those
/// outside of the tree get nothing. A group without a member, or with nobody else, needs no ports
/// (OpenSM's osm_mcast_mgr.c).
///
/// `members`: CA and router ports, and port 0 of switches. `senders`: that do not receive.
std::vector<PortId> branches(const fabric::Fabric& fabric, const SpanningTree& tree,
                             std::span<const PortId> members, std::span<const PortId> senders, Lid mlid);

}  // namespace rch::engines::multicast
