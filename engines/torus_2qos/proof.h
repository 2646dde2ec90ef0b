#pragma once

#include "engines/torus_2qos/ring_tables.h"
#include "engines/torus_2qos/vl_counts.h"

namespace rch::engines::torus_2qos {

/// Proves that the hop rule routes every pair of switches around the missing ones, and that the channel
/// dependency graph of all routes is acyclic. Needs rings of one segment each. Without missing switches there
/// is nothing to prove. Parallel links count as one channel, so a cycle that only their sharing breaks is
/// refused.
///
/// Fails with
///   unroutable     the rule has no route between two switches
///   credit-loop    a cycle that no number of VLs avoids
///   too-few-vls    a cycle that 4 data VLs between switches would avoid
Attempt<void> prove(const fabric::SubFabric& view, const Torus& torus, const RingTables& rings,
                    const VlCounts& vls, const Options& options);

}  // namespace rch::engines::torus_2qos
