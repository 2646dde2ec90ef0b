#include "hw/multicast_tables.h"

#include <algorithm>

#include "fabric/multicast_groups.h"

namespace rch::hw {
namespace {

using fabric::Fabric;
using fabric::kFirstMulticastLid;

constexpr std::size_t kLids = 32, kPorts = 16;
constexpr unsigned kPositionShift = 28;
/// Blocks that a modifier can name.
constexpr std::size_t kMostBlocks = 512;
constexpr MulticastMasks kNothing{};

Field mask_field(std::size_t lid) { return {static_cast<std::uint16_t>(2 * lid), 0, 16}; }

const MulticastMasks& masks_at(const MulticastTables& tables, const MulticastPlace& place) {
  const auto found = tables.find(place);
  return found == tables.end() ? kNothing : found->second;
}

Image image_of(const Fabric& fabric, const MulticastPlace& place, const MulticastMasks& masks) {
  const PortId port0 = fabric.port_id(place.sw, PortNum(0));
  Image image{port0, Attribute::multicast_table, modifier_of(place), {}, kWholeBlock};
  for (std::size_t i = 0; i < masks.size(); ++i) set(image.data, mask_field(i), masks[i]);
  return image;
}

/// Ports of a block whose links carry no data, one bit each: without a neighbor, or with one.
struct IdlePorts {
  std::uint16_t down = 0, inactive = 0;
};
IdlePorts idle_ports(const LiveFabric& live, const MulticastPlace& place) {
  unsigned down = 0, inactive = 0;
  for (std::size_t bit = 0; bit < kPorts; ++bit) {
    const std::size_t number = place.position * kPorts + bit;
    if (number == 0 || number > live.fabric.node(place.sw).num_ports) continue;
    const PortId port = live.fabric.port_id(place.sw, PortNum(static_cast<std::uint8_t>(number)));
    if (live.fabric.port(port).peer.is_none())
      down |= unsigned{live.info(port).state == PortState::down} << bit;
    else
      inactive |= unsigned{!live.carries_data(port)} << bit;
  }
  return {static_cast<std::uint16_t>(down), static_cast<std::uint16_t>(inactive)};
}

/// No link to another switch carries data: what the switch forwards, its own hosts sent and get.
bool is_cut_off(const LiveFabric& live, SwitchId sw) {
  for (unsigned number = 1; number <= live.fabric.node(sw).num_ports; ++number) {
    const PortId port = live.fabric.port_id(sw, PortNum(static_cast<std::uint8_t>(number)));
    const PortId peer = live.fabric.port(port).peer;
    const bool leads_to_host = !peer.is_none() && !live.is_switch_port(peer);
    if (!leads_to_host && live.carries_data(port)) return false;
  }
  return true;
}

/// Nobody has routed the switch since it was switched on: managers raise LinearFDBTop before they write
/// multicast entries, and bring up links after that (OpenSM's osm_state_mgr.c). So its multicast table is
/// empty.
bool is_fresh(const LiveFabric& live, SwitchId sw) {
  if (live.info(sw).linear_top != kUnassignedLid || live.info(sw).multicast_top != kUnassignedLid)
    return false;
  for (unsigned number = 1; number <= live.fabric.node(sw).num_ports; ++number) {
    const PortId port = live.fabric.port_id(sw, PortNum(static_cast<std::uint8_t>(number)));
    if (live.info(port).state > PortState::init) return false;
  }
  return true;
}

std::size_t blocks_in_effect(const LiveFabric& live, SwitchId sw, Lid target_top) {
  if (is_fresh(live, sw)) return 0;
  const SwitchInfo& info = live.info(sw);
  std::size_t lids = info.multicast_cap;
  if (has_multicast_top(live, sw) && info.multicast_top != kUnassignedLid) {
    const Lid top = std::max({info.multicast_top, target_top, Lid(kFirstMulticastLid.value - 1)});
    lids = std::min<std::size_t>(lids, top.index() + 1 - kFirstMulticastLid.index());
  }
  return std::min((lids + kLids - 1) / kLids, kMostBlocks);
}

}  // namespace

MulticastTables multicast_tables(const Fabric& fabric, std::span<const fabric::MulticastGroup> groups) {
  MulticastTables tables;
  for (const fabric::MulticastGroup& group : groups) {
    const std::size_t at = group.mlid.index() - kFirstMulticastLid.index();
    for (PortId id : group.ports) {
      const fabric::Port& port = fabric.port(id);
      const MulticastPlace place{static_cast<std::uint16_t>(at / kLids),
                                 static_cast<std::uint8_t>(port.number.value / kPorts),
                                 SwitchId(port.node.value)};
      std::uint16_t& mask = tables[place][at % kLids];
      mask = static_cast<std::uint16_t>(mask | 1U << port.number.value % kPorts);
    }
  }
  return tables;
}

std::vector<fabric::MulticastGroup> groups_of(const Fabric& fabric, const MulticastTables& tables) {
  std::vector<std::pair<Lid, PortId>> entries;
  for (const auto& [place, masks] : tables)
    for (std::size_t at = 0; at < kLids; ++at)
      for (std::size_t bit = 0; bit < kPorts; ++bit) {
        const std::size_t number = place.position * kPorts + bit;
        if ((masks[at] >> bit & 1U) == 0 || number > fabric.node(place.sw).num_ports) continue;
        entries.emplace_back(
            Lid(static_cast<std::uint16_t>(kFirstMulticastLid.index() + place.block * kLids + at)),
            fabric.port_id(place.sw, PortNum(static_cast<std::uint8_t>(number))));
      }
  return fabric::groups_of_entries(fabric, std::move(entries));
}

bool has_multicast_top(const LiveFabric& live, SwitchId sw) {
  return live.info(live.port0(sw)).heeds_multicast_top;
}

std::uint32_t modifier_of(const MulticastPlace& place) {
  return std::uint32_t{place.position} << kPositionShift | place.block;
}

MulticastPlace place_of(SwitchId sw, std::uint32_t modifier) {
  return {static_cast<std::uint16_t>(modifier & (kMostBlocks - 1)),
          static_cast<std::uint8_t>(modifier >> kPositionShift), sw};
}

std::vector<MulticastPlace> multicast_places(const LiveFabric& live, Lid top) {
  std::vector<MulticastPlace> places;
  for (std::uint32_t s = 0; s < live.fabric.switch_count(); ++s) {
    const std::size_t positions = live.fabric.node(SwitchId(s)).num_ports / kPorts + 1;
    for (std::size_t block = 0; block < blocks_in_effect(live, SwitchId(s), top); ++block)
      for (std::size_t position = 0; position < positions; ++position)
        places.push_back(
            {static_cast<std::uint16_t>(block), static_cast<std::uint8_t>(position), SwitchId(s)});
  }
  return places;
}

void add_block(MulticastTables& tables, const MulticastPlace& place, const SmpData& data) {
  MulticastMasks masks;
  for (std::size_t i = 0; i < masks.size(); ++i)
    masks[i] = static_cast<std::uint16_t>(get(data, mask_field(i)));
  if (masks != kNothing) tables.emplace(place, masks);
}

MulticastChange multicast_change(const LiveFabric& live, const MulticastTables& installed,
                                 const MulticastTables& target) {
  MulticastChange change;
  MulticastTables left = installed;
  for (auto& [place, masks] : left) {
    const MulticastMasks& then = masks_at(target, place);
    IdlePorts idle = idle_ports(live, place);
    if (is_cut_off(live, place.sw)) idle.inactive = 0xFFFF;
    bool removes = false, waits = false;
    for (std::size_t i = 0; i < masks.size(); ++i) {
      const unsigned stale = masks[i] & ~unsigned{then[i]} & ~unsigned{idle.down};
      removes |= (stale & ~unsigned{idle.inactive}) != 0;
      waits |= stale != 0;
    }
    if (removes) {
      for (std::size_t i = 0; i < masks.size(); ++i)
        masks[i] = static_cast<std::uint16_t>(masks[i] & then[i]);
      change.removals.push_back(image_of(live.fabric, place, masks));
    }
    change.over_inactive_links |= waits && !removes;
    if (masks != then && !target.contains(place))
      change.additions.push_back(image_of(live.fabric, place, then));
  }
  for (const auto& [place, masks] : target)
    if (masks != masks_at(left, place)) change.additions.push_back(image_of(live.fabric, place, masks));
  return change;
}

}  // namespace rch::hw
