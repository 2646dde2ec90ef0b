#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/routing_tables.h"

namespace rch::dumps {

/// What ports and switches are set to, beside what a Fabric has of them, as far as anyone tells it.
struct LinkSettings {
  /// Unknown, or 0, where nobody tells it.
  struct Port {
    fabric::LinkWidth width = fabric::LinkWidth::unknown;  ///< active
    fabric::LinkSpeed speed = fabric::LinkSpeed::unknown;  ///< active
    std::uint8_t mtu = 0;                                  ///< NeighborMTU: code 1..5 = 256..4096 bytes
    std::uint8_t op_vls = 0;                               ///< OperationalVLs: code 1..5

    friend bool operator==(const Port&, const Port&) = default;
  };
  std::vector<Port> ports;  ///< by PortId; empty: nothing is known of any

  /// Entries of a switch for LIDs above its LinearFDBTop. The switch drops these packets
  /// (InfiniBand Architecture 14.2.5.4), so the tables that are judged do not have the entries.
  struct BeyondTop {
    SwitchId sw;
    Lid top;
    Lid first;  ///< of these LIDs the lowest one that a port has
    std::uint64_t entries = 0;
  };
  std::vector<BeyondTop> beyond_top;
  /// Switches whose LinearFDBTop nobody tells, where that of others is told.
  std::uint64_t without_top = 0;
};

/// How settings contradict the tables, or one another.
enum class SettingKind : std::uint8_t {
  dead_port_entries,   ///< entries lead to ports that are not there, have no active link, or no cable
  entries_beyond_top,  ///< LinkSettings::beyond_top
  link_mtu,            ///< NeighborMTU differs at the ends of a cable: large packets are dropped
  link_vls,            ///< OperationalVLs differ at the ends of a cable
  link_width,          ///< the ends of a cable show different active widths; forbids nothing
  link_speed,          ///< the same of active speeds
};
/// `dead-port-entries`, `entries-beyond-top`, `link-mtu`, `link-vls`, `link-width`, `link-speed`.
std::string_view name(SettingKind kind);
/// Packets are lost by these. A cable whose ends show different rates may have been read while it was
/// trained.
inline constexpr SettingKind kForbidding[] = {SettingKind::dead_port_entries, SettingKind::entries_beyond_top,
                                              SettingKind::link_mtu, SettingKind::link_vls};

/// All that is wrong in one way, with the first case as a witness.
struct SettingFinding {
  SettingKind kind{};
  std::string message;
  std::uint64_t count = 0;  ///< entries, or cables
  bool accepted = false;

  bool forbids() const { return !accepted && std::ranges::find(kForbidding, kind) != std::end(kForbidding); }
};

/// At most one finding of each kind, in the order of the kinds. Entries count for LIDs that a port has; what
/// is left of LIDs of earlier times disturbs nobody.
std::vector<SettingFinding> judge_settings(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                                           const LinkSettings& settings);

/// Cables, and those of them of which the MTU of both ends is known.
struct KnownCables {
  std::uint64_t all = 0, with_mtu = 0;
};
KnownCables known_cables(const fabric::Fabric& fabric, const LinkSettings& settings);

/// The fabric with the VLs of ports that are in operation in place of those that they are capable of, so that
/// SL2VL maps are judged by these.
fabric::Fabric with_operational_vls(fabric::Fabric fabric, const LinkSettings& settings);

}  // namespace rch::dumps
