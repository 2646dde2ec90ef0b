#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/ids.h"
#include "fabric/fabric.h"
#include "fabric/pkey_tables.h"

namespace rch::isolation {

/// A P_Key has the number of its partition in the low 15 bits, and in the highest whether the holder is a
/// full member (InfiniBand Architecture 10.9.3).
inline constexpr std::uint16_t kFullMember = 0x8000, kPartitionBits = 0x7FFF;
constexpr std::uint16_t partition_of(std::uint16_t key) { return key & kPartitionBits; }

/// The P_Keys that ports hold, and which packets switch ports check against theirs, whoever wrote them. Ports
/// share equal tables.
class InstalledPKeys {
 public:
  using TableId = std::uint32_t;
  static constexpr TableId kUnknown = 0xFFFFFFFF;

  /// `ports`: of the fabric. Nothing is known of any.
  explicit InstalledPKeys(std::size_t ports) : table_of_(ports, kUnknown), checks_(ports) {}

  /// `slots`: of the table of a port, in any order. Free slots and repeats do not count.
  void set(PortId port, std::span<const std::uint16_t> slots);
  /// Which packets a switch port checks: those that it receives are `in`, those that it sends `out`.
  void set_checks(PortId port, fabric::PartitionEnforcement checks) { checks_[port.index()] = checks; }

  bool knows(PortId port) const { return table_of_[port.index()] != kUnknown; }
  TableId table_of(PortId port) const { return table_of_[port.index()]; }
  /// Ascending by partition; of a partition the full membership after the limited one.
  std::span<const std::uint16_t> table(TableId id) const { return tables_[id]; }
  /// Empty if nothing is known.
  std::span<const std::uint16_t> of(PortId port) const {
    return knows(port) ? table(table_of(port)) : std::span<const std::uint16_t>();
  }
  fabric::PartitionEnforcement checks(PortId port) const { return checks_[port.index()]; }

  std::size_t ports() const { return table_of_.size(); }
  bool knows_any() const { return !tables_.empty(); }

 private:
  std::vector<TableId> table_of_;  ///< by PortId
  std::vector<fabric::PartitionEnforcement> checks_;
  std::vector<std::vector<std::uint16_t>> tables_;
  std::map<std::vector<std::uint16_t>, TableId> ids_;
};

/// What ports hold when `pkeys` are installed: switch ports in front of hosts have the partitions of the host
/// and check as PKeyTables::enforcement says (docs/partitions.md).
InstalledPKeys pkeys_of_plan(const fabric::Fabric& fabric, const fabric::PKeyTables& pkeys);

/// Where ports hold or check other P_Keys than they are to.
struct TableDifferences {
  std::size_t tables = 0;  ///< ports with other P_Keys, in whatever order
  std::size_t checks = 0;  ///< switch ports that check other packets

  bool none() const { return tables + checks == 0; }
};
/// Looks at the ports that are known in `target`, and at those that check anything.
TableDifferences differences(const InstalledPKeys& installed, const InstalledPKeys& target);

/// A port that sends or receives packets of partitions: of a CA or router, or port 0 of a switch.
inline bool is_end_port(const fabric::Fabric& fabric, const fabric::Port& port) {
  return !fabric.is_switch(port.node) || port.number == PortNum(0);
}

/// Whether a port may be one of a tenant: it has a link, or is an enhanced port 0 of a switch. A base port 0
/// has a table, too, and is for management alone.
inline bool exchanges_packets(const fabric::Fabric& fabric, const fabric::Port& port) {
  if (!is_end_port(fabric, port)) return false;
  return fabric.is_switch(port.node) ? fabric.node(port.node).enhanced_port0 : !port.peer.is_none();
}

/// The switch port that an end port hangs on; none for port 0 of a switch and for ports that are cabled back
/// to back.
inline PortId switch_port_of(const fabric::Fabric& fabric, PortId end_port) {
  const fabric::Port& port = fabric.port(end_port);
  const bool hangs =
      !fabric.is_switch(port.node) && !port.peer.is_none() && fabric.is_switch(fabric.port(port.peer).node);
  return hangs ? port.peer : PortId::none();
}

}  // namespace rch::isolation
