#pragma once

#include <optional>
#include <vector>

#include "isolation/tenants.h"

namespace rch::isolation {

/// What a partition lets through that it must not, or keeps back. Memberships are 0 for none, else a P_Key.
struct Beyond {
  std::uint16_t partition = 0;
  std::uint64_t ports = 0;                  ///< that are members, or full members, and are not to be
  PortId port = PortId::none();             ///< the first of them
  std::uint16_t installed = 0, target = 0;  ///< of `port`
  /// Pairs of ports that exchange packets in this partition and are not to exchange any.
  std::uint64_t pairs = 0;
  std::optional<Packet> packet{};  ///< of the first pair
};
struct Lacking {
  std::uint16_t partition = 0;
  std::uint64_t ports = 0;  ///< that are to be members, or full members, and are not
  PortId port = PortId::none();
  std::uint16_t installed = 0, target = 0;  ///< of `port`
};

/// Where ports hold other P_Keys than they are to hold.
struct Differences {
  std::vector<Beyond> beyond;    ///< ascending by partition
  std::vector<Lacking> lacking;  ///< ascending by partition
  /// Ports with a target whose P_Keys are not known: those that exchange packets, and base ports 0 of
  /// switches.
  std::uint64_t unknown = 0, unknown_base_ports = 0;
  bool none() const { return beyond.empty() && lacking.empty(); }
};

/// Compares end ports of which both tables are known. A pair is to exchange packets if it has a partition in
/// common in `target` in which not both are limited members.
Differences compare(const fabric::Fabric& fabric, const InstalledPKeys& installed,
                    const InstalledPKeys& target);

}  // namespace rch::isolation
