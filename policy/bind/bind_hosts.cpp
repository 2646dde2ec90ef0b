#include "policy/bind/bind_hosts.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/lint/rules/bind.h"

namespace rch::policy {
namespace {

/// Host ports outside every topology that hang on switches of one.
struct Strays {
  std::size_t count = 0;
  const fabric::EndPort* first = nullptr;
};

void report(const Topology& topology, const Strays& strays, const fabric::Fabric& fabric,
            Diagnostics& diagnostics) {
  const fabric::Port& port = fabric.port(strays.first->port);
  const fabric::Node& leaf = fabric.node(strays.first->sw);
  diagnostics.add(
      kHostInNoTopology, topology.span,
      fmt::format("{} on switches of topology {} {} in no topology, first `{}` port {} on `{}` ({})",
                  counted(strays.count, "host port"), topology.id, strays.count == 1 ? "is" : "are",
                  fabric.node(port.node).name(), port.number, leaf.name(), leaf.guid));
}

}  // namespace

void check_hosts(const BoundPolicy& bound, Diagnostics& diagnostics) {
  const fabric::Fabric& fabric = *bound.fabric;
  const auto& topologies = bound.topologies;
  std::vector<Strays> strays(topologies.size());
  for (const fabric::EndPort& host : fabric.end_ports()) {
    if (fabric.node(fabric.port(host.port).node).type != fabric::NodeType::ca) continue;
    const auto has = [](PortId port) {
      return [port](const auto& topology) { return topology.contains(port); };
    };
    if (std::any_of(topologies.begin(), topologies.end(), has(host.port))) continue;
    const auto of_switch =
        std::find_if(topologies.begin(), topologies.end(), has(fabric.port_id(host.sw, PortNum(0))));
    if (of_switch == topologies.end()) continue;
    Strays& found = strays[static_cast<std::size_t>(of_switch - topologies.begin())];
    if (found.count++ == 0) found.first = &host;
  }
  for (std::size_t t = 0; t < strays.size(); ++t)
    if (strays[t].count > 0) report(bound.policy->topologies[t], strays[t], fabric, diagnostics);
}

}  // namespace rch::policy
