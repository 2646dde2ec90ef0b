// Tenants of random fabrics with random P_Keys, judged packet by packet.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>

#include "isolation/compare.h"
#include "support/property.h"
#include "support/small_fabrics.h"

namespace rch::isolation {
namespace {

using fabric::PartitionEnforcement;

constexpr std::uint16_t kPartitions[] = {1, 2, 3, 9, kDefaultPartition};

/// Everything comes from `seed`.
struct Riddle {
  explicit Riddle(std::uint64_t seed)
      : random(seed),
        fabric(test::build(shape(seed))),
        installed(fabric.ports().size()),
        target(fabric.ports().size()) {
    for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
      const PortId port(p);
      if (!is_end_port(fabric, fabric.port(port)) || below(12) == 0) continue;
      slots[port] = table();
      installed.set(port, slots[port]);
      if (below(10) != 0) {
        target_slots[port] = below(3) == 0 ? table() : slots[port];
        target.set(port, target_slots[port]);
      }
      if (const PortId in_front = switch_port_of(fabric, port); !in_front.is_none()) check(in_front, port);
    }
  }

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); }

  static test::Shape shape(std::uint64_t seed) {
    test::Shape shape = test::random_shape(seed, 4);
    for (std::uint32_t& hosts : shape.hosts) hosts = std::min(hosts, 4U);
    return shape;
  }
  std::vector<std::uint16_t> table() {
    std::vector<std::uint16_t> keys;
    for (const std::uint16_t partition : kPartitions)
      if (below(3) == 0)
        for (const std::uint16_t full : {std::uint16_t{0}, kFullMember})
          if (below(2) == 0) keys.push_back(static_cast<std::uint16_t>(partition | full));
    keys.push_back(0);
    std::ranges::shuffle(keys, random);
    return keys;
  }
  void check(PortId in_front, PortId host) {
    constexpr PartitionEnforcement kAll[] = {PartitionEnforcement::off, PartitionEnforcement::in,
                                             PartitionEnforcement::out, PartitionEnforcement::both};
    if (below(4) == 0) return;
    slots[in_front] = below(2) == 0 ? slots[host] : table();
    installed.set(in_front, slots[in_front]);
    installed.set_checks(in_front, kAll[below(4)]);
  }

  std::mt19937_64 random;
  fabric::Fabric fabric;
  InstalledPKeys installed, target;
  std::map<PortId, std::vector<std::uint16_t>> slots, target_slots;
};

/// Sends packets.
struct Network {
  const Riddle& riddle;

  static bool matches(std::uint16_t a, std::uint16_t b) { return ((a ^ b) & 0x7FFF) == 0; }
  std::vector<PortId> ends() const {
    std::vector<PortId> ports;
    for (const auto& [port, keys] : riddle.slots)
      if (is_end_port(riddle.fabric, riddle.fabric.port(port))) ports.push_back(port);
    return ports;
  }
  bool is_member(PortId port, std::uint16_t partition) const {
    return std::ranges::any_of(riddle.slots.at(port),
                               [&](std::uint16_t key) { return key != 0 && matches(key, partition); });
  }
  /// Whether the switch port of an end port passes a packet that it receives, or that it sends.
  bool passes(PortId end, std::uint16_t key, PartitionEnforcement direction) const {
    const PortId in_front = switch_port_of(riddle.fabric, end);
    if (in_front.is_none() || !riddle.slots.contains(in_front)) return true;
    const PartitionEnforcement checks = riddle.installed.checks(in_front);
    if (checks != direction && checks != PartitionEnforcement::both) return true;
    return is_member(in_front, key);
  }
  bool arrives(PortId from, PortId to, std::uint16_t key) const {
    return passes(from, key, PartitionEnforcement::in) && passes(to, key, PartitionEnforcement::out);
  }
  /// Some packet of the partition goes from the one to the other, and is taken.
  bool exchanges(PortId from, PortId to, std::uint16_t partition) const {
    for (const std::uint16_t key : riddle.slots.at(from))
      for (const std::uint16_t other : riddle.slots.at(to))
        if (key != 0 && other != 0 && matches(key, partition) && matches(key, other) &&
            ((key | other) & 0x8000) != 0 && arrives(from, to, key))
          return true;
    return false;
  }
};

