#include "engines/dfsssp/turn_layers.h"

#include <algorithm>
#include <utility>

#include "engines/common/acyclic_cdg.h"
#include "engines/multicast/breadth_first_tree.h"

namespace rch::engines::dfsssp {
namespace {

using common::ChannelId;

/// Roots of multicast trees that are tried, at most one more.
constexpr std::size_t kSampledRoots = 8;

/// Switches that a group of all hosts needs of a tree; none if the tree leaves hosts out.
IdSet<SwitchId> branches_to_hosts(const fabric::SubFabric& view, const SpanningTree& tree) {
  IdSet<SwitchId> needed(view.switch_count());
  needed.insert(tree.order.front());
  for (auto sw = tree.order.rbegin(); sw != tree.order.rend(); ++sw)
    if (!view.end_ports_of(*sw).empty())
      for (SwitchId at = *sw; !needed.contains(at); at = tree.parent[at.index()]) needed.insert(at);
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    if (!view.end_ports_of(SwitchId(s)).empty() && !needed.contains(SwitchId(s))) return {};
  return needed;
}

/// Layer 0: all dependencies but down-up turns, used or not, and those that a multicast tree adds.
class FirstLayer {
 public:
  FirstLayer(const DownUpTurns& turns, const Routes& routes, std::span<const ChannelId> order)
      : turns_(turns), channels_(routes.channels()), cdg_(channels_, order) {
    for (const ChannelId c : order)
      channels_.for_each_leaving(channels_.to(c), [&](ChannelId next) {
        if (channels_.to(next) != channels_.from(c) && !turns.is_turn(c, next)) cdg_.try_add(c, next);
      });
  }

  /// Adds the turns of these branches; false if they would close a cycle, on whichever of parallel links.
  bool add(const SpanningTree& tree, const IdSet<SwitchId>& branches) {
    const auto joined = [&](SwitchId a, SwitchId b) {
      return branches.contains(a) && branches.contains(b) &&
             (tree.parent[a.index()] == b || tree.parent[b.index()] == a);
    };
    return cdg_.try_add_all([&](auto&& add) {
      for (std::uint32_t i = 0; i < channels_.size(); ++i) {
        const ChannelId c(i);
        if (!joined(channels_.from(c), channels_.to(c))) continue;
        channels_.for_each_leaving(channels_.to(c), [&](ChannelId next) {
          if (channels_.to(next) != channels_.from(c) && turns_.is_turn(c, next) &&
              joined(channels_.to(c), channels_.to(next)))
            add(c, next);
        });
      }
    });
  }

 private:
  const DownUpTurns& turns_;
  const common::Channels& channels_;
  common::AcyclicCdg cdg_;
};

/// A multicast tree for layer 0; nothing if none of the roots has one.
std::optional<SpanningTree> find_tree(const DownUpTurns& turns, const Routes& routes,
                                      std::span<const ChannelId> order) {
  FirstLayer layer(turns, routes, order);
  const std::vector<SwitchId>& by_rank = turns.by_rank();
  const std::size_t step = std::max<std::size_t>(1, by_rank.size() / kSampledRoots);
  for (std::size_t i = by_rank.size(); i > 0; i -= std::min(i, step)) {
    SpanningTree tree = multicast::breadth_first_tree(turns.graph(), by_rank[i - 1]);
    const IdSet<SwitchId> branches = branches_to_hosts(routes.view(), tree);
    if (!branches.empty() && layer.add(tree, branches)) return tree;
  }
  return std::nullopt;
}

/// Adds all trees to a switch, or none.
bool try_add(const Routes& routes, SwitchId to, common::AcyclicCdg& layer) {
  std::vector<std::uint8_t> seen;
  return layer.try_add_all([&](auto&& add) {
    const auto [begin, end] = routes.trees_to(to);
    for (std::uint32_t tree = begin; tree < end; ++tree) routes.for_each_dependency(tree, seen, add);
  });
}

}  // namespace

std::optional<VirtualLayers> layers_for_turns(const DownUpTurns& turns, const Routes& routes,
                                              std::size_t most) {
  std::vector<SwitchId> left = turns.destinations();
  std::size_t trees = 0;
  for (SwitchId to : left) trees += routes.trees_to(to).second - routes.trees_to(to).first;
  if (trees * 2 > routes.tree_count()) return std::nullopt;
  const std::vector<ChannelId> order = turns.topological_order();
  auto tree = find_tree(turns, routes, order);
  if (!tree) return std::nullopt;
  VirtualLayers layers{
      .count = 1, .layer_of = std::vector<std::uint8_t>(routes.channels().switch_count()), .trees = {*tree}};
  while (!left.empty()) {
    if (layers.count == most) return std::nullopt;
    common::AcyclicCdg layer(routes.channels(), order);
    std::erase_if(left, [&](SwitchId to) {
      if (!try_add(routes, to, layer)) return false;
      layers.layer_of[to.index()] = static_cast<std::uint8_t>(layers.count);
      return true;
    });
    ++layers.count;
  }
  return layers;
}

}  // namespace rch::engines::dfsssp
