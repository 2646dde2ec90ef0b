#include "fabric/table_changes.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/parallel.h"

namespace rch::fabric {
namespace {

std::span<const std::uint8_t> row_before(const Fabric& before, const ForwardingTables& lfts, Guid guid) {
  const auto sw = before.find_switch(guid);
  return sw ? lfts.row(*sw) : std::span<const std::uint8_t>();
}

bool is_cabled(const Fabric& fabric, SwitchId sw, PortNum port) {
  return !fabric.port(fabric.port_id(sw, port)).peer.is_none();
}

/// Some packet can meet different maps on its way through a switch.
bool maps_differ(const Fabric& fabric, SwitchId sw, const Sl2VlTables& installed, const Sl2VlTables& target) {
  const unsigned ports = target.num_ports(sw);
  for (unsigned in = 1; in <= ports; ++in)
    for (unsigned out = 1; out <= ports; ++out) {
      const PortNum from(static_cast<std::uint8_t>(in)), to(static_cast<std::uint8_t>(out));
      if (is_cabled(fabric, sw, from) && is_cabled(fabric, sw, to) &&
          installed.at(sw, from, to) != target.at(sw, from, to))
        return true;
    }
  return false;
}

/// Maps of the switches that were there before, any map elsewhere; empty if no packet can tell them from the
/// target ones. Without `maps` the ports hold what they start with.
Sl2VlTables maps_before(const Fabric& before, const Sl2VlTables& maps, const Fabric& after,
                        const Sl2VlTables& target) {
  std::vector<std::uint8_t> num_ports;
  for (std::uint32_t s = 0; s < after.switch_count(); ++s)
    num_ports.push_back(after.node(SwitchId(s)).num_ports);
  Sl2VlTables installed(num_ports, maps.empty() ? kIdentitySl2Vl : maps.map(0));
  bool differs = false;
  for (std::uint32_t s = 0; s < after.switch_count(); ++s) {
    const SwitchId sw(s);
    const auto was = before.find_switch(after.node(sw).guid);
    if (!was) continue;
    for (unsigned in = 0; !maps.empty() && in <= std::min(num_ports[s], maps.num_ports(*was)); ++in)
      for (unsigned out = 1; out <= std::min(num_ports[s], maps.num_ports(*was)); ++out) {
        const PortNum from(static_cast<std::uint8_t>(in)), to(static_cast<std::uint8_t>(out));
        installed.set(sw, from, to, installed.intern(maps.at(*was, from, to)));
      }
    differs = differs || maps_differ(after, sw, installed, target);
  }
  return differs ? std::move(installed) : Sl2VlTables();
}

constexpr std::size_t kBlock = ForwardingTables::kBlock;

/// What a row has to be written to get from one row to another; there is no path where there was no table.
TableChanges row_changes(std::span<const std::uint8_t> before, std::span<const std::uint8_t> after) {
  TableChanges changes;
  if (before.data() == after.data()) return changes;
  for (std::size_t at = 0; at < after.size(); at += kBlock) {
    if (at + kBlock <= before.size() && std::memcmp(&before[at], &after[at], kBlock) == 0) continue;
    std::uint64_t entries = 0;
    for (std::size_t i = at; i < at + kBlock; ++i)
      entries += after[i] != (i < before.size() ? before[i] : kNoPath);
    changes.entries += entries;
    changes.blocks += entries > 0;
  }
  changes.switches = changes.blocks > 0;
  return changes;
}

/// Blocks of a row that have other entries in another one, of which the first `known` count.
std::vector<std::uint16_t> differing_blocks(std::span<const std::uint8_t> installed,
                                            std::span<const std::uint8_t> target, std::size_t known) {
  std::vector<std::uint16_t> blocks;
  for (std::size_t block = 0; block < target.size() / kBlock; ++block)
    if (block >= known || (installed.data() != target.data() &&
                           std::memcmp(&installed[block * kBlock], &target[block * kBlock], kBlock) != 0))
      blocks.push_back(static_cast<std::uint16_t>(block));
  return blocks;
}

}  // namespace

TableChanges table_changes(const Fabric& before, const ForwardingTables& lfts_before, const Fabric& after,
                           const ForwardingTables& lfts_after) {
  std::vector<TableChanges> by_switch(after.switch_count());
  parallel_ranges(by_switch.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const SwitchId sw(static_cast<std::uint32_t>(s));
      by_switch[s] = row_changes(row_before(before, lfts_before, after.node(sw).guid), lfts_after.row(sw));
    }
  });
  TableChanges all;
  for (const TableChanges& changes : by_switch) {
    all.entries += changes.entries;
    all.blocks += changes.blocks;
    all.switches += changes.switches;
  }
  return all;
}

RoutingTables carried_over(const Fabric& before, const RoutingTables& tables_before, const Fabric& after,
                           const RoutingTables& target) {
  RoutingTables installed;
  // Where rows are as long, no entry is copied: each row is one of the earlier tables, or is filled below.
  const bool as_long = tables_before.lfts.stride() == target.lfts.stride();
  installed.lfts =
      as_long ? target.lfts.clone() : ForwardingTables(after.switch_count(), target.lfts.max_lid());
  for (std::uint32_t s = 0; s < after.switch_count(); ++s) {
    const SwitchId sw(s);
    const auto was = before.find_switch(after.node(sw).guid);
    if (as_long && was) {
      installed.lfts.share_row(sw, tables_before.lfts, *was);
    } else if (as_long) {
      std::ranges::fill(installed.lfts.fresh_row(sw), kNoPath);
    } else if (was) {
      const auto then = tables_before.lfts.row(*was);
      const auto now = installed.lfts.row(sw);
      std::ranges::copy(then.first(std::min(then.size(), now.size())), now.begin());
    }
  }
  if (!target.sl2vl.empty()) installed.sl2vl = maps_before(before, tables_before.sl2vl, after, target.sl2vl);
  return installed;
}

std::vector<LftBlock> differing_blocks(const ForwardingTables& installed, const ForwardingTables& target,
                                       std::span<const std::size_t> known) {
  std::vector<std::vector<std::uint16_t>> by_switch(target.switch_count());
  parallel_ranges(by_switch.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const SwitchId sw(static_cast<std::uint32_t>(s));
      by_switch[s] = differing_blocks(installed.row(sw), target.row(sw), known[s]);
    }
  });
  std::vector<LftBlock> blocks;
  std::vector<std::size_t> next(by_switch.size());
  for (std::size_t block = 0; block < target.blocks(); ++block)
    for (std::uint32_t s = 0; s < by_switch.size(); ++s)
      if (next[s] < by_switch[s].size() && by_switch[s][next[s]] == block) {
        blocks.push_back({SwitchId(s), static_cast<std::uint16_t>(block)});
        ++next[s];
      }
  return blocks;
}

std::vector<LftBlock> differing_blocks(const ForwardingTables& installed, const ForwardingTables& target) {
  return differing_blocks(installed, target,
                          std::vector<std::size_t>(target.switch_count(), target.blocks()));
}

}  // namespace rch::fabric
