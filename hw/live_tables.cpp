#include "hw/live_tables.h"

#include <algorithm>
#include <map>

#include "hw/causes.h"

namespace rch::hw {
namespace {

/// Sl2VlTables numbers its maps with one byte.
constexpr std::size_t kMostMaps = 255;

/// One step that covers everything: a switch does not tell who wrote its table.
fabric::RoutedStep unnamed_step(const LiveFabric& live, Lid max_lid) {
  fabric::RoutedStep step;
  step.switches = IdSet<SwitchId>(live.fabric.switch_count(), true);
  step.lids = IdSet<Lid>(max_lid.index() + 1, true);
  return step;
}

}  // namespace

Result<fabric::Sl2VlTables> sl2vl_of(const LiveFabric& live, const InstalledTables& installed) {
  std::vector<std::uint8_t> num_ports;
  for (std::uint32_t s = 0; s < live.fabric.switch_count(); ++s) {
    num_ports.push_back(live.fabric.node(SwitchId(s)).num_ports);
  }
  fabric::Sl2VlTables tables(num_ports, fabric::kIdentitySl2Vl);
  std::map<WireSl2Vl, std::size_t> end_port_maps;
  for (PortId port : seen_end_ports(live)) {
    if (live.is_switch_port(port) || !live.info(port).maps_sls) continue;
    ++end_port_maps[installed.end_port_sl2vl[port.index()]];
  }
  const auto by_count = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto most = std::max_element(end_port_maps.begin(), end_port_maps.end(), by_count);
  if (most != end_port_maps.end()) tables.set_end_port(tables.intern(from_wire(most->first)));

  std::map<WireSl2Vl, fabric::Sl2VlTables::MapId> ids;
  const std::vector<Sl2VlPlace> places = sl2vl_places(live.fabric);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!live.info(live.port0(places[i].sw)).maps_sls) continue;
    auto id = ids.find(installed.sl2vl[i]);
    if (id == ids.end()) {
      if (tables.maps().size() == kMostMaps) {
        return fail(causes::kTooManyMaps, "the switches hold more than 255 different SL2VL maps");
      }
      id = ids.emplace(installed.sl2vl[i], tables.intern(from_wire(installed.sl2vl[i]))).first;
    }
    tables.set(places[i].sw, places[i].in, places[i].out, id->second);
  }
  return tables;
}

fabric::ForwardingTables lfts_of(const LiveFabric& live, const InstalledTables& installed, Lid max_lid) {
  fabric::ForwardingTables lfts(live.fabric.switch_count(), max_lid);
  const std::size_t width = std::min(lfts.stride(), installed.lfts.stride());
  for (std::uint32_t s = 0; s < live.fabric.switch_count(); ++s)
    std::ranges::copy(installed.lfts.row(SwitchId(s)).first(width), lfts.row(SwitchId(s)).begin());
  return lfts;
}

Result<fabric::RoutingTables> live_tables(const LiveFabric& live, const InstalledTables& installed) {
  auto sl2vl = sl2vl_of(live, installed);
  if (!sl2vl) return tl::unexpected(sl2vl.error());
  const Lid max_lid = std::max(live.fabric.max_lid(), installed.lfts.max_lid());
  fabric::RoutingTables tables;
  tables.lfts = lfts_of(live, installed, max_lid);
  tables.sl2vl = std::move(*sl2vl);
  tables.steps.push_back(unnamed_step(live, max_lid));
  return tables;
}

Task<Result<fabric::RoutingTables>> read_live_tables(Exchange& exchange, const LiveFabric& live) {
  InstalledReader reader(live, {.sl2vl = true});
  if (auto ran = co_await exchange.run(reader); !ran) co_return tl::unexpected(ran.error());
  const auto installed = reader.take();
  if (!installed) co_return tl::unexpected(installed.error());
  co_return live_tables(live, *installed);
}

}  // namespace rch::hw
