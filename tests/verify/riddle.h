#pragma once

// Random fabrics with random tables, good and broken.

#include <random>

#include "fabric/fabric_builder.h"
#include "hand_tables.h"
#include "verify/verify.h"

namespace rch::test {

/// One random question. Everything comes from `seed`.
class Riddle {
 public:
  explicit Riddle(std::uint64_t seed)
      : random_(seed), fabric_(make_fabric(seed)), tables_(empty_tables(fabric_)) {
    if (one_in(2))
      route_shortest(tables_, fabric_);
    else
      route_somehow();
    if (one_in(3)) scatter_entries(below(4) + 1);
    if (one_in(4)) swing_entries();
    if (!one_in(3)) add_maps();
    if (!one_in(3)) set_rule(tables_.steps.front().sl);
    if (one_in(3)) add_step();
    if (one_in(3)) options_.column_bytes = below(60);
    if (one_in(4)) options_.max_op_vls = static_cast<std::uint8_t>(1 + below(5));
    if (!one_in(3)) route_to_switches();
    if (one_in(2)) route_to_nobody();
  }

  const fabric::Fabric& fabric() const { return fabric_; }
  const fabric::RoutingTables& tables() const { return tables_; }
  fabric::RoutingTables& tables() { return tables_; }
  const verify::Options& options() const { return options_; }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }

  fabric::Fabric make_fabric(std::uint64_t seed) {
    Shape shape = random_shape(seed, 9);
    const auto switches = static_cast<std::uint32_t>(shape.hosts.size());
    if (one_in(2) && switches > 2)  // a ring, so that there is something to deadlock on
      for (std::uint32_t s = 0; s < switches; ++s) shape.cables.push_back({s, (s + 1) % switches});
    if (one_in(10) && switches > 1)  // ports beyond 64
      shape.cables.insert(shape.cables.end(), 70, {0, 1});
    shape.lmc = static_cast<std::uint8_t>(one_in(3) ? below(3) : 0);
    if (one_in(6)) shape.cables.push_back({0, 0});  // from a switch to itself
    fabric::FabricBuilder builder(build(shape));
    if (one_in(4))
      for (std::uint32_t s = 0; s < shape.hosts.size(); ++s)
        for (fabric::PortSpec& port : builder.node(*builder.find(Guid(0x100000 + shape.guid_step * s))).ports)
          port.vl_cap = static_cast<std::uint8_t>(one_in(4) ? below(6) : 0);
    return *std::move(builder).build();
  }

  std::uint8_t any_port(std::uint32_t sw) {
    return static_cast<std::uint8_t>(below(fabric_.node(SwitchId(sw)).num_ports + 2U));
  }
  Lid any_lid() { return Lid(static_cast<std::uint16_t>(1 + below(fabric_.max_lid().value))); }

  /// A tree towards each LID that grows at random places: detours, and credit loops where there are rings.
  void route_somehow() {
    for (const fabric::EndPort& host : fabric_.end_ports())
      for (unsigned k = 0; k < 1U << host.lmc; ++k) {
        const Lid lid(static_cast<std::uint16_t>(host.lid.value + k));
        set_entry(tables_, host.sw.value, lid, host.attach.value);
        grow_tree(host.sw, lid);
      }
  }

