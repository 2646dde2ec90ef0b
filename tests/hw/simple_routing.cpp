#include "hw/simple_routing.h"

#include <deque>

namespace rch::hw::test {
namespace {

using fabric::Fabric;

/// Fills `exits` with the port by which each switch comes nearer to `to`; kNoPath where it cannot, 0 at `to`.
void exits_towards(const Fabric& fabric, SwitchId to, bool last, std::vector<std::uint8_t>& exits) {
  exits.assign(fabric.switch_count(), kNoPath);
  std::vector<std::size_t> distance(fabric.switch_count());
  exits[to.index()] = 0;
  std::deque<SwitchId> frontier{to};
  while (!frontier.empty()) {
    const SwitchId at = frontier.front();
    frontier.pop_front();
    for (const auto& neighbor : fabric.graph().neighbors(at)) {
      const bool fresh = exits[neighbor.sw.index()] == kNoPath;
      if (!fresh && !(last && distance[neighbor.sw.index()] == distance[at.index()] + 1)) continue;
      exits[neighbor.sw.index()] = fabric.graph().links(neighbor)[0].in.value;
      distance[neighbor.sw.index()] = distance[at.index()] + 1;
      if (fresh) frontier.push_back(neighbor.sw);
    }
  }
}

fabric::Sl2VlTables shuffled_vls(const Fabric& fabric) {
  std::vector<std::uint8_t> num_ports;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    num_ports.push_back(fabric.node(SwitchId(s)).num_ports);
  fabric::Sl2VlTables tables(num_ports, fabric::kIdentitySl2Vl);
  for (std::uint32_t s = 0; s < num_ports.size(); ++s) {
    for (unsigned in = 0; in <= num_ports[s]; ++in) {
      for (unsigned out = 1; out <= num_ports[s]; ++out) {
        fabric::Sl2VlMap map{};
        for (unsigned sl = 0; sl < map.size(); ++sl) map[sl] = static_cast<std::uint8_t>((sl + in + out) % 3);
        tables.set(SwitchId(s), PortNum(static_cast<std::uint8_t>(in)),
                   PortNum(static_cast<std::uint8_t>(out)), tables.intern(map));
      }
    }
  }
  fabric::Sl2VlMap host{};
  for (unsigned sl = 0; sl < host.size(); ++sl) host[sl] = static_cast<std::uint8_t>(sl % 2);
  tables.set_end_port(tables.intern(host));
  return tables;
}

}  // namespace

std::vector<fabric::LidAssignment> simple_lids(const Fabric& fabric, std::uint8_t lmc) {
  std::vector<fabric::LidAssignment> lids;
  unsigned next = 1;
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
    const fabric::Port& port = fabric.port(PortId(p));
    const bool on_switch = fabric.is_switch(port.node);
    if (on_switch ? port.number != PortNum(0) : port.peer.is_none()) continue;
    const std::uint8_t own_lmc = on_switch ? std::uint8_t{0} : lmc;
    const unsigned size = 1U << own_lmc;
    next = (next + size - 1) / size * size;
    lids.push_back({PortId(p), Lid(static_cast<std::uint16_t>(next)), own_lmc});
    next += size;
  }
  return lids;
}

fabric::RoutingTables simple_tables(const Fabric& fabric, bool shuffle_vls, bool last) {
  fabric::RoutingTables tables;
  tables.lfts = fabric::ForwardingTables(fabric.switch_count(), fabric.max_lid());
  std::vector<std::uint8_t> exits;
  for (std::uint32_t d = 0; d < fabric.switch_count(); ++d) {
    exits_towards(fabric, SwitchId(d), last, exits);
    const Lid own = fabric.port(fabric.port_id(SwitchId(d), PortNum(0))).lid;
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const auto row = tables.lfts.row(SwitchId(s));
      row[own.index()] = exits[s];
      for (const fabric::EndPort& end : fabric.end_ports_of(SwitchId(d))) {
        for (unsigned k = 0; k < 1U << end.lmc; ++k)
          row[end.lid.index() + k] = s == d ? end.attach.value : exits[s];
      }
    }
  }
  fabric::RoutedStep step;
  step.switches = IdSet<SwitchId>(fabric.switch_count(), true);
  step.lids = IdSet<Lid>(fabric.max_lid().index() + 1, true);
  tables.steps.push_back(std::move(step));
  if (shuffle_vls) tables.sl2vl = shuffled_vls(fabric);
  return tables;
}

}  // namespace rch::hw::test
