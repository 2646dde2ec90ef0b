#include "fabric/table_changes.h"

#include <algorithm>

namespace rch::fabric {
namespace {

std::span<const std::uint8_t> row_before(const Fabric& before, const ForwardingTables& lfts, Guid guid) {
  const auto node = before.find_node(guid);
  const auto sw = node ? before.switch_id(*node) : std::nullopt;
  return sw ? lfts.row(*sw) : std::span<const std::uint8_t>();
}

/// Entries of a block that differ; there is no path where there was no table.
std::uint64_t differing(std::span<const std::uint8_t> before, std::span<const std::uint8_t> after) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < after.size(); ++i)
    count += after[i] != (i < before.size() ? before[i] : kNoPath);
  return count;
}

}  // namespace

TableChanges table_changes(const Fabric& before, const ForwardingTables& lfts_before, const Fabric& after,
                           const ForwardingTables& lfts_after) {
  constexpr std::size_t kBlock = ForwardingTables::kBlock;
  TableChanges changes;
  for (std::uint32_t s = 0; s < after.switch_count(); ++s) {
    const SwitchId sw(s);
    const auto was = row_before(before, lfts_before, after.node(sw).guid);
    const std::uint64_t blocks_so_far = changes.blocks;
    for (std::size_t at = 0; at < lfts_after.stride(); at += kBlock) {
      const std::size_t begin = std::min(at, was.size());
      const std::uint64_t entries = differing(was.subspan(begin, std::min(kBlock, was.size() - begin)),
                                              lfts_after.row(sw).subspan(at, kBlock));
      changes.entries += entries;
      changes.blocks += entries > 0;
    }
    changes.switches += changes.blocks > blocks_so_far;
  }
  return changes;
}

}  // namespace rch::fabric
