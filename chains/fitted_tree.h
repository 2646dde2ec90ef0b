#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engines/common/channels.h"
#include "engines/spanning_tree.h"
#include "fabric/fabric.h"
#include "verify/verify.h"

namespace rch::chains {

/// VL on which packets of a group leave a switch that they entered by a port.
using GroupVl = std::function<std::uint8_t(SwitchId, PortNum in, PortNum out)>;

/// A CDG whose nodes are numbers, kept acyclic while dependencies are added.
class GrowingCdg {
 public:
  using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  /// `edges` have no cycle.
  GrowingCdg(std::size_t nodes, const Edges& edges);

  /// Adds all and returns true, or changes nothing and returns false: they would close a cycle.
  bool try_add(const Edges& edges);

 private:
  bool try_add(std::uint32_t from, std::uint32_t to);
  bool make_room(std::uint32_t from, std::uint32_t to);

  std::vector<std::vector<std::uint32_t>> after_;
  std::vector<std::uint32_t> position_;  ///< by node, in a topological order
  std::vector<std::uint32_t> order_;     ///< nodes by position
  std::vector<std::uint8_t> reached_;    ///< by node; 0 between searches
};

/// Trees beside paths whose CDG is acyclic, for groups that change VLs on their way. A switch joins where its
/// branch closes no cycle on the VLs that packets really get, whichever of parallel links a group uses.
class FittedTrees {
 public:
  /// Keeps a reference to the fabric. `groups`: one for each service level of a group.
  FittedTrees(const fabric::Fabric& fabric, std::span<const verify::ChannelDependency> paths,
              std::vector<GroupVl> groups);

  /// A breadth-first tree; nothing if a switch with hosts that `root` could reach is left out.
  std::optional<engines::SpanningTree> from(SwitchId root) const;

 private:
  const fabric::Fabric& fabric_;
  engines::common::Channels channels_;
  std::vector<GroupVl> groups_;
  GrowingCdg cdg_;
};

}  // namespace rch::chains
