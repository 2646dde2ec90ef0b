#include "chains/compose.h"

#include <utility>

namespace rch::chains {

using fabric::Fabric;
using fabric::Sl2VlTables;
using fabric::SlRule;
using fabric::SubFabric;

Sl2VlTables uniform(const Fabric& fabric, const fabric::Sl2VlMap& map) {
  std::vector<std::uint8_t> num_ports;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    num_ports.push_back(fabric.node(SwitchId(s)).num_ports);
  return Sl2VlTables(num_ports, map);
}

SlRule to_fabric(const SubFabric& view, SlRule rule) {
  if (view.is_whole()) return rule;
  for (SlRule::Dimension& d : rule.dimensions) {
    std::vector<std::uint16_t> coordinate(view.fabric().switch_count(), SlRule::kNoCoordinate);
    for (std::uint32_t s = 0; s < view.switch_count(); ++s)
      coordinate[view.fabric_switch(SwitchId(s)).index()] = d.coordinate[s];
    d.coordinate = std::move(coordinate);
  }
  return rule;
}

engines::SpanningTree to_fabric(const SubFabric& view, engines::SpanningTree tree) {
  if (view.is_whole()) return tree;
  std::vector<SwitchId> parent(view.fabric().switch_count(), SwitchId::none());
  for (SwitchId& sw : tree.order) {
    const SwitchId up = tree.parent[sw.index()];
    sw = view.fabric_switch(sw);
    if (!up.is_none()) parent[sw.index()] = view.fabric_switch(up);
  }
  tree.parent = std::move(parent);
  return tree;
}

void overlay_sl2vl(const SubFabric& view, Sl2VlTables&& step, Sl2VlTables& tables) {
  if (step.empty()) return;
  if (view.is_whole() && tables.empty()) {
    tables = std::move(step);
    return;
  }
  if (tables.empty()) tables = uniform(view.fabric(), step.end_port());
  std::vector<Sl2VlTables::MapId> id;
  for (const fabric::Sl2VlMap& map : step.maps()) id.push_back(tables.intern(map));
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    const SwitchId from(s), to = view.fabric_switch(from);
    const std::uint8_t ports = step.num_ports(from);
    for (std::uint32_t in = 0; in <= ports; ++in)
      for (std::uint32_t out = 0; out <= ports; ++out) {
        const PortNum i(static_cast<std::uint8_t>(in)), o(static_cast<std::uint8_t>(out));
        tables.set(to, i, o, id[step.id_at(from, i, o)]);
      }
  }
}

}  // namespace rch::chains
