#include "isolation/between.h"

#include "isolation/port_classes.h"

namespace rch::isolation {
namespace {

/// The ports of a class that are in a set.
std::vector<PortId> in_set(const PortClass& one, std::span<const PortId> set) {
  std::vector<PortId> ports;
  std::ranges::set_intersection(one.ports, set, std::back_inserter(ports));
  return ports;
}

/// The P_Keys with which ports of the one class send and those of the other take, in the lowest partition.
std::optional<std::pair<std::uint16_t, std::uint16_t>> keys_between(const PortClass& from,
                                                                    const PortClass& to) {
  std::optional<std::pair<std::uint16_t, std::uint16_t>> keys;
  for_each_partition_of(from.own, [&](std::uint16_t partition) {
    const Membership sends = from.sends(partition), takes = to.takes(partition);
    if (!keys && exchange(sends, takes)) keys = {key_of(partition, sends), key_of(partition, takes)};
  });
  return keys;
}

}  // namespace

std::optional<Packet> packet_between(const fabric::Fabric& fabric, const InstalledPKeys& installed,
                                     std::span<const PortId> a, std::span<const PortId> b) {
  const std::vector<PortClass> classes = port_classes(fabric, installed, nullptr);
  std::vector<std::pair<const PortClass*, std::vector<PortId>>> of_a, of_b;
  for (const PortClass& one : classes) {
    if (auto ports = in_set(one, a); !ports.empty()) of_a.emplace_back(&one, std::move(ports));
    if (auto ports = in_set(one, b); !ports.empty()) of_b.emplace_back(&one, std::move(ports));
  }
  for (const auto& [class_a, ports_a] : of_a)
    for (const auto& [class_b, ports_b] : of_b) {
      // Two ports that are not the same one.
      PortId near = ports_a.front(), far = ports_b.front();
      if (near == far) far = ports_b.back();
      if (near == far) near = ports_a.back();
      if (near == far) continue;
      if (const auto keys = keys_between(*class_a, *class_b))
        return Packet{near, far, keys->first, keys->second};
      if (const auto keys = keys_between(*class_b, *class_a))
        return Packet{far, near, keys->first, keys->second};
    }
  return std::nullopt;
}

}  // namespace rch::isolation
