#include "hw/delta.h"

#include "fabric/table_changes.h"

namespace rch::hw {
TableDelta diff(const LiveFabric& live, const InstalledTables& installed,
                const fabric::RoutingTables& target) {
  TableDelta delta;
  delta.lft_blocks = fabric::differing_blocks(installed.lfts, target.lfts, installed.known_blocks);
  if (target.sl2vl.empty()) return delta;
  const std::vector<Sl2VlPlace> places = sl2vl_places(live.fabric);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Sl2VlPlace& place = places[i];
    if (!live.info(live.port0(place.sw)).maps_sls) continue;
    if (to_wire(target.sl2vl.at(place.sw, place.in, place.out)) != installed.sl2vl[i])
      delta.sl2vl.push_back(place);
  }
  for (PortId port : seen_end_ports(live)) {
    if (!has_end_port_map(live, port)) continue;
    if (live.is_switch_port(port) && !target.sl2vl.has_own(port)) continue;
    const bool same = to_wire(target.sl2vl.end_port(port)) == installed.end_port_sl2vl[port.index()];
    if (!same) delta.end_port_sl2vl.push_back(port);
  }
  return delta;
}

}  // namespace rch::hw
