#pragma once

#include <algorithm>
#include <vector>

#include "isolation/installed_pkeys.h"

namespace rch::isolation {

enum class Membership : std::uint8_t { none, limited, full };

/// What a table, ascending as InstalledPKeys has it, makes of its port. Full where it has both P_Keys.
inline Membership membership_in(std::span<const std::uint16_t> table, std::uint16_t partition) {
  const auto at = std::ranges::lower_bound(table, partition, {}, partition_of);
  if (at == table.end() || partition_of(*at) != partition) return Membership::none;
  const bool also_full = at + 1 != table.end() && partition_of(*(at + 1)) == partition;
  return also_full || (*at & kFullMember) != 0 ? Membership::full : Membership::limited;
}

/// Calls f(partition) once for each of a table, ascending.
template <class F>
void for_each_partition_of(std::span<const std::uint16_t> table, F&& f) {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (i == 0 || partition_of(table[i - 1]) != partition_of(table[i])) f(partition_of(table[i]));
}

/// The P_Key with which a port of this membership, which is not none, sends.
constexpr std::uint16_t key_of(std::uint16_t partition, Membership membership) {
  return membership == Membership::full ? partition | kFullMember : partition;
}

/// End ports that nothing tells apart: their P_Keys, those that they are to hold, and the checks of the
/// switch ports that they hang on are the same.
struct PortClass {
  std::span<const std::uint16_t> own;
  std::span<const std::uint16_t> target;
  std::span<const std::uint16_t> in_front;  ///< of the switch port; meaningful if it checks anything
  bool checks_in = false;                   ///< the switch port checks what the end port sends
  bool checks_out = false;                  ///< it checks what the end port is to get
  bool of_switch = false;                   ///< ports 0 of switches
  std::vector<PortId> ports;                ///< ascending

  Membership in(std::uint16_t partition) const { return membership_in(own, partition); }
  bool passes_out(std::uint16_t partition) const {
    return !checks_out || membership_in(in_front, partition) != Membership::none;
  }
  /// As what its packets of the partition come into the fabric, if they do.
  Membership sends(std::uint16_t partition) const {
    return checks_in && membership_in(in_front, partition) == Membership::none ? Membership::none
                                                                               : in(partition);
  }
  /// As what it takes packets of the partition, if they come that far.
  Membership takes(std::uint16_t partition) const {
    return passes_out(partition) ? in(partition) : Membership::none;
  }
};

/// One that sends and one that takes exchange packets unless one is no member, or both are limited ones.
constexpr bool exchange(Membership sends, Membership takes) {
  return sends != Membership::none && takes != Membership::none &&
         (sends == Membership::full || takes == Membership::full);
}

/// The end ports whose P_Keys are known, in the order of their first ports. What a switch port checks counts
/// only where its table is known. `target`: null, or for the same fabric. References to both stay.
std::vector<PortClass> port_classes(const fabric::Fabric& fabric, const InstalledPKeys& installed,
                                    const InstalledPKeys* target);

}  // namespace rch::isolation
