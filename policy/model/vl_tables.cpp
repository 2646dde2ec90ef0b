#include "policy/model/vl_tables.h"

#include <algorithm>
#include <iterator>

namespace rch::policy::qos {
namespace {

constexpr PortClassInfo kClasses[] = {
    {PortClass::ca, "qos_ca_", "CA ports", &QosOptions::ca},
    {PortClass::router, "qos_rtr_", "router ports", &QosOptions::rtr},
    {PortClass::switch_port0, "qos_sw0_", "switch ports 0", &QosOptions::sw0},
    {PortClass::switch_external, "qos_swe_", "switch ports", &QosOptions::swe},
    {PortClass::switch_to_switch, "qos_sw2sw_", "ports between switches", &QosOptions::sw2sw},
};
static_assert(std::size(kClasses) == kPortClasses);

// Built-in tables: high priority for VL 0, the low table for the others.
constexpr std::uint8_t kDataVls = 15, kBuiltinWeight = 4, kBuiltinLastVl = 7;

VlWeights builtin_weights(bool high) {
  VlWeights weights;
  for (std::uint8_t vl = 0; vl < kDataVls; ++vl)
    weights.push_back({vl, (vl == 0) == high ? kBuiltinWeight : std::uint8_t{0}});
  return weights;
}

SlToVl builtin_sl2vl() {
  SlToVl map;
  for (std::uint8_t sl = 0; sl < map.size(); ++sl) map[sl] = sl < kDataVls ? sl : kBuiltinLastVl;
  return map;
}

/// Bits of a VL number that a port has.
std::uint8_t vl_mask(std::uint8_t code) {
  return static_cast<std::uint8_t>((1U << (std::clamp<std::uint8_t>(code, 1, 5) - 1)) - 1);
}

/// Entries that OpenSM writes of a table with `cap` of them, block by block.
std::size_t written_entries(std::size_t cap) {
  constexpr std::size_t kBlock = kTableEntries / 2;
  return cap <= kBlock ? cap : kBlock + cap % kBlock;
}

ArbitrationTable programmed(const VlWeights& weights, std::uint8_t code, std::size_t cap) {
  ArbitrationTable table{};
  const std::size_t count = std::min({weights.size(), written_entries(cap), table.size()});
  for (std::size_t i = 0; i < count; ++i)
    table[i] = {static_cast<std::uint8_t>(weights[i].vl & vl_mask(code)), weights[i].weight};
  return table;
}

}  // namespace

std::span<const PortClassInfo> port_classes() { return kClasses; }

VlTables vl_tables(const Options& options, PortClass port_class) {
  const QosSet& own = options.qos.*kClasses[static_cast<std::size_t>(port_class)].set;
  const QosSet& base = options.qos.base;
  const QosSet& between = port_class == PortClass::switch_to_switch ? options.qos.swe : own;
  const auto first = [](const auto& a, const auto& b, const auto& c, const auto& otherwise) {
    return a ? *a : b ? *b : c ? *c : otherwise;
  };
  return {first(own.high_limit, between.high_limit, base.high_limit, std::uint8_t{0}),
          first(own.vlarb_high, between.vlarb_high, base.vlarb_high, builtin_weights(true)),
          first(own.vlarb_low, between.vlarb_low, base.vlarb_low, builtin_weights(false)),
          first(own.sl2vl, between.sl2vl, base.sl2vl, builtin_sl2vl())};
}

unsigned data_vls(std::uint8_t code) { return std::min(vl_mask(code) + 1U, unsigned{kDataVls}); }

std::uint8_t masked_vl(std::uint8_t vl, std::uint8_t code) {
  return vl == kDropVl ? kDropVl : static_cast<std::uint8_t>(vl & vl_mask(code));
}

PortTables port_tables(const VlTables& tables, std::uint8_t op_vls, std::size_t high_cap,
                       std::size_t low_cap) {
  PortTables port;
  port.high_limit = tables.high_limit;
  port.high = programmed(tables.high, op_vls, high_cap);
  port.low = programmed(tables.low, op_vls, low_cap);
  for (std::size_t sl = 0; sl < port.sl2vl.size(); ++sl) port.sl2vl[sl] = masked_vl(tables.sl2vl[sl], op_vls);
  return port;
}

}  // namespace rch::policy::qos
