#include "fabric/adaptive_tables.h"

#include <algorithm>

namespace rch::fabric {

std::uint16_t AdaptiveTables::group_number(SwitchId sw, const PortGroup& group) {
  std::vector<PortGroup>& groups = at(sw).groups;
  const auto number = static_cast<std::size_t>(std::ranges::find(groups, group) - groups.begin());
  if (number == groups.size()) groups.push_back(group);
  return static_cast<std::uint16_t>(number);
}

std::uint32_t AdaptiveTables::add_column(std::span<const std::uint16_t> groups) {
  cells_.insert(cells_.end(), groups.begin(), groups.end());
  return static_cast<std::uint32_t>(column_count() - 1);
}

std::size_t AdaptiveTables::byte_count() const {
  std::size_t bytes = cells_.size() * sizeof cells_[0] + column_of_.size() * sizeof column_of_[0];
  for (const AdaptiveSwitch& sw : switches_) bytes += sizeof sw + sw.groups.size() * sizeof(PortGroup);
  return bytes;
}

}  // namespace rch::fabric
