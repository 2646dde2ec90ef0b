#include "hw/held_tables.h"

#include <algorithm>

#include "hw/read_pass.h"

namespace rch::hw {
namespace {

using fabric::Fabric;

std::size_t blocks_in_effect(const LiveFabric& live, SwitchId sw, Lid top) {
  const auto held = get(live.switch_info[sw.index()], switch_info::kLinearTop);
  if (held == 0) return 0;
  return std::min<std::size_t>(held, top.value) / fabric::ForwardingTables::kBlock + 1;
}

void read_lfts(ReadPass& pass, const LiveFabric& live, Lid top, HeldTables& held) {
  const std::size_t switches = live.fabric.switch_count();
  std::size_t most = 0;
  for (std::uint32_t s = 0; s < switches; ++s) {
    held.known_blocks.push_back(blocks_in_effect(live, SwitchId(s), top));
    most = std::max(most, held.known_blocks.back());
  }
  constexpr std::size_t kBlock = fabric::ForwardingTables::kBlock;
  const std::size_t last_lid = most == 0 ? 0 : most * kBlock - 1;
  held.lfts = fabric::ForwardingTables(switches, Lid(static_cast<std::uint16_t>(last_lid)));
  for (std::size_t block = 0; block < most; ++block) {
    for (std::uint32_t s = 0; s < switches; ++s) {
      if (block >= held.known_blocks[s]) continue;
      std::uint8_t* to = held.lfts.row(SwitchId(s)).data() + block * kBlock;
      pass.get(live.fabric.port_id(SwitchId(s), PortNum(0)), Attribute::linear_table,
               static_cast<std::uint32_t>(block),
               [to](const SmpData& data) { std::copy(data.begin(), data.end(), to); });
    }
  }
}

void read_sl2vl(ReadPass& pass, const LiveFabric& live, HeldTables& held) {
  const auto into = [](WireSl2Vl* to) { return [to](const SmpData& data) { *to = get(data, {0, 0, 64}); }; };
  const std::vector<Sl2VlPlace> places = sl2vl_places(live.fabric);
  held.sl2vl.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const PortId port0 = live.fabric.port_id(places[i].sw, PortNum(0));
    if (!maps_sls(live, port0)) continue;
    const auto modifier = static_cast<std::uint32_t>(places[i].in.value << 8U | places[i].out.value);
    pass.get(port0, Attribute::sl2vl, modifier, into(&held.sl2vl[i]));
  }
  held.end_port_sl2vl.resize(live.fabric.ports().size());
  for (PortId port : seen_end_ports(live)) {
    if (live.fabric.is_switch(live.fabric.port(port).node) || !maps_sls(live, port)) continue;
    pass.get(port, Attribute::sl2vl, 0, into(&held.end_port_sl2vl[port.index()]));
  }
}

}  // namespace

WireSl2Vl to_wire(const fabric::Sl2VlMap& map) {
  WireSl2Vl wire = 0;
  for (std::uint8_t vl : map) wire = wire << 4U | (vl & 0xFU);
  return wire;
}

fabric::Sl2VlMap from_wire(WireSl2Vl wire) {
  fabric::Sl2VlMap map{};
  for (std::size_t sl = map.size(); sl-- > 0; wire >>= 4U) map[sl] = static_cast<std::uint8_t>(wire & 0xFU);
  return map;
}

std::vector<Sl2VlPlace> sl2vl_places(const Fabric& fabric) {
  std::vector<Sl2VlPlace> places;
  std::vector<PortNum> cabled;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    cabled.clear();
    for (unsigned p = 1; p <= fabric.node(SwitchId(s)).num_ports; ++p) {
      const PortNum number(static_cast<std::uint8_t>(p));
      if (!fabric.port(fabric.port_id(SwitchId(s), number)).peer.is_none()) cabled.push_back(number);
    }
    for (PortNum out : cabled) {
      places.push_back({SwitchId(s), PortNum(0), out});
      for (PortNum in : cabled) places.push_back({SwitchId(s), in, out});
    }
  }
  return places;
}

std::vector<PortId> seen_end_ports(const LiveFabric& live) {
  std::vector<PortId> seen;
  for (std::uint32_t p = 0; p < live.fabric.ports().size(); ++p) {
    const fabric::Port& port = live.fabric.port(PortId(p));
    const bool port0 = port.number == PortNum(0);
    if (live.fabric.is_switch(port.node) ? port0 : !port.peer.is_none()) seen.push_back(PortId(p));
  }
  return seen;
}

bool maps_sls(const LiveFabric& live, PortId port) {
  return get(live.port_info[port.index()], port_info::kCapSlMapping) != 0;
}

Result<HeldTables> read_held_tables(SmpClient& client, const LiveFabric& live, const HeldScope& scope) {
  HeldTables held;
  ReadPass pass(client, live);
  read_lfts(pass, live, scope.top, held);
  if (scope.sl2vl) read_sl2vl(pass, live, held);
  if (auto read = pass.finish(); !read) return tl::unexpected(read.error());
  return held;
}

}  // namespace rch::hw
