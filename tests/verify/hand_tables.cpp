#include "hand_tables.h"

#include <deque>

namespace rch::test {

fabric::RoutingTables empty_tables(const fabric::Fabric& fabric) {
  fabric::RoutingTables tables;
  tables.lfts = fabric::ForwardingTables(fabric.switch_count(), fabric.max_lid());
  fabric::RoutedStep step;
  step.id = StepId(1);
  step.engine = "by-hand";
  step.switches = IdSet<SwitchId>(fabric.switch_count(), true);
  step.lids = IdSet<Lid>(fabric.max_lid().index() + 1, true);
  tables.steps.push_back(step);
  return tables;
}

void add_step(fabric::RoutingTables& tables, const fabric::Fabric& fabric, std::uint32_t id,
              std::span<const Lid> lids) {
  fabric::RoutedStep step = empty_tables(fabric).steps.front();
  step.id = StepId(id);
  step.lids = IdSet<Lid>(fabric.max_lid().index() + 1);
  for (const Lid lid : lids) step.lids.insert(lid);
  tables.steps.push_back(step);
}

Lid host_lid(const fabric::Fabric& fabric, std::uint32_t sw) {
  return fabric.end_ports_of(SwitchId(sw)).front().lid;
}

void set_entry(fabric::RoutingTables& tables, std::uint32_t sw, Lid lid, std::uint8_t port) {
  tables.lfts.row(SwitchId(sw))[lid.index()] = port;
}

void route_shortest(fabric::RoutingTables& tables, const fabric::Fabric& fabric) {
  for (const fabric::EndPort& host : fabric.end_ports())
    for (unsigned k = 0; k < 1U << host.lmc; ++k) {
      const Lid lid(static_cast<std::uint16_t>(host.lid.value + k));
      set_entry(tables, host.sw.value, lid, host.attach.value);
      for (std::deque<SwitchId> reached{host.sw}; !reached.empty(); reached.pop_front()) {
        const SwitchId at = reached.front();
        for (unsigned p = 1; p <= fabric.node(at).num_ports; ++p) {
          const PortId peer = fabric.port(fabric.port_id(at, PortNum(static_cast<std::uint8_t>(p)))).peer;
          if (peer.is_none()) continue;
          const auto next = fabric.switch_id(fabric.port(peer).node);
          if (!next || tables.lfts.at(*next, lid) != kNoPath) continue;
          set_entry(tables, next->value, lid, fabric.port(peer).number.value);
          reached.push_back(*next);
        }
      }
    }
}

fabric::Fabric ring(std::uint32_t switches) {
  Shape shape;
  shape.hosts.assign(switches, 1);
  for (std::uint32_t s = 0; s < switches; ++s) shape.cables.push_back({s, (s + 1) % switches});
  return build(shape);
}

std::uint8_t forward(std::uint32_t sw) { return sw == 0 ? 2 : 3; }
std::uint8_t backward(std::uint32_t sw) { return sw == 0 ? 3 : 2; }

void route_ring(fabric::RoutingTables& tables, const fabric::Fabric& fabric, std::uint32_t to,
                std::uint32_t forward_hops) {
  const auto n = static_cast<std::uint32_t>(fabric.switch_count());
  for (std::uint32_t sw = 0; sw < n; ++sw) {
    const std::uint32_t hops = (to + n - sw) % n;
    const std::uint8_t port = hops == 0 ? std::uint8_t{1} : hops <= forward_hops ? forward(sw) : backward(sw);
    set_entry(tables, sw, host_lid(fabric, to), port);
  }
}

}  // namespace rch::test
