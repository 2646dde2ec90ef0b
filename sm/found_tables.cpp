#include "sm/found_tables.h"

#include <algorithm>
#include <utility>

#include "hw/live_tables.h"

namespace rch::sm {
namespace {

/// All ports that map service levels use one map, which does not drop packets of SL 0.
bool maps_alike(const hw::LiveFabric& live, const hw::InstalledTables& installed) {
  constexpr std::uint8_t kDropped = 15;
  std::optional<hw::WireSl2Vl> common;
  const auto differs = [&](hw::WireSl2Vl map) { return common.value_or(map) != *(common = map); };
  const std::vector<hw::Sl2VlPlace> places = hw::sl2vl_places(live.fabric);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (live.info(live.port0(places[i].sw)).maps_sls && differs(installed.sl2vl[i])) return false;
  for (const PortId port : hw::seen_end_ports(live))
    if (!live.is_switch_port(port) && live.info(port).maps_sls &&
        differs(installed.end_port_sl2vl[port.index()]))
      return false;
  return !common || hw::from_wire(*common)[0] != kDropped;
}

}  // namespace

bool forwards(const hw::LiveFabric& live) {
  return std::ranges::any_of(live.switch_info,
                             [](const hw::SwitchInfo& info) { return info.linear_top != kUnassignedLid; });
}

bool had_another_manager(const hw::LiveFabric& live) {
  const Lid own = live.info(live.local).lid;
  return std::ranges::any_of(hw::seen_end_ports(live), [&](PortId port) {
    const Lid named = live.info(port).master_sm_lid;
    return named != kUnassignedLid && named != own;
  });
}

hw::Task<Result<chains::FoundTables>> read_found_tables(hw::Exchange& exchange, const hw::LiveFabric& live) {
  hw::InstalledReader reader(live, {.sl2vl = true, .multicast_top = kUnassignedLid});
  if (auto ran = co_await exchange.run(reader); !ran) co_return tl::unexpected(ran.error());
  const auto installed = reader.take();
  if (!installed) co_return tl::unexpected(installed.error());
  auto tables = hw::live_tables(live, *installed);
  if (!tables) co_return tl::unexpected(tables.error());
  fabric::Sl2VlTables maps = std::exchange(tables->sl2vl, {});
  tables->groups = hw::groups_of(live.fabric, installed->multicast);
  co_return chains::FoundTables{std::move(*tables), maps_alike(live, *installed), std::move(maps)};
}

}  // namespace rch::sm
