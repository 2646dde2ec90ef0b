#pragma once

// The fabrics that every benchmark measures, generated once per process.

#include <string>

#include "fabric/fabric.h"

namespace rch::bench {

struct BenchFabric {
  fabric::Fabric fabric;  ///< LIDs assigned as OpenSM would
  std::string text;       ///< the same in ibnetdiscover form
};

/// Fabrics are shuffled, as real ones are. `_ordered` is the same fabric as generated, for comparison.

/// 16x16x16 torus, 4 hosts a switch: 4,096 switches, 16,384 hosts.
const BenchFabric& torus16();
const BenchFabric& torus16_ordered();
/// 32x32x16 torus, 1 host a switch: 16,384 switches, 32,768 LIDs, tables of 537 MB.
const BenchFabric& torus32();
/// Three-level k-ary fat trees: k=24 has 720 switches and 3,456 hosts, k=36 has 1,620 and 11,664.
const BenchFabric& fat_tree24();
const BenchFabric& fat_tree36();
const BenchFabric& fat_tree36_ordered();
/// k=24 with what real fabrics have besides: enhanced ports 0, hosts on spines, hosts with two ports, spare
/// ports.
const BenchFabric& fat_tree24_equipped();
/// k=56: 3,920 switches, 43,904 hosts, 47,824 LIDs.
const BenchFabric& fat_tree56();
const BenchFabric& fat_tree56_ordered();

}  // namespace rch::bench
