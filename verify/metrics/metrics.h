#pragma once

#include <cstdint>
#include <vector>

#include "base/bitset.h"
#include "fabric/fabric.h"
#include "fabric/routing_tables.h"

namespace rch::verify {

/// How many things have which value, by ascending value, no bin empty.
struct Histogram {
  struct Bin {
    std::uint64_t value = 0;
    std::uint64_t count = 0;
    friend bool operator==(const Bin&, const Bin&) = default;
  };
  std::vector<Bin> bins;

  /// 0 of an empty histogram.
  double mean() const;
};

/// How evenly tables spread traffic (docs/metrics.md). A host is a CA or router port with a LID that hangs
/// on a switch; a link is one direction of a cable between switches; a flow is what one host sends to
/// another.
struct Metrics {
  std::uint64_t pairs = 0;         ///< ordered (host, LID of another host) pairs whose path arrives
  std::uint64_t missing = 0;       ///< those whose path does not, although cables join them
  std::uint64_t disconnected = 0;  ///< those in parts of the fabric that no cable joins
  /// Pairs by cables on their path, those to hosts included (ibdmchk, LFT ROUTE HOP).
  Histogram hops;
  /// Links by hosts that others send to over them (ibdmchk, NUM DLIDS); as there, links of a switch that
  /// sends nothing over any of them do not count.
  Histogram destinations;

  /// Every host sends to every LID: flows on one link.
  struct AllToAll {
    std::uint64_t most = 0;
    std::uint64_t least = 0;  ///< of the links in use
    std::uint64_t used = 0;   ///< links in use
    std::uint64_t links = 0;
  } all_to_all;

  /// Host i sends to host i + k, for all i at once: flows on the fullest link, for each shift k.
  struct Shifts {
    std::uint64_t count = 0;  ///< shifts looked at: all, or every ceil(N / 300)-th of more than 2,000 hosts
    double mean = 0;
    std::uint64_t worst = 0;
  } shifts;

  /// Means over seeded random patterns between the hosts' first LIDs.
  struct Samples {
    std::uint64_t count = 0;
    std::uint64_t seed = 0;
    /// Every host sends to one host and receives from one: flows on the fullest link.
    double permutation = 0;
    /// Effective bisection bandwidth (ORCS): one half of the hosts sends to the other, each to one. A flow
    /// gets 1 / flows on the fullest link of its path, 0 without a path; mean over flows.
    double bisection = 0;
  } samples;

  /// Paths by which the LIDs of one host lead there, compared with the path to its first LID (ibdmchk, LMC
  /// BASED ROUTING): how many switches that path has, and how many of them, or of the systems they belong to,
  /// lie on the other path too. By ascending depth, then common; empty without LMC.
  struct Overlap {
    std::uint32_t depth = 0;
    std::uint32_t common = 0;
    std::uint64_t pairs = 0;  ///< (host, other LID of another host)
    friend bool operator==(const Overlap&, const Overlap&) = default;
  };
  std::vector<Overlap> common_switches;
  std::vector<Overlap> common_systems;
};

struct MetricsOptions {
  std::uint32_t samples = 1000;
  std::uint64_t seed = 1;
  /// Memory for columns of the tables, beside the tables themselves; less costs time only.
  std::size_t column_bytes = std::size_t{64} << 20;
};

/// Flows on each link when every host sends to every LID: what Metrics::all_to_all sums up.
std::vector<std::uint64_t> link_flows(const fabric::Fabric& fabric, const fabric::RoutingTables& tables);

/// Flows when every host sends to these LIDs alone, by port of the fabric that they leave a switch by; 0 for
/// ports that lead to no switch.
std::vector<std::uint64_t> flows_to(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                                    const IdSet<Lid>& lids);

/// Follows table entries alone: service levels and VLs do not matter here. Hosts are numbered by switch, then
/// port. Same result for any number of threads.
Metrics measure(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                const MetricsOptions& options = {});

}  // namespace rch::verify
