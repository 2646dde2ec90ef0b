#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "chains/growing_cdg.h"
#include "engines/common/channels.h"
#include "engines/spanning_tree.h"
#include "fabric/fabric.h"
#include "verify/verify.h"

namespace rch::chains {

/// Packets that a tree carries.
struct TreePackets {
  /// VL on which they leave a switch that they entered by a port.
  std::function<std::uint8_t(SwitchId, PortNum in, PortNum out)> vl;
  std::optional<Lid> mlid;  ///< which selects among parallel links; none: they may take every one of them
};

/// Ports whose packets a tree carries, by switch.
struct TreeEnds {
  std::vector<std::vector<PortNum>> sources;  ///< ports of hosts; port 0 where it is a member of a group
  std::vector<bool> needed;                   ///< the tree has to reach the switch
};

/// The outcome of a search.
struct TreeSearch {
  std::optional<engines::SpanningTree> tree;
  bool complete = true;  ///< without a tree: there is none; else the search was given up
};

/// Trees beside paths whose CDG is acyclic, for packets that may change VLs on their way. A tree fits if it
/// closes no cycle on the VLs that packets really get.
class FittedTrees {
 public:
  /// Work after which a search is given up: some seconds.
  static constexpr std::uint64_t kMostWork = 200'000'000;

  /// Keeps a reference to the fabric.
  FittedTrees(const fabric::Fabric& fabric, std::span<const verify::ChannelDependency> paths,
              std::vector<TreePackets> groups, TreeEnds ends);

  /// Parts of the tree without a needed switch are left out.
  bool fits(const engines::SpanningTree& tree);

  /// A tree that reaches all needed switches of the part of the fabric in which `roots` are. It is the first
  /// of these: a breadth-first tree from one of `roots`, one from another switch, one in random order, one
  /// that the search of all trees finds.
  TreeSearch search(std::span<const SwitchId> roots, std::uint64_t most_work = kMostWork);
  /// The search of all trees alone. Each step takes a branch into the tree or excludes it, and drops what can
  /// reach no needed switch any more; so it visits every tree once, if it is not given up.
  TreeSearch search_all(SwitchId root, std::uint64_t most_work = kMostWork);

 private:
  const fabric::Fabric& fabric_;
  engines::common::Channels channels_;
  std::vector<TreePackets> groups_;
  TreeEnds ends_;
  GrowingCdg cdg_;  ///< between calls: of the paths
};

}  // namespace rch::chains
