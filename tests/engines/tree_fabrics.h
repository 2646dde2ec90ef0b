#pragma once

// Fat trees put together in memory, whole and damaged.

#include <cstdint>
#include <vector>

#include "engines/pqft/structure.h"
#include "fabric/forwarding_tables.h"
#include "support/small_fabrics.h"
#include "verify/metrics/metrics.h"
#include "verify/verify.h"

namespace rch::test {

/// What happens to a tree before it is cabled; every choice comes from the seed.
struct Damage {
  double lost_cables = 0;             ///< share of the cables between switches
  double lost_hosts = 0;              ///< share of the hosts
  std::uint32_t sideways_cables = 0;  ///< added between switches of one level
  bool shuffle_ports = false;
  std::uint64_t seed = 1;
};

struct TreeFabric {
  fabric::Fabric fabric;
  std::vector<Guid> roots;  ///< node GUIDs of the top level
};

/// PGFT(h; M; W; P): switches level by level from the leaves, each by its digits. Hosts hang on leaves only.
/// `guid_step` as in Shape.
TreeFabric pgft(const engines::pqft::Structure& structure, const Damage& damage = {}, std::uint8_t lmc = 0,
                std::uint64_t guid_step = 8);

/// PGFT of a k-ary tree of k-port switches with three levels.
engines::pqft::Structure k_ary(std::uint32_t k);

/// The tables as a routing of one step, for verify/.
fabric::RoutingTables one_step(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts);

/// Findings of verify/ but pairs without a path, one a line; empty: none.
std::string dangers(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts);

/// Flows on the fullest link, at worst, when the host at every place of `order` sends to the one k places
/// further on, for each k; places without a host stand idle.
std::uint64_t worst_shift(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts,
                          const std::vector<PortId>& order);

}  // namespace rch::test
