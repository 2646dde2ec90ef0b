#include "engines/dfsssp/layer_cdgs.h"

#include <utility>
#include <vector>

#include "engines/common/dependency_graph.h"

namespace rch::engines::dfsssp {
namespace {

using common::ChannelId;

/// As for the layers themselves (virtual_layers.cpp): a move that takes longer to check is refused.
constexpr std::size_t kSearchLimit = 200;

/// Calls add(c, next) for the dependencies of a multicast tree, on whichever of parallel links.
template <class Add>
void list_dependencies(const SpanningTree& tree, const common::Channels& channels, Add&& add) {
  const auto has = [&](ChannelId c) {
    const SwitchId from = channels.from(c), to = channels.to(c);
    return tree.parent[from.index()] == to || tree.parent[to.index()] == from;
  };
  for (std::uint32_t i = 0; i < channels.size(); ++i) {
    const ChannelId c(i);
    if (!has(c)) continue;
    channels.for_each_leaving(channels.to(c), [&](ChannelId next) {
      if (has(next) && channels.to(next) != channels.from(c)) add(c, next);
    });
  }
}

}  // namespace

/// Nothing has to be reordered where the order is topological from the beginning.
LayerCdgs::LayerCdgs(const LayersInUse& layers, const Routes& routes) : layers_(layers), routes_(routes) {
  using Dependencies = std::vector<std::pair<ChannelId, ChannelId>>;
  std::vector<Dependencies> of_layer(layers.count);
  std::vector<std::uint8_t> seen;
  for (std::size_t t = 0; t < routes.tree_count(); ++t)
    routes.for_each_dependency(
        t, seen, [&](ChannelId c, ChannelId next) { of_layer[layer_of(t)].emplace_back(c, next); });
  for (const SpanningTree& tree : layers.multicast)
    list_dependencies(tree, routes.channels(),
                      [&](ChannelId c, ChannelId next) { of_layer.front().emplace_back(c, next); });
  for (const Dependencies& dependencies : of_layer) {
    common::DependencyGraph graph(routes.channels());
    for (const auto& [c, next] : dependencies) graph.add(c, next);
    common::AcyclicCdg& cdg =
        cdgs_.emplace_back(routes.channels(), common::topological_order(graph).channels);
    for (const auto& [c, next] : dependencies) cdg.try_add(c, next);
    cdg.limit_search(kSearchLimit);
  }
}

}  // namespace rch::engines::dfsssp
