#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rch::test {

/// System types and a topology of such systems, without a mistake: boards of nodes and of other boards,
/// variants and aliases, connections stated from one end or both, removed boards, cables of every rate.
struct RandomCluster {
  std::vector<std::string> ibnl;  ///< one text a system type
  std::string topo;
};

/// `name` begins the names of the types and systems, so that many clusters can share a directory.
RandomCluster random_cluster(std::uint64_t seed, const std::string& name);

}  // namespace rch::test
