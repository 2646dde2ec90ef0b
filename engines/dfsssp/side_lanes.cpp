#include "engines/dfsssp/side_lanes.h"

#include <algorithm>

#include "engines/common/acyclic_dependencies.h"

namespace rch::engines::dfsssp {
namespace {

/// A lane with what it holds of the trees.
class SideLane {
 public:
  /// Keeps references; `order`: of all channels, as AcyclicDependencies wants it.
  SideLane(const Routes& routes, std::span<const common::ChannelId> order)
      : routes_(routes), dependencies_(routes.channels(), order) {}

  /// Takes all trees to the switch, or none.
  bool take(SwitchId to) {
    bool fits = true;
    dependencies_.mark();
    const auto [begin, end] = routes_.trees_to(to);
    for (std::uint32_t tree = begin; tree < end && fits; ++tree)
      routes_.for_each_dependency(tree, seen_, [&](common::ChannelId c, common::ChannelId next) {
        fits = fits && dependencies_.admit(c, next);
      });
    if (!fits) dependencies_.take_back([](std::size_t) { return false; });
    return fits;
  }

 private:
  const Routes& routes_;
  common::AcyclicDependencies dependencies_;
  std::vector<std::uint8_t> seen_;  ///< scratch space
};

}  // namespace

std::optional<Lanes> set_valleys_aside(const Valleys& valleys, const Routes& routes, std::size_t most) {
  std::vector<SwitchId> left = valleys.destinations_behind();
  std::size_t trees = 0;
  for (SwitchId to : left) trees += routes.trees_to(to).second - routes.trees_to(to).first;
  if (trees * 2 > routes.tree_count()) return std::nullopt;
  const std::vector<common::ChannelId> order = valleys.up_then_down();
  Lanes lanes{1, std::vector<std::uint8_t>(routes.channels().switch_count()), 0, {}};
  while (!left.empty()) {
    if (lanes.count == most) return std::nullopt;
    SideLane lane(routes, order);
    std::erase_if(left, [&](SwitchId to) {
      if (!lane.take(to)) return false;
      lanes.of[to.index()] = static_cast<std::uint8_t>(lanes.count);
      return true;
    });
    ++lanes.count;
  }
  return lanes;
}

}  // namespace rch::engines::dfsssp
