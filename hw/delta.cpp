#include "hw/delta.h"

#include <algorithm>

namespace rch::hw {
namespace {

constexpr std::size_t kLftBlock = fabric::ForwardingTables::kBlock;

bool same_block(const InstalledTables& installed, const fabric::ForwardingTables& target, SwitchId sw,
                std::size_t block) {
  if (block >= installed.known_blocks[sw.index()]) return false;
  const auto at = block * kLftBlock;
  const auto now = installed.lfts.row(sw).subspan(at, kLftBlock);
  const auto then = target.row(sw).subspan(at, kLftBlock);
  return std::equal(now.begin(), now.end(), then.begin());
}

}  // namespace

TableDelta diff(const LiveFabric& live, const InstalledTables& installed,
                const fabric::RoutingTables& target) {
  TableDelta delta;
  for (std::size_t block = 0; block < target.lfts.blocks(); ++block) {
    for (std::uint32_t s = 0; s < target.lfts.switch_count(); ++s) {
      if (same_block(installed, target.lfts, SwitchId(s), block)) continue;
      delta.lft_blocks.push_back({SwitchId(s), static_cast<std::uint16_t>(block)});
    }
  }
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
