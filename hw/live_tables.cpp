#include "hw/live_tables.h"

#include <algorithm>
#include <map>

#include "hw/causes.h"
#include "hw/pkeys.h"

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
  std::map<WireSl2Vl, fabric::Sl2VlTables::MapId> ids;
  const auto id_of = [&](WireSl2Vl map) -> std::optional<fabric::Sl2VlTables::MapId> {
    const auto known = ids.find(map);
    if (known != ids.end()) return known->second;
    if (tables.maps().size() == kMostMaps) return std::nullopt;
    return ids.emplace(map, tables.intern(from_wire(map))).first->second;
  };
  const auto too_many = [] {
    return fail(causes::kTooManyMaps, "the ports hold more than 255 different SL2VL maps");
  };
  std::vector<fabric::Sl2VlTables::MapId> own(live.fabric.ports().size(), fabric::Sl2VlTables::kNoMap);
  for (PortId port : seen_end_ports(live)) {
    if (!has_end_port_map(live, port)) continue;
    const auto id = id_of(installed.end_port_sl2vl[port.index()]);
    if (!id) return too_many();
    own[port.index()] = *id;
  }
  tables.set_own(std::move(own));
  const std::vector<Sl2VlPlace> places = sl2vl_places(live.fabric);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!live.info(live.port0(places[i].sw)).maps_sls) continue;
    const auto id = id_of(installed.sl2vl[i]);
    if (!id) return too_many();
    tables.set(places[i].sw, places[i].in, places[i].out, *id);
  }
  return tables;
}

/// Switches without an entry share a row: in a fabric that comes up these are all.
fabric::ForwardingTables lfts_of(const LiveFabric& live, const InstalledTables& installed, Lid max_lid) {
  auto lfts = fabric::ForwardingTables::uninitialised(live.fabric.switch_count(), max_lid);
  const std::size_t width = std::min(lfts.stride(), installed.lfts.stride());
  std::vector<SwitchId> empty;
  for (std::uint32_t s = 0; s < live.fabric.switch_count(); ++s) {
    const SwitchId sw(s);
    if (lfts.stride() == installed.lfts.stride()) {
      lfts.share_row(sw, installed.lfts, sw);
      continue;
    }
    if (installed.lfts.routed(sw) == 0) {
      empty.push_back(sw);
      if (empty.size() > 1) continue;
    }
    const auto row = lfts.row(sw);
    std::ranges::copy(installed.lfts.row(sw).first(width), row.begin());
    std::ranges::fill(row.subspan(width), kNoPath);
  }
  for (const SwitchId sw : empty) lfts.share_row(sw, lfts, empty.front());
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

Task<Result<fabric::RoutingTables>> read_live_tables(Exchange& exchange, const LiveFabric& live,
                                                     std::optional<isolation::InstalledPKeys>* pkeys) {
  const std::vector<Image> blocks = pkeys == nullptr ? std::vector<Image>() : all_pkey_blocks(live);
  InstalledReader reader(live, {.sl2vl = true, .multicast_top = kUnassignedLid, .blocks = blocks});
  if (auto ran = co_await exchange.run(reader); !ran) co_return tl::unexpected(ran.error());
  const auto installed = reader.take();
  if (!installed) co_return tl::unexpected(installed.error());
  auto tables = live_tables(live, *installed);
  if (tables) tables->groups = groups_of(live.fabric, installed->multicast);
  if (pkeys != nullptr) *pkeys = installed_pkeys(live, blocks, installed->blocks);
  co_return tables;
}

}  // namespace rch::hw
