#include "engines/dfsssp/service_levels.h"

#include <algorithm>

#include "engines/common/data_vls.h"

namespace rch::engines::dfsssp {
namespace {

/// Sets the bit if the layer of the destination has it, whatever the source.
fabric::SlRule::Dimension by_destination(const VirtualLayers& layers, std::uint8_t bit) {
  fabric::SlRule::Dimension dimension{bit, 2, {}, {0, 1, 0, 1}};
  for (std::uint8_t layer : layers.layer_of)
    dimension.coordinate.push_back(static_cast<std::uint16_t>(layer >> bit & 1U));
  return dimension;
}

/// Each switch is its own coordinate.
fabric::SlRule::Dimension by_pair(const VirtualLayers& layers, std::uint8_t bit) {
  fabric::SlRule::Dimension dimension{bit, 0, {}, {}};
  for (std::uint16_t sw = 0; std::size_t{sw} * sw < layers.of_pair.size(); ++sw)
    dimension.coordinate.push_back(sw);
  dimension.radix = static_cast<std::uint32_t>(dimension.coordinate.size());
  for (std::uint8_t layer : layers.of_pair)
    dimension.crosses.push_back(static_cast<std::uint8_t>(layer >> bit & 1U));
  return dimension;
}

/// For a link of `vls` data VLs.
fabric::Sl2VlMap layer_map(std::size_t layers, std::size_t vls) {
  fabric::Sl2VlMap map{};
  for (std::size_t sl = 0; sl < map.size(); ++sl) map[sl] = static_cast<std::uint8_t>(sl % layers % vls);
  return map;
}

/// The lesser of both ends.
std::uint8_t link_vls(const fabric::Fabric& fabric, PortId id, std::uint8_t max_op_vls) {
  const fabric::Port& port = fabric.port(id);
  const std::uint8_t own = common::data_vls(port, max_op_vls);
  return port.peer.is_none() ? own : std::min(own, common::data_vls(fabric.port(port.peer), max_op_vls));
}

}  // namespace

VlSupply count_vls(const fabric::SubFabric& view, const fabric::SwitchGraph& graph, std::uint8_t max_op_vls) {
  VlSupply supply;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    for (const fabric::Neighbor& n : graph.neighbors(SwitchId(s)))
      for (const fabric::SwitchLink& link : graph.links(n)) {
        const fabric::Port& port =
            view.fabric().port(view.fabric().port_id(view.fabric_switch(SwitchId(s)), link.out));
        supply.vls = std::min(supply.vls, common::data_vls(port, max_op_vls));
        supply.assumed += port.vl_cap == 0 ? 1 : 0;
      }
  return supply;
}

fabric::SlRule sl_rule(const VirtualLayers& layers) {
  fabric::SlRule rule;
  rule.dimensions = layers.digits;
  if (!layers.digits.empty()) return rule;
  for (std::uint8_t bit = 0; (std::size_t{1} << bit) < layers.count; ++bit)
    rule.dimensions.push_back(layers.of_pair.empty() ? by_destination(layers, bit) : by_pair(layers, bit));
  return rule;
}

fabric::Sl2VlTables sl2vl_tables(const fabric::SubFabric& view, std::size_t layers, std::uint8_t max_op_vls) {
  const fabric::Fabric& fabric = view.fabric();
  std::vector<std::uint8_t> num_ports;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    num_ports.push_back(view.node(SwitchId(s)).num_ports);
  fabric::Sl2VlTables tables(num_ports, layer_map(layers, layers));

  std::uint8_t host_vls = 15;
  for (const fabric::EndPort& host : view.end_ports()) {
    const std::uint8_t vls = link_vls(fabric, host.port, max_op_vls);
    host_vls = std::min(host_vls, vls);
    if (vls >= layers) continue;
    const auto map = tables.intern(layer_map(layers, vls));
    for (unsigned in = 0; in <= num_ports[host.sw.index()]; ++in)
      tables.set(host.sw, PortNum(static_cast<std::uint8_t>(in)), host.attach, map);
  }
  tables.set_end_port(tables.intern(layer_map(layers, host_vls)));
  return tables;
}

}  // namespace rch::engines::dfsssp