  /// The same for the LIDs of switches, some entries set at random.
  void route_to_switches() {
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      const Lid lid = fabric_.port(fabric_.port_id(SwitchId(s), PortNum(0))).lid;
      set_entry(tables_, s, lid, 0);
      grow_tree(SwitchId(s), lid);
      if (one_in(8))
        set_entry(tables_, below(static_cast<std::uint32_t>(fabric_.switch_count())), lid, any_port(s));
    }
  }

  /// Any entries for a LID that no port has, between others or beyond them.
  void route_to_nobody() {
    const Lid lid(
        static_cast<std::uint16_t>(1 + below(static_cast<std::uint32_t>(tables_.lfts.stride()) - 1)));
    if (fabric_.lid_owner(lid)) return;
    for (std::uint32_t sw = 0; sw < fabric_.switch_count(); ++sw)
      if (!one_in(4)) set_entry(tables_, sw, lid, any_port(sw));
  }

  void grow_tree(SwitchId root, Lid lid) {
    std::vector<PortId> open = ports_of(root);
    while (!open.empty()) {
      std::swap(open[below(static_cast<std::uint32_t>(open.size()))], open.back());
      const PortId peer = fabric_.port(open.back()).peer;
      open.pop_back();
      if (peer.is_none()) continue;
      const auto sw = fabric_.switch_id(fabric_.port(peer).node);
      if (!sw || tables_.lfts.at(*sw, lid) != kNoPath) continue;
      set_entry(tables_, sw->value, lid, fabric_.port(peer).number.value);
      const std::vector<PortId> more = ports_of(*sw);
      open.insert(open.end(), more.begin(), more.end());
    }
  }

  std::vector<PortId> ports_of(SwitchId sw) const {
    std::vector<PortId> ports;
    for (unsigned p = 1; p <= fabric_.node(sw).num_ports; ++p)
      ports.push_back(fabric_.port_id(sw, PortNum(static_cast<std::uint8_t>(p))));
    return ports;
  }

  /// Any value anywhere.
  void scatter_entries(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t sw = below(static_cast<std::uint32_t>(fabric_.switch_count()));
      set_entry(tables_, sw, any_lid(), one_in(3) ? static_cast<std::uint8_t>(below(256)) : any_port(sw));
    }
  }

  /// Other ways, seldom the shortest, often loops.
  void swing_entries() {
    for (std::uint32_t sw = 0; sw < fabric_.switch_count(); ++sw)
      for (const fabric::EndPort& host : fabric_.end_ports())
        if (host.sw.value != sw && one_in(6)) set_entry(tables_, sw, host.lid, any_port(sw));
  }

  fabric::Sl2VlMap any_map() {
    fabric::Sl2VlMap map{};
    const bool drops = one_in(8);
    const std::uint32_t vls = 1 + below(one_in(4) ? 15 : 4);
    for (std::uint8_t& vl : map) vl = static_cast<std::uint8_t>(drops && one_in(8) ? 15 : below(vls));
    return map;
  }

  void add_maps() {
    std::vector<std::uint8_t> ports;
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s)
      ports.push_back(fabric_.node(SwitchId(s)).num_ports);
    tables_.sl2vl = fabric::Sl2VlTables(ports, any_map());
    std::vector<fabric::Sl2VlTables::MapId> ids;
    for (int i = 0; i < 4; ++i) ids.push_back(tables_.sl2vl.intern(any_map()));
    for (std::uint32_t s = 0; s < ports.size(); ++s)
      for (unsigned in = 0; in <= ports[s]; ++in)
        for (unsigned out = 0; out <= ports[s]; ++out)
          tables_.sl2vl.set(SwitchId(s), PortNum(static_cast<std::uint8_t>(in)),
                            PortNum(static_cast<std::uint8_t>(out)), ids[below(4)]);
    if (one_in(3)) tables_.sl2vl.set_end_port(ids[0]);
    if (one_in(3)) add_own_maps(ids);
  }

  void add_own_maps(const std::vector<fabric::Sl2VlTables::MapId>& ids) {
    std::vector<fabric::Sl2VlTables::MapId> own(fabric_.ports().size(), fabric::Sl2VlTables::kNoMap);
    for (const fabric::EndPort& host : fabric_.end_ports())
      if (!one_in(4)) own[host.port.index()] = ids[below(4)];
    tables_.sl2vl.set_own(std::move(own));
  }

  void set_rule(fabric::SlRule& rule) {
    rule.base = static_cast<std::uint8_t>(one_in(2) ? 0 : below(16));
    for (std::uint32_t d = below(3); d > 0; --d) {
      fabric::SlRule::Dimension dimension{static_cast<std::uint8_t>(below(4)), 3, {}, {}};
      for (std::size_t s = 0; s < fabric_.switch_count(); ++s)
        dimension.coordinate.push_back(static_cast<std::uint16_t>(one_in(12) ? 0xFFFF : below(3)));
      for (int i = 0; i < 9; ++i) dimension.crosses.push_back(static_cast<std::uint8_t>(below(2)));
      rule.dimensions.push_back(dimension);
    }
  }

  void add_step() {
    std::vector<Lid> lids;
    for (std::uint16_t lid = 1; lid <= fabric_.max_lid().value; ++lid)
      if (one_in(2)) lids.push_back(Lid(lid));
    test::add_step(tables_, fabric_, 2, lids);
    fabric::RoutedStep& step = tables_.steps.back();
    step.switches = IdSet<SwitchId>(fabric_.switch_count());
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s)
      if (!one_in(3)) step.switches.insert(SwitchId(s));
    set_rule(step.sl);
    if (one_in(2)) step.sl.border = static_cast<std::uint8_t>(1U << below(4));
    if (one_in(2) && fabric_.switch_count() > 1 && !lids.empty())
      step.holes.push_back(std::uint64_t{1} << 16 | lids.front().value);
  }

  std::mt19937_64 random_;
  fabric::Fabric fabric_;
  fabric::RoutingTables tables_;
  verify::Options options_;
};

}  // namespace rch::test