RC_GTEST_PROP(Tenants, AreJudgedAsEveryPacketTells, (std::uint64_t seed)) {
  const Riddle riddle(seed);
  const Network network{riddle};
  const Isolation found = judge(riddle.fabric, riddle.installed, {});
  const std::vector<PortId> ends = network.ends();

  std::vector<std::uint16_t> tenants;
  for (const std::uint16_t partition : kPartitions) {
    const bool exists = std::ranges::any_of(ends, [&](PortId p) { return network.is_member(p, partition); });
    if (!exists) continue;
    if (partition != kDefaultPartition) tenants.push_back(partition);
    std::uint64_t reached = 0, members = 0;
    for (const PortId to : ends) {
      members += network.is_member(to, partition) ? 1 : 0;
      if (network.is_member(to, partition) || riddle.fabric.is_switch(riddle.fabric.port(to).node)) continue;
      reached += std::ranges::any_of(ends,
                                     [&](PortId from) {
                                       return network.is_member(from, partition) &&
                                              network.arrives(from, to, partition);
                                     })
                     ? 1
                     : 0;
    }
    const auto at = std::ranges::find(found.partitions, partition, &Partition::number);
    RC_ASSERT(at != found.partitions.end());
    RC_ASSERT(at->reached == reached);
    RC_ASSERT(at->full + at->limited == members);
    RC_ASSERT(at->reaching.has_value() == (reached > 0));
    if (at->reaching) {
      RC_ASSERT(network.is_member(at->reaching->from, partition));
      RC_ASSERT(!network.is_member(at->reaching->to, partition));
      RC_ASSERT(network.arrives(at->reaching->from, at->reaching->to, partition));
    }
  }
  RC_ASSERT(found.tenants == tenants.size());

  std::uint64_t sharing = 0, meeting = 0;
  for (std::size_t i = 0; i < tenants.size(); ++i)
    for (std::size_t j = i + 1; j < tenants.size(); ++j) {
      std::uint64_t shared = 0;
      bool meets = false;
      for (const PortId a : ends) {
        if (!network.is_member(a, tenants[i])) continue;
        shared += network.is_member(a, tenants[j]) ? 1 : 0;
        for (const PortId b : ends)
          for (const std::uint16_t in : kPartitions)
            meets = meets || (a != b && network.is_member(b, tenants[j]) &&
                              (network.exchanges(a, b, in) || network.exchanges(b, a, in)));
      }
      const auto at = std::ranges::find_if(
          found.meetings, [&](const Meeting& m) { return m.a == tenants[i] && m.b == tenants[j]; });
      RC_ASSERT((at != found.meetings.end()) == (shared > 0 || meets));
      if (shared > 0) {
        ++sharing;
        RC_ASSERT(at->shared == shared);
        RC_ASSERT(network.is_member(at->shared_port, tenants[i]));
        RC_ASSERT(network.is_member(at->shared_port, tenants[j]));
      } else if (meets) {
        ++meeting;
        RC_ASSERT(at->packet.has_value());
        RC_ASSERT(network.exchanges(at->packet->from, at->packet->to, at->packet->from_key & 0x7FFF));
      }
    }
  RC_ASSERT(found.sharing == sharing);
  RC_ASSERT(found.meeting == meeting);
}

RC_GTEST_PROP(Target, DifferencesAreThoseOfEveryPair, (std::uint64_t seed)) {
  const Riddle riddle(seed);
  const Network network{riddle};
  const Differences found = compare(riddle.fabric, riddle.installed, riddle.target);
  std::vector<PortId> ends = network.ends();
  std::erase_if(ends, [&](PortId port) { return !riddle.target_slots.contains(port); });
  const auto strength = [](const std::vector<std::uint16_t>& table, std::uint16_t partition) {
    int strongest = 0;
    for (const std::uint16_t key : table)
      if (key != 0 && Network::matches(key, partition))
        strongest = std::max(strongest, (key & 0x8000) != 0 ? 2 : 1);
    return strongest;
  };
  const auto may_exchange = [&](PortId a, PortId b) {
    return std::ranges::any_of(kPartitions, [&](std::uint16_t partition) {
      const int of_a = strength(riddle.target_slots.at(a), partition);
      const int of_b = strength(riddle.target_slots.at(b), partition);
      return of_a > 0 && of_b > 0 && of_a + of_b > 2;
    });
  };
  for (const std::uint16_t partition : kPartitions) {
    std::uint64_t beyond = 0, lacking = 0, pairs = 0;
    const auto is_beyond = [&](PortId port) {
      return strength(riddle.slots.at(port), partition) > strength(riddle.target_slots.at(port), partition);
    };
    for (const PortId a : ends) {
      beyond += is_beyond(a) ? 1 : 0;
      lacking +=
          strength(riddle.slots.at(a), partition) < strength(riddle.target_slots.at(a), partition) ? 1 : 0;
      for (const PortId b : ends)
        if (a < b && (is_beyond(a) || is_beyond(b)) && !may_exchange(a, b) &&
            (network.exchanges(a, b, partition) || network.exchanges(b, a, partition)))
          ++pairs;
    }
    const auto more = std::ranges::find(found.beyond, partition, &Beyond::partition);
    RC_ASSERT((more != found.beyond.end()) == (beyond > 0));
    if (beyond > 0) {
      RC_ASSERT(more->ports == beyond);
      RC_ASSERT(more->pairs == pairs);
      RC_ASSERT(is_beyond(more->port));
    }
    const auto fewer = std::ranges::find(found.lacking, partition, &Lacking::partition);
    RC_ASSERT((fewer != found.lacking.end()) == (lacking > 0));
    if (lacking > 0) RC_ASSERT(fewer->ports == lacking);
  }
}

}  // namespace
}  // namespace rch::isolation
