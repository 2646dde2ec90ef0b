#include "engines/dfsssp/up_down_layers.h"

#include <algorithm>

#include "engines/dfsssp/escape_tree.h"
#include "engines/dfsssp/partition.h"
#include "engines/updn/up_down.h"

namespace rch::engines::dfsssp {
namespace {

/// From `root`, and from one switch of each part that is not connected with it.
std::vector<std::uint32_t> ranks_from(SwitchId root, const fabric::SwitchGraph& graph) {
  std::vector<updn::Start> starts{{root}};
  for (;;) {
    std::vector<std::uint32_t> ranks = updn::ranks(graph, starts);
    const auto apart = std::ranges::find(ranks, updn::kUnranked);
    if (apart == ranks.end()) return ranks;
    starts.push_back({SwitchId(static_cast<std::uint32_t>(apart - ranks.begin()))});
  }
}

}  // namespace

VirtualLayers up_down_layers(const common::PortContext& context, const HopMatrix& hops,
                             const InstalledLayers& installed, Routes& routes) {
  const SwitchId root = partition_destinations(hops, 1).centres.front();
  const updn::Orientation orientation =
      updn::towards_roots(ranks_from(root, context.graph()), updn::numbers(context.view(), {}));
  routes.read(updn::route_up_down(context, orientation, false).lfts);
  VirtualLayers layers{.of_pair = installed.of_pair, .trees = {EscapeTree(routes.channels(), root).tree()}};
  layers.up_down = layers.keeps_sls = true;
  layers.detours = count_detours(hops, routes);
  for (std::uint8_t& layer : layers.of_pair) {
    if (layer == InstalledLayers::kUnknown) layer = 0;
    layers.count = std::max(layers.count, layer + std::size_t{1});
  }
  return layers;
}

}  // namespace rch::engines::dfsssp
