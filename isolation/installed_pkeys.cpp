#include "isolation/installed_pkeys.h"

#include <algorithm>

namespace rch::isolation {
namespace {

/// Limited before full, so that what follows in a table is the stronger membership.
constexpr std::uint32_t order_of(std::uint16_t key) {
  return std::uint32_t{partition_of(key)} << 1U | std::uint32_t{key} >> 15U;
}

/// One P_Key of each partition, full before limited.
std::vector<std::uint16_t> strongest_of(std::span<const std::uint16_t> table) {
  std::vector<std::uint16_t> keys;
  for (const std::uint16_t key : table) {
    if (!keys.empty() && partition_of(keys.back()) == partition_of(key)) keys.pop_back();
    keys.push_back(key);
  }
  return keys;
}

}  // namespace

void InstalledPKeys::set(PortId port, std::span<const std::uint16_t> slots) {
  std::vector<std::uint16_t> keys(slots.begin(), slots.end());
  std::erase_if(keys, [](std::uint16_t key) { return partition_of(key) == 0; });
  std::ranges::sort(keys, {}, order_of);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  const auto [at, is_new] = ids_.try_emplace(std::move(keys), static_cast<TableId>(tables_.size()));
  if (is_new) tables_.push_back(at->first);
  table_of_[port.index()] = at->second;
}

TableDifferences differences(const InstalledPKeys& installed, const InstalledPKeys& target) {
  TableDifferences found;
  for (std::uint32_t p = 0; p < target.ports(); ++p) {
    const PortId port(p);
    if (installed.checks(port) != target.checks(port)) ++found.checks;
    if (target.knows(port) && !std::ranges::equal(installed.of(port), target.of(port))) ++found.tables;
  }
  return found;
}

InstalledPKeys pkeys_of_plan(const fabric::Fabric& fabric, const fabric::PKeyTables& pkeys) {
  InstalledPKeys installed(fabric.ports().size());
  for (std::size_t i = 0; i < pkeys.ports.size(); ++i) {
    const PortId port = pkeys.ports[i];
    installed.set(port, pkeys.of(i));
    const PortId in_front = switch_port_of(fabric, port);
    if (in_front.is_none() || pkeys.enforcement == fabric::PartitionEnforcement::off) continue;
    installed.set(in_front, strongest_of(installed.of(port)));
    installed.set_checks(in_front, pkeys.enforcement);
  }
  return installed;
}

}  // namespace rch::isolation
