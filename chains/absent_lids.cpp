#include "chains/absent_lids.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "verify/columns.h"

namespace rch::chains {
namespace {

using fabric::Fabric;

/// The node and port that a port leads to, if it is a switch.
std::pair<Guid, PortNum> far_switch_port(const Fabric& fabric, PortId port) {
  const PortId peer = fabric.port(port).peer;
  if (peer.is_none() || !fabric.is_switch(fabric.port(peer).node)) return {};
  return {fabric.node(fabric.port(peer).node).guid, fabric.port(peer).number};
}

/// The switch has the cables to switches and the entries that it had, but for those that are gone.
bool only_lost(const Fabric& before, SwitchId was, std::span<const std::uint8_t> installed, const Fabric& now,
               SwitchId sw, std::span<const std::uint8_t> target) {
  if (before.node(was).num_ports != now.node(sw).num_ports) return false;
  for (unsigned p = 1; p <= now.node(sw).num_ports; ++p) {
    const PortNum number(static_cast<std::uint8_t>(p));
    if (far_switch_port(before, before.port_id(was, number)) != far_switch_port(now, now.port_id(sw, number)))
      return false;
  }
  for (std::size_t l = 0; l < target.size(); ++l)
    if (target[l] != kNoPath && (l >= installed.size() || target[l] != installed[l])) return false;
  return true;
}

bool is_only_less(const Plan& installed, const Fabric& fabric, const fabric::RoutingTables& tables) {
  if (!tables.sl2vl.empty() || !installed.tables->sl2vl.empty()) return false;  // layers may differ
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const SwitchId sw(s);
    const auto was = installed.fabric->find_switch(fabric.node(sw).guid);
    if (!was || !only_lost(*installed.fabric, *was, std::as_const(installed.tables->lfts).row(*was), fabric,
                           sw, std::as_const(tables.lfts).row(sw)))
      return false;
  }
  return true;
}

}  // namespace

void drop_unproven_absent_lids(const Plan* installed, const Fabric& fabric, fabric::RoutingTables& tables) {
  if (installed == nullptr) return;
  const std::vector<verify::Destination> absent = verify::absent_destinations(fabric, tables.lfts);
  if (absent.empty() || is_only_less(*installed, fabric, tables)) return;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    for (const verify::Destination& d : absent)
      if (std::as_const(tables.lfts).at(SwitchId(s), d.lid) != kNoPath)
        tables.lfts.row(SwitchId(s))[d.lid.index()] = kNoPath;
}

}  // namespace rch::chains
