#include "engines/dfsssp/dependency_order.h"

#include <algorithm>
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
      routes.for_each_dependency(tree, seen, [&](common::ChannelId c, common::ChannelId next) {
        const std::atomic_ref<std::uint8_t> flag(found[routes.channels().dependency(c, next)]);
        if (flag.load(std::memory_order_relaxed) == 0) flag.store(1, std::memory_order_relaxed);
      });
  });
  return found;
}

/// Depth first: a channel is done when all that its packets ask for are done.
class Search {
 public:
  Search(const common::Channels& channels, std::vector<std::uint8_t> dependencies)
      : channels_(channels), dependencies_(std::move(dependencies)), states_(channels.size(), State::fresh) {}

  DependencyOrder run() && {
    for (std::uint32_t c = 0; c < states_.size(); ++c)
      if (states_[c] == State::fresh) descend_from(common::ChannelId(c));
    std::ranges::reverse(order_.channels);
    return std::move(order_);
  }

 private:
  enum class State : std::uint8_t { fresh, open, done };
  struct Step {
    common::ChannelId channel;
    std::uint32_t next = 0;  ///< place of the next channel to look at, among those that follow
  };

  void descend_from(common::ChannelId start) {
    open(start);
    while (!way_.empty()) {
      Step& step = way_.back();
      const SwitchId at = channels_.to(step.channel);
      if (step.next == channels_.degree(at)) {
        states_[step.channel.index()] = State::done;
        order_.channels.push_back(step.channel);
        way_.pop_back();
        continue;
      }
      const common::ChannelId next(channels_.first(at).value + step.next++);
      if (dependencies_[channels_.dependency(step.channel, next)] == 0) continue;
      if (states_[next.index()] == State::fresh)
        open(next);
      else
        order_.has_circle |= states_[next.index()] == State::open;
    }
  }

  void open(common::ChannelId c) {
    states_[c.index()] = State::open;
    way_.push_back({c});
  }

  const common::Channels& channels_;
  const std::vector<std::uint8_t> dependencies_;
  std::vector<State> states_;  ///< by channel
  std::vector<Step> way_;
  DependencyOrder order_;
};

}  // namespace

DependencyOrder order_by_dependencies(const Routes& routes) {
  return Search(routes.channels(), dependencies(routes)).run();
}

}  // namespace rch::engines::dfsssp
