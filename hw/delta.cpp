#include "hw/delta.h"

#include <algorithm>

namespace rch::hw {
namespace {

constexpr std::size_t kBlock = fabric::ForwardingTables::kBlock;

bool same_block(const HeldTables& held, const fabric::ForwardingTables& wanted, SwitchId sw,
                std::size_t block) {
  if (block >= held.known_blocks[sw.index()]) return false;
  const auto at = block * kBlock;
  const auto now = held.lfts.row(sw).subspan(at, kBlock);
  const auto then = wanted.row(sw).subspan(at, kBlock);
  return std::equal(now.begin(), now.end(), then.begin());
}

}  // namespace

TableDelta diff(const LiveFabric& live, const HeldTables& held, const fabric::RoutingTables& wanted) {
  TableDelta delta;
  for (std::size_t block = 0; block < wanted.lfts.blocks(); ++block) {
    for (std::uint32_t s = 0; s < wanted.lfts.switch_count(); ++s) {
      if (same_block(held, wanted.lfts, SwitchId(s), block)) continue;
      delta.lft_blocks.push_back({SwitchId(s), static_cast<std::uint16_t>(block)});
    }
  }
  if (wanted.sl2vl.empty()) return delta;
  const std::vector<Sl2VlPlace> places = sl2vl_places(live.fabric);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Sl2VlPlace& place = places[i];
    if (to_wire(wanted.sl2vl.at(place.sw, place.in, place.out)) != held.sl2vl[i])
      delta.sl2vl.push_back(place);
  }
  for (PortId port : seen_end_ports(live)) {
    const bool is_switch = live.fabric.is_switch(live.fabric.port(port).node);
    if (!is_switch && to_wire(wanted.sl2vl.end_port()) != held.end_port_sl2vl[port.index()]) {
      delta.end_port_sl2vl.push_back(port);
    }
  }
  return delta;
}

}  // namespace rch::hw
