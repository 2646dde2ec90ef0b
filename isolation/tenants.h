#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/multicast.h"
#include "isolation/installed_pkeys.h"

namespace rch::isolation {

// Whether partitions are apart is judged by what end ports hold and switch ports check, whatever the
// forwarding tables are: what is apart stays so when routes change.
//
//   end port ── switch port ── … ── switch port ── end port
//   sends the P_Keys   checks what    checks what     takes packets of a partition
//   of its table       it receives    it sends        that its table has
//
// Two limited members of a partition do not take packets from each other (InfiniBand Architecture 10.9.3). A
// switch port passes each packet of a partition that its table has, whatever the membership.

/// The partition that management uses; it is no tenant.
inline constexpr std::uint16_t kDefaultPartition = 0x7FFF;

/// A packet that one port sends and another one takes, or gets.
struct Packet {
  PortId from, to;
  std::uint16_t from_key = 0;  ///< that `from` sends with
  std::uint16_t to_key = 0;    ///< that `to` takes it by; 0: none
};

/// A partition and its members.
struct Partition {
  std::uint16_t number = 0;
  std::uint64_t full = 0, limited = 0;  ///< ports; one that holds both P_Keys is full
  /// CA and router ports that are no members and that packets of this partition reach: no switch port on the
  /// way checks them, so that only the port itself drops them.
  std::uint64_t reached = 0;
  std::optional<Packet> reaching{};  ///< one of these packets
};

/// Two tenants that are not apart.
struct Meeting {
  std::uint16_t a = 0, b = 0;           ///< partitions, a < b
  std::uint64_t shared = 0;             ///< ports that are members of both
  PortId shared_port = PortId::none();  ///< the first of them
  /// Without shared ports: a packet between a member of the one and a member of the other, in a third
  /// partition.
  std::optional<Packet> packet{};
};

/// A port that is a member of several tenants.
struct SharedPort {
  PortId port;
  std::uint64_t tenants = 0;
};

/// A multicast tree whose ports have no partition in common: some of them get packets of partitions that they
/// are not in.
struct MixedGroup {
  Lid mlid;
  PortId a, b;  ///< members without a common partition; if there are no such two, a is the first, b the last
};

struct Isolation {
  std::vector<Partition> partitions;     ///< that any end port holds, ascending
  std::uint64_t tenants = 0;             ///< of these, without the default partition
  std::uint64_t pairs = 0;               ///< of tenants
  std::uint64_t sharing = 0;             ///< pairs that share ports
  std::uint64_t meeting = 0;             ///< pairs that share none and exchange packets in a third partition
  std::vector<Meeting> meetings;         ///< the first kMostMeetings, ascending
  std::vector<SharedPort> shared_ports;  ///< ascending by port
  std::vector<MixedGroup> mixed_groups;  ///< ascending
  std::uint64_t unknown = 0;             ///< ports that exchange packets and whose P_Keys are not known
  PortId first_unknown = PortId::none();

  static constexpr std::size_t kMostMeetings = 10'000;

  std::uint64_t apart() const { return pairs - sharing - meeting; }
};

/// `groups`: the multicast trees of the switches.
Isolation judge(const fabric::Fabric& fabric, const InstalledPKeys& installed,
                std::span<const fabric::MulticastGroup> groups);

}  // namespace rch::isolation
