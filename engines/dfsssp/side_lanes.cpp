#include "engines/dfsssp/side_lanes.h"

#include <algorithm>
#include <utility>

#include "engines/common/acyclic_dependencies.h"
#include "engines/multicast/growth.h"

namespace rch::engines::dfsssp {
namespace {

/// Roots of trees for multicast that are tried, at most one more.
constexpr std::size_t kTreeRoots = 8;

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

/// Switches that a group of all hosts takes of a tree; none of them if hosts are left out.
IdSet<SwitchId> branches_to_hosts(const fabric::SubFabric& view, const SpanningTree& tree) {
  IdSet<SwitchId> taken(view.switch_count());
  taken.insert(tree.order.front());
  for (auto sw = tree.order.rbegin(); sw != tree.order.rend(); ++sw)
    if (!view.end_ports_of(*sw).empty())
      for (SwitchId at = *sw; !taken.contains(at); at = tree.parent[at.index()]) taken.insert(at);
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    if (!view.end_ports_of(SwitchId(s)).empty() && !taken.contains(SwitchId(s))) return {};
  return taken;
}

/// Lane 0: whatever leads by no valley, be it used or not, and what a tree for multicast adds.
class FirstLane {
 public:
  FirstLane(const Valleys& valleys, const Routes& routes, std::span<const common::ChannelId> order)
      : valleys_(valleys), channels_(routes.channels()), dependencies_(channels_, order) {
    for (const common::ChannelId c : order)
      channels_.for_each_leaving(channels_.to(c), [&](common::ChannelId next) {
        if (channels_.to(next) != channels_.from(c) && !valleys.is_valley(c, next))
          dependencies_.admit(c, next);
      });
  }

  /// False if these branches would close a circle, whichever of parallel cables they take.
  bool has_room_for(const SpanningTree& tree, const IdSet<SwitchId>& branches) {
    const auto joined = [&](SwitchId a, SwitchId b) {
      return branches.contains(a) && branches.contains(b) &&
             (tree.parent[a.index()] == b || tree.parent[b.index()] == a);
    };
    bool fits = true;
    dependencies_.mark();
    for (std::uint32_t i = 0; i < channels_.size() && fits; ++i) {
      const common::ChannelId c(i);
      if (!joined(channels_.from(c), channels_.to(c))) continue;
      channels_.for_each_leaving(channels_.to(c), [&](common::ChannelId next) {
        const bool waits = channels_.to(next) != channels_.from(c) && valleys_.is_valley(c, next) &&
                           joined(channels_.to(c), channels_.to(next));
        fits = fits && (!waits || dependencies_.admit(c, next));
      });
    }
    if (!fits) dependencies_.take_back([](std::size_t) { return false; });
    return fits;
  }

 private:
  const Valleys& valleys_;
  const common::Channels& channels_;
  common::AcyclicDependencies dependencies_;
};

/// For multicast on lane 0; nothing if no root is found for one.
std::optional<SpanningTree> find_tree(const Valleys& valleys, const Routes& routes,
                                      std::span<const common::ChannelId> order) {
  FirstLane lane(valleys, routes, order);
  const std::vector<SwitchId>& upwards = valleys.upwards();
  const std::size_t step = std::max<std::size_t>(1, upwards.size() / kTreeRoots);
  for (std::size_t i = upwards.size(); i > 0; i -= std::min(i, step)) {
    SpanningTree tree = multicast::grow(valleys.graph(), upwards[i - 1]);
    const IdSet<SwitchId> branches = branches_to_hosts(routes.view(), tree);
    if (!branches.empty() && lane.has_room_for(tree, branches)) return tree;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Lanes> set_valleys_aside(const Valleys& valleys, const Routes& routes, std::size_t most) {
  std::vector<SwitchId> left = valleys.destinations_behind();
  std::size_t trees = 0;
  for (SwitchId to : left) trees += routes.trees_to(to).second - routes.trees_to(to).first;
  if (trees * 2 > routes.tree_count()) return std::nullopt;
  const std::vector<common::ChannelId> order = valleys.up_then_down();
  Lanes lanes{1, std::vector<std::uint8_t>(routes.channels().switch_count()), 0, {}};
  if (auto tree = find_tree(valleys, routes, order))
    lanes.trees.push_back(std::move(*tree));
  else
    return std::nullopt;
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
