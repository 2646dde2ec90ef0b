#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "policy/model/options.h"

// The tables that the `qos_*` options give each class of ports (opensm(8), QOS CONFIGURATION).

namespace rch::policy::qos {

enum class PortClass : std::uint8_t { ca, router, switch_port0, switch_external, switch_to_switch };
inline constexpr std::size_t kPortClasses = 5;

struct PortClassInfo {
  PortClass port_class;
  std::string_view prefix;  ///< of its options: `qos_ca_`
  std::string_view ports;   ///< `CA ports`
  QosSet QosOptions::*set;
};
/// In the order of PortClass.
std::span<const PortClassInfo> port_classes();

/// What one class gets: its own options, else `qos_`, else the built-in ones, field by field. Ports between
/// switches fall back to those of switches.
struct VlTables {
  std::uint8_t high_limit = 0;  ///< 4 KB each; 0: one packet, 255: no limit
  VlWeights high, low;
  SlToVl sl2vl{};
};
VlTables vl_tables(const Options& options, PortClass port_class);

inline constexpr std::uint8_t kDropVl = 15;
/// Data VLs of an operational-VL code, 1 to 5: 1, 2, 4, 8, 15.
unsigned data_vls(std::uint8_t code);
/// The VL that OpenSM writes for a VL of a table on a port of that code. 15 stays 15 in SL2VL only.
std::uint8_t masked_vl(std::uint8_t vl, std::uint8_t code);

inline constexpr std::size_t kTableEntries = 64;
using ArbitrationTable = std::array<VlWeight, kTableEntries>;

/// The tables of one port as OpenSM programs them.
struct PortTables {
  std::uint8_t high_limit = 0;
  ArbitrationTable high{}, low{};
  SlToVl sl2vl{};
};

/// `op_vls` is the code of the port that sends, `high_cap` and `low_cap` are the lengths of its arbitration
/// tables. Entries that OpenSM does not write are 0:0; of a table of 64 it writes the first 32, then none.
PortTables port_tables(const VlTables& tables, std::uint8_t op_vls, std::size_t high_cap,
                       std::size_t low_cap);

}  // namespace rch::policy::qos
