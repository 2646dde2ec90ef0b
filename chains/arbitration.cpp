#include "chains/arbitration.h"

#include <array>
#include <optional>

#include "policy/model/vl_tables.h"

namespace rch::chains {
namespace {

using fabric::Arbitration;
using fabric::Fabric;
using policy::qos::PortClass;

/// Nothing for a port that sends nothing.
std::optional<PortClass> class_of(const Fabric& fabric, PortId id) {
  const fabric::Port& port = fabric.port(id);
  const fabric::Node& node = fabric.node(port.node);
  if (node.type == fabric::NodeType::sw && port.number == PortNum(0))
    return node.enhanced_port0 ? std::optional(PortClass::switch_port0) : std::nullopt;
  if (port.peer.is_none()) return std::nullopt;
  if (node.type == fabric::NodeType::ca) return PortClass::ca;
  if (node.type == fabric::NodeType::router) return PortClass::router;
  const bool between = fabric.is_switch(fabric.port(port.peer).node);
  return between ? PortClass::switch_to_switch : PortClass::switch_external;
}

/// The weights of VLs 0 and 4 of a table for eight VLs, as VLs 0 and 1 (docs/torus.md, VL arbitration).
fabric::VlWeights two_levels(const fabric::VlWeights& weights) {
  fabric::VlWeights kept;
  for (const fabric::VlWeight& entry : weights)
    if (entry.vl == 0 || entry.vl == 4)
      kept.push_back({static_cast<std::uint8_t>(entry.vl / 4), entry.weight});
  return kept;
}

}  // namespace

fabric::ArbitrationTables arbitration_tables(const policy::BoundPolicy& bound, const ChainRun& run) {
  const policy::Options& options = bound.policy->options;
  if (!options.qos.enabled) return {};
  const Fabric& fabric = *bound.fabric;
  fabric::ArbitrationTables tables(fabric.ports().size());
  std::array<std::array<Arbitration, 2>, policy::qos::kPortClasses> by_class;
  for (std::size_t c = 0; c < by_class.size(); ++c) {
    const auto own = policy::qos::vl_tables(options, PortClass(c));
    by_class[c][false] = {own.high_limit, own.high, own.low};
    by_class[c][true] = {own.high_limit, two_levels(own.high), two_levels(own.low)};
  }
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
    const PortId port(p);
    if (const auto port_class = class_of(fabric, port)) {
      const bool two = run.two_level_ports.contains(port);
      tables.set(port, tables.intern(by_class[static_cast<std::size_t>(*port_class)][two]));
    }
  }
  return tables;
}

}  // namespace rch::chains
