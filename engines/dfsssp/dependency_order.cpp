#include "engines/dfsssp/dependency_order.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "engines/dfsssp/depth_first.h"

namespace rch::engines::dfsssp {
namespace {

/// By dependency, 1 if some tree has it.
std::vector<std::uint8_t> dependencies(const Routes& routes) {
  constexpr std::size_t kGrain = 32;
  std::vector<std::uint8_t> found(routes.channels().dependency_count());
  parallel_ranges(routes.tree_count(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint8_t> seen;
    for (std::size_t tree = begin; tree < end; ++tree)
      routes.for_each_dependency(tree, seen, [&](common::ChannelId c, common::ChannelId next) {
        const std::atomic_ref<std::uint8_t> flag(found[routes.channels().dependency(c, next)]);
        if (flag.load(std::memory_order_relaxed) == 0) flag.store(1, std::memory_order_relaxed);
      });
  });
  return found;
}

}  // namespace

DependencyOrder order_by_dependencies(const Routes& routes) {
  const common::Channels& channels = routes.channels();
  const std::vector<std::uint8_t> found = dependencies(routes);
  DepthFirst search(channels, [&](common::ChannelId c, common::ChannelId next) {
    return found[channels.dependency(c, next)] != 0;
  });
  for (std::uint32_t c = 0; c < channels.size(); ++c) search.search_from(common::ChannelId(c));
  std::ranges::reverse(search.done());
  return {std::move(search.done()), search.has_circle()};
}

}  // namespace rch::engines::dfsssp
