#pragma once

#include <cstdint>
#include <vector>

#include "engines/dfsssp/acyclic_dependencies.h"

namespace rch::engines::dfsssp {

/// The way out when nothing else fits: cables that join all switches and have no circle themselves. A lane in
/// which their dependencies are admitted before any other can carry routes to every destination.
class SpanningTree {
 public:
  /// As near to `root` as cables allow; of each other part of the fabric to its first switch.
  SpanningTree(const Channels& channels, SwitchId root);

  void reserve(AcyclicDependencies& lane) const;
  /// By switch, its channel towards a destination; ChannelId::none() of the destination and of switches that
  /// no cable joins to it.
  std::vector<ChannelId> ways_to(SwitchId destination) const;

 private:
  const Channels& channels_;
  std::vector<std::uint8_t> member_;  ///< by channel; of both directions
};

}  // namespace rch::engines::dfsssp
