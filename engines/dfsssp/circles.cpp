#include "engines/dfsssp/circles.h"

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/parallel.h"

namespace rch::engines::dfsssp {
namespace {

/// By dependency, 1 if some tree has it.
std::vector<std::uint8_t> dependencies(const Routes& routes) {
  constexpr std::size_t kGrain = 32;
  std::vector<std::uint8_t> found(routes.channels().dependency_count());
  parallel_ranges(routes.tree_count(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint8_t> seen;
    for (std::size_t tree = begin; tree < end; ++tree)
      routes.for_each_dependency(tree, seen, [&](ChannelId c, ChannelId next) {
        const std::atomic_ref<std::uint8_t> flag(found[routes.channels().dependency(c, next)]);
        if (flag.load(std::memory_order_relaxed) == 0) flag.store(1, std::memory_order_relaxed);
      });
  });
  return found;
}

}  // namespace

/// Channels that nothing waits for any more are taken away until none is left, or none can be.
bool has_circle(const Routes& routes) {
  const Channels& channels = routes.channels();
  const std::vector<std::uint8_t> found = dependencies(routes);
  const auto for_each_next = [&](ChannelId c, auto&& f) {
    channels.for_each_leaving(channels.to(c), [&](ChannelId next) {
      if (found[channels.dependency(c, next)] != 0) f(next);
    });
  };
  std::vector<std::uint32_t> before(channels.size());  // channels that packets of this one come from
  for (std::uint32_t c = 0; c < channels.size(); ++c)
    for_each_next(ChannelId(c), [&](ChannelId next) { ++before[next.index()]; });
  std::vector<ChannelId> free;
  for (std::uint32_t c = 0; c < channels.size(); ++c)
    if (before[c] == 0) free.push_back(ChannelId(c));
  for (std::size_t i = 0; i < free.size(); ++i)
    for_each_next(free[i], [&](ChannelId next) {
      if (--before[next.index()] == 0) free.push_back(next);
    });
  return free.size() < channels.size();
}

}  // namespace rch::engines::dfsssp
