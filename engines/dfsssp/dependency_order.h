#pragma once

#include <vector>

#include "engines/dfsssp/routes.h"

namespace rch::engines::dfsssp {

/// All channels, each before those that its packets ask for next, by the dependencies of all trees together.
struct DependencyOrder {
  std::vector<common::ChannelId> channels;
  /// Channels wait for each other in a circle: one virtual lane would not do. The order then holds for all
  /// dependencies but those that close circles in a search depth first, which are few.
  bool has_circle = false;
};

DependencyOrder order_by_dependencies(const Routes& routes);

}  // namespace rch::engines::dfsssp
