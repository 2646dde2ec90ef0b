#include "engines/common/dependency_graph.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "engines/common/depth_first.h"

namespace rch::engines::common {

void DependencyGraph::add(ChannelId c, ChannelId next) {
  const std::atomic_ref<std::uint8_t> flag(present_[channels_.dependency(c, next)]);
  if (flag.load(std::memory_order_relaxed) == 0) flag.store(1, std::memory_order_relaxed);
}

TopologicalOrder topological_order(const DependencyGraph& cdg) {
  DepthFirst search(cdg);
  search.visit_all();
  std::ranges::reverse(search.finished());
  return {std::move(search.finished()), search.has_cycle()};
}

}  // namespace rch::engines::common
