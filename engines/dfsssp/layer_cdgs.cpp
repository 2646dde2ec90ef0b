#include "engines/dfsssp/layer_cdgs.h"

#include <utility>
#include <vector>

#include "engines/common/dependency_graph.h"

namespace rch::engines::dfsssp {
namespace {

using common::ChannelId;

/// As for the layers themselves (virtual_layers.cpp): a move that takes longer to check is refused.
constexpr std::size_t kSearchLimit = 200;

/// The dependencies of each layer, once each.
class DependencyLists {
 public:
  using List = std::vector<std::pair<ChannelId, ChannelId>>;

  DependencyLists(const common::Channels& channels, std::size_t layers)
      : channels_(channels), lists_(layers), listed_(layers * channels.dependency_count()) {}

  void add(std::size_t layer, ChannelId c, ChannelId next) {
    std::uint8_t& listed = listed_[layer * channels_.dependency_count() + channels_.dependency(c, next)];
    if (std::exchange(listed, std::uint8_t{1}) == 0) lists_[layer].emplace_back(c, next);
  }
  /// Channels of the path from a switch.
  void add_path(std::size_t layer, const Routes& routes, std::size_t tree, SwitchId from) {
    ChannelId last = ChannelId::none();
    for (SwitchId at = from; at != routes.tree(tree).to && routes.sends(tree, at); at = channels_.to(last)) {
      const ChannelId c = routes.next(tree, at);
      if (!last.is_none()) add(layer, last, c);
      last = c;
    }
  }
  const std::vector<List>& lists() const { return lists_; }

 private:
  const common::Channels& channels_;
  std::vector<List> lists_;           ///< by layer
  std::vector<std::uint8_t> listed_;  ///< by layer, then dependency
};

}  // namespace

/// Nothing has to be reordered where the order is topological from the beginning.
LayerCdgs::LayerCdgs(const LayersInUse& layers, const Routes& routes) : layers_(layers), routes_(routes) {
  const std::size_t switches = routes.channels().switch_count();
  DependencyLists dependencies(routes.channels(), layers.count);
  std::vector<std::uint8_t> seen;
  for (std::size_t t = 0; t < routes.tree_count(); ++t) {
    if (layers.of_pair.empty())
      routes.for_each_dependency(
          t, seen, [&](ChannelId c, ChannelId next) { dependencies.add(layer_of(t), c, next); });
    else
      for (const SwitchId from : routes.sources())
        dependencies.add_path(layers.of_pair[from.index() * switches + routes.tree(t).to.index()], routes, t,
                              from);
  }
  for (const SpanningTree& tree : layers.multicast)
    for_each_tree_dependency(tree, routes.channels(),
                             [&](ChannelId c, ChannelId next) { dependencies.add(0, c, next); });
  for (const auto& list : dependencies.lists()) {
    common::DependencyGraph graph(routes.channels());
    for (const auto& [c, next] : list) graph.add(c, next);
    common::AcyclicCdg& cdg =
        cdgs_.emplace_back(routes.channels(), common::topological_order(graph).channels);
    for (const auto& [c, next] : list) cdg.try_add(c, next);
    cdg.limit_search(kSearchLimit);
  }
}

/// The layers of all sources whose packets pass the switch must have room.
bool LayerCdgs::try_move_pairs(std::size_t tree, ChannelId first) {
  const common::Channels& channels = routes_.channels();
  const SwitchId sw = channels.from(first), to = routes_.tree(tree).to;
  std::vector<std::vector<ChannelId>> arriving(
      cdgs_.size());  // by layer; none(): packets begin at the switch
  for (const SwitchId from : routes_.sources()) {
    ChannelId last = ChannelId::none();
    SwitchId at = from;
    for (; at != sw && at != to && routes_.sends(tree, at); at = channels.to(last))
      last = routes_.next(tree, at);
    if (at == sw)
      arriving[layers_.of_pair[from.index() * channels.switch_count() + to.index()]].push_back(last);
  }
  for (std::size_t layer = 0; layer < cdgs_.size(); ++layer) {
    if (arriving[layer].empty()) continue;
    const bool fits = cdgs_[layer].try_add_all([&](auto&& add) {
      for (const ChannelId c : arriving[layer])
        if (!c.is_none()) add(c, first);
      add_path_behind(tree, first, add);
    });
    if (fits) continue;
    for (std::size_t before = 0; before < layer; ++before)
      if (!arriving[before].empty()) cdgs_[before].roll_back();
    return false;
  }
  return true;
}

}  // namespace rch::engines::dfsssp
