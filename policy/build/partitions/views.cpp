#include "policy/build/partitions/views.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace rch::policy::partitions {
namespace {

/// None when other than GUIDs name members.
std::optional<std::size_t> full_members(const Partition& partition) {
  const auto& members = partition.members;
  if (std::any_of(members.begin(), members.end(), [](const Member& m) { return m.who != Who::guid; }))
    return {};
  std::vector<std::pair<std::uint64_t, std::uint32_t>> ports;
  for (std::uint32_t i = 0; i < members.size(); ++i) ports.emplace_back(members[i].key, i);
  std::sort(ports.begin(), ports.end());
  std::size_t full = 0;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const bool last = i + 1 == ports.size() || ports[i + 1].first != ports[i].first;
    if (last && members[ports[i].second].membership != Membership::limited) ++full;
  }
  return full;
}

}  // namespace

std::vector<qos::KnownPartition> known_partitions(const Partitions& partitions) {
  std::vector<qos::KnownPartition> known;
  for (const Partition& partition : partitions.all)
    known.push_back({partition.pkey.value, partition.name.text, full_members(partition)});
  return known;
}

std::vector<qos::SlUse> sl_uses(const Partitions& partitions) {
  std::map<std::pair<qos::SlUse::Kind, std::uint8_t>, qos::SlUse> uses;
  const auto add = [&](qos::SlUse::Kind kind, std::uint8_t sl, Span span, std::string_view name) {
    const auto [at, fresh] = uses.try_emplace({kind, sl});
    if (!fresh) return;
    const std::string_view of =
        kind == qos::SlUse::partition ? "partition" : "a multicast group of partition";
    at->second = {sl, kind, span, fmt::format("{} `{}`", of, name)};
  };
  for (const Partition& partition : partitions.all) {
    add(qos::SlUse::partition, partition.sl, partition.sl_span, partition.name.text);
    for (const MulticastGroup& group : partition.groups)
      add(qos::SlUse::multicast_group, group.sl, group.sl_span, partition.name.text);
  }
  std::vector<qos::SlUse> all;
  all.reserve(uses.size());
  for (auto& [key, use] : uses) all.push_back(std::move(use));
  return all;
}

}  // namespace rch::policy::partitions
