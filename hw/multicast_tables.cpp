#include "hw/multicast_tables.h"

#include <algorithm>

#include "hw/read_pass.h"

namespace rch::hw {
namespace {

using fabric::Fabric;
using fabric::kFirstMulticastLid;

constexpr std::size_t kLids = 32, kPorts = 16;
constexpr unsigned kPositionShift = 28;
/// Blocks that a modifier can name.
constexpr std::size_t kMostBlocks = 512;
constexpr MulticastMasks kNothing{};

std::uint32_t modifier_of(const MulticastPlace& place) {
  return std::uint32_t{place.position} << kPositionShift | place.block;
}

Field mask_field(std::size_t lid) { return {static_cast<std::uint16_t>(2 * lid), 0, 16}; }

const MulticastMasks& masks_at(const MulticastTables& tables, const MulticastPlace& place) {
  const auto found = tables.find(place);
  return found == tables.end() ? kNothing : found->second;
}

MulticastMasks both(const MulticastMasks& a, const MulticastMasks& b) {
  MulticastMasks masks;
  for (std::size_t i = 0; i < masks.size(); ++i) masks[i] = a[i] & b[i];
  return masks;
}

Image image_of(const Fabric& fabric, const MulticastPlace& place, const MulticastMasks& masks) {
  Image image{
      fabric.port_id(place.sw, PortNum(0)), Attribute::multicast_table, modifier_of(place), {}, kWholeBlock};
  for (std::size_t i = 0; i < masks.size(); ++i) set(image.data, mask_field(i), masks[i]);
  return image;
}

std::size_t blocks_in_effect(const LiveFabric& live, SwitchId sw, Lid wanted_top) {
  std::size_t lids = multicast_capacity(live, sw);
  const auto held_top = get(live.switch_info[sw.index()], switch_info::kMulticastTop);
  // A top of 0 is one that nobody set.
  if (has_multicast_top(live, sw) && held_top != 0) {
    const auto top = std::max<std::uint64_t>({held_top, wanted_top.value, kFirstMulticastLid.value - 1U});
    lids = std::min<std::size_t>(lids, top + 1 - kFirstMulticastLid.value);
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

std::uint16_t multicast_capacity(const LiveFabric& live, SwitchId sw) {
  return static_cast<std::uint16_t>(get(live.switch_info[sw.index()], switch_info::kMulticastCap));
}

bool has_multicast_top(const LiveFabric& live, SwitchId sw) {
  const PortId port0 = live.fabric.port_id(sw, PortNum(0));
  return get(live.port_info[port0.index()], port_info::kCapMulticastTop) != 0;
}

Result<MulticastTables> read_multicast_tables(SmpClient& client, const LiveFabric& live, Lid top) {
  MulticastTables held;
  ReadPass pass(client, live);
  const auto read = [&](const MulticastPlace& place) {
    pass.get(live.fabric.port_id(place.sw, PortNum(0)), Attribute::multicast_table, modifier_of(place),
             [&held, place](const SmpData& data) {
               MulticastMasks masks;
               for (std::size_t i = 0; i < masks.size(); ++i)
                 masks[i] = static_cast<std::uint16_t>(get(data, mask_field(i)));
               if (masks != kNothing) held.emplace(place, masks);
             });
  };
  for (std::uint32_t s = 0; s < live.fabric.switch_count(); ++s) {
    const std::size_t positions = live.fabric.node(SwitchId(s)).num_ports / kPorts + 1;
    for (std::size_t block = 0; block < blocks_in_effect(live, SwitchId(s), top); ++block)
      for (std::size_t position = 0; position < positions; ++position)
        read({static_cast<std::uint16_t>(block), static_cast<std::uint8_t>(position), SwitchId(s)});
  }
  if (auto done = pass.finish(); !done) return tl::unexpected(done.error());
  return held;
}

MulticastChange multicast_change(const Fabric& fabric, const MulticastTables& held,
                                 const MulticastTables& wanted) {
  MulticastChange change;
  for (const auto& [place, masks] : held) {
    const MulticastMasks kept = both(masks, masks_at(wanted, place));
    if (kept != masks) change.removals.push_back(image_of(fabric, place, kept));
  }
  for (const auto& [place, masks] : wanted)
    if (both(masks, masks_at(held, place)) != masks)
      change.additions.push_back(image_of(fabric, place, masks));
  return change;
}

}  // namespace rch::hw
