#include "engines/common/port_selection/weighted_graph.h"

#include <utility>

#include "engines/common/port_selection/option_lines.h"
#include "engines/common/port_selection/throttled_links.h"
#include "engines/opensm_compat/rules.h"

namespace rch::engines::common {

WeightedGraph::WeightedGraph(const fabric::SubFabric& view, const PortOptions& options) : view_(view) {
  if (options.avoid_throttled_links && opensm_compat::rules(options.compat).reads_throttled_links) {
    UnthrottledLinks links = unthrottled_links(view);
    reduced_ = std::move(links.graph);
    remarks_ = std::move(links.remarks);
  }
  if (!options.hop_weights.empty()) read_weights(options.hop_weights);
}

void WeightedGraph::read_weights(std::span<const HopWeight> lines) {
  weights_.assign(view_.fabric().ports().size(), 1);
  UnusedLines unused;
  for (const HopWeight& line : lines) {
    const auto port = find_port(view_.fabric(), line.leaving);
    if (port && line.weight != 0)
      weights_[port->index()] = line.weight;
    else
      unused.add(text(line.leaving));
  }
  unused.report("hop_weights_file", "name no port of a switch here or have weight 0", lines.size(), remarks_);
}

}  // namespace rch::engines::common
