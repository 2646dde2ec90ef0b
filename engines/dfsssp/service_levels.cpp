#include "engines/dfsssp/service_levels.h"

#include <algorithm>

#include "engines/common/data_vls.h"

namespace rch::engines::dfsssp {
namespace {

/// On a link of `vls` data VLs.
fabric::Sl2VlMap lane_map(std::size_t lanes, std::size_t vls) {
  fabric::Sl2VlMap map{};
  for (std::size_t sl = 0; sl < map.size(); ++sl) map[sl] = static_cast<std::uint8_t>(sl % lanes % vls);
  return map;
}

/// Of both ends.
std::uint8_t link_vls(const fabric::Fabric& fabric, PortId id, std::uint8_t max_op_vls) {
  const fabric::Port& port = fabric.port(id);
  const std::uint8_t own = common::data_vls(port, max_op_vls);
  return port.peer.is_none() ? own : std::min(own, common::data_vls(fabric.port(port.peer), max_op_vls));
}

}  // namespace

LaneSupply count_lanes(const fabric::SubFabric& view, const fabric::SwitchGraph& graph,
                       std::uint8_t max_op_vls) {
  LaneSupply supply;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    for (const fabric::Neighbor& n : graph.neighbors(SwitchId(s)))
      for (const fabric::SwitchLink& link : graph.links(n)) {
        const fabric::Port& port =
            view.fabric().port(view.fabric().port_id(view.fabric_switch(SwitchId(s)), link.out));
        supply.lanes = std::min(supply.lanes, common::data_vls(port, max_op_vls));
        supply.assumed += port.vl_cap == 0 ? 1 : 0;
      }
  return supply;
}

fabric::SlRule sl_rule(const Lanes& lanes) {
  fabric::SlRule rule;
  for (std::size_t bit = 0; (std::size_t{1} << bit) < lanes.count; ++bit) {
    // "Crosses" when the bit of the destination's lane is set, wherever the path comes from.
    fabric::SlRule::Dimension dimension{static_cast<std::uint8_t>(bit), 2, {}, {0, 1, 0, 1}};
    for (std::uint8_t lane : lanes.of)
      dimension.coordinate.push_back(static_cast<std::uint16_t>(lane >> bit & 1U));
    rule.dimensions.push_back(std::move(dimension));
  }
  return rule;
}

fabric::Sl2VlTables sl2vl_tables(const fabric::SubFabric& view, std::size_t lanes, std::uint8_t max_op_vls) {
  const fabric::Fabric& fabric = view.fabric();
  std::vector<std::uint8_t> num_ports;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    num_ports.push_back(view.node(SwitchId(s)).num_ports);
  fabric::Sl2VlTables tables(num_ports, lane_map(lanes, lanes));

  std::uint8_t host_vls = 15;
  for (const fabric::EndPort& host : view.end_ports()) {
    const std::uint8_t vls = link_vls(fabric, host.port, max_op_vls);
    host_vls = std::min(host_vls, vls);
    if (vls >= lanes) continue;
    const auto map = tables.intern(lane_map(lanes, vls));
    for (unsigned in = 0; in <= num_ports[host.sw.index()]; ++in)
      tables.set(host.sw, PortNum(static_cast<std::uint8_t>(in)), host.attach, map);
  }
  tables.set_end_port(tables.intern(lane_map(lanes, host_vls)));
  return tables;
}

}  // namespace rch::engines::dfsssp
