#include "chains/in_place.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "fabric/fabric_builder.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using fabric::FabricBuilder;
using fabric::ForwardingTables;
using fabric::RoutingTables;
using fabric::Sl2VlTables;

/// The node without the LIDs that another port of the target has.
fabric::NodeSpec standing_spec(const Fabric& before, NodeId node, const Fabric& target) {
  fabric::NodeSpec spec = fabric::spec_of(before, before.node(node));
  for (fabric::PortSpec& port : spec.ports) {
    if (port.lid == kUnassignedLid) continue;
    for (unsigned i = 0; i < 1U << port.lmc; ++i)
      if (target.lid_owner(Lid(static_cast<std::uint16_t>(port.lid.value + i)))) {
        port.lid = kUnassignedLid, port.lmc = 0;
        break;
      }
  }
  return spec;
}

/// Links of the standing nodes to each other, and to carriers of the target.
void connect(FabricBuilder& builder, const Fabric& target, const StandingNodes& standing) {
  const Fabric& before = *standing.before.fabric;
  for (const NodeId node : standing.nodes)
    for (unsigned p = 1; p <= before.node(node).num_ports; ++p) {
      const PortNum number(static_cast<std::uint8_t>(p));
      const PortId peer = before.port(before.port_id(node, number)).peer;
      if (peer.is_none()) continue;
      const fabric::Port& far = before.port(peer);
      const Guid guid = before.node(far.node).guid;
      if (const auto there = target.find_node(guid)) {
        if (far.number.value > target.node(*there).num_ports) continue;
        const PortId port = target.port_id(*there, far.number);
        if (std::ranges::find(standing.carriers, port) == standing.carriers.end()) continue;
      }
      const auto from = builder.find(before.node(node).guid), to = builder.find(guid);
      if (from && to) std::ignore = builder.connect(*from, number, *to, far.number);
    }
}

/// Where a switch of the fabric in place has its tables from.
struct Origin {
  const Fabric& fabric;
  const RoutingTables& tables;
  SwitchId sw;
};

/// Tables of the target, or installed ones, and of what stands beside it.
class Merged {
 public:
  Merged(const Fabric& merged, const Fabric& target, const RoutingTables& tables, const Plan& before)
      : merged_(merged), target_(target), tables_(tables), before_(before) {}

  RoutingTables make() const {
    RoutingTables out{.lfts = ForwardingTables::uninitialised(merged_.switch_count(), tables_.lfts.max_lid()),
                      .sl2vl = {},
                      .steps = tables_.steps};
    for (std::uint32_t s = 0; s < merged_.switch_count(); ++s) {
      const Origin origin = origin_of(SwitchId(s));
      if (origin.tables.lfts.stride() == out.lfts.stride()) {
        out.lfts.share_row(SwitchId(s), origin.tables.lfts, origin.sw);
        continue;
      }
      const auto from = origin.tables.lfts.row(origin.sw);
      const auto to = out.lfts.row(SwitchId(s));
      const std::size_t known = std::min(from.size(), to.size());
      std::ranges::copy(from.first(known), to.begin());
      std::ranges::fill(to.subspan(known), kNoPath);
    }
    if (!tables_.sl2vl.empty()) out.sl2vl = maps();
    return out;
  }

 private:
  Origin origin_of(SwitchId sw) const {
    const Guid guid = merged_.node(sw).guid;
    if (const auto known = target_.find_switch(guid)) return {target_, tables_, *known};
    return {*before_.fabric, *before_.tables, *before_.fabric->find_switch(guid)};
  }

  Sl2VlTables maps() const {
    std::vector<std::uint8_t> ports;
    for (std::uint32_t s = 0; s < merged_.switch_count(); ++s)
      ports.push_back(merged_.node(SwitchId(s)).num_ports);
    Sl2VlTables maps(ports, fabric::kIdentitySl2Vl);
    for (std::uint32_t s = 0; s < merged_.switch_count(); ++s) {
      const Origin origin = origin_of(SwitchId(s));
      if (origin.tables.sl2vl.empty()) continue;
      for (unsigned in = 0; in <= ports[s]; ++in)
        for (unsigned out = 0; out <= ports[s]; ++out) {
          const PortNum from(static_cast<std::uint8_t>(in)), to(static_cast<std::uint8_t>(out));
          maps.set(SwitchId(s), from, to, maps.intern(origin.tables.sl2vl.at(origin.sw, from, to)));
        }
    }
    maps.set_end_port(maps.intern(tables_.sl2vl.end_port()));
    std::vector<Sl2VlTables::MapId> own(merged_.ports().size(), Sl2VlTables::kNoMap);
    for (std::uint32_t p = 0; p < target_.ports().size(); ++p) {
      if (!tables_.sl2vl.has_own(PortId(p))) continue;
      const fabric::Port& port = target_.port(PortId(p));
      const NodeId node = *merged_.find_node(target_.node(port.node).guid);
      own[merged_.port_id(node, port.number).index()] = maps.intern(tables_.sl2vl.end_port(PortId(p)));
    }
    maps.set_own(std::move(own));
    return maps;
  }

  const Fabric& merged_;
  const Fabric& target_;
  const RoutingTables& tables_;
  const Plan& before_;
};

}  // namespace

std::optional<InPlace> with_links(const Fabric& target, std::span<const Cable> links) {
  std::vector<fabric::Port> ports(target.ports().begin(), target.ports().end());
  for (const auto& [near, far] : links) {
    ports[near.index()].peer = far;
    ports[far.index()].peer = near;
  }
  auto fabric = fabric::with_ports(target, std::move(ports));
  if (!fabric) return std::nullopt;
  return InPlace{std::move(*fabric), std::nullopt, std::nullopt, {}};
}

std::optional<InPlace> with_nodes(InPlace in_place, const Plan& target, const RoutingTables& installed,
                                  const StandingNodes& standing) {
  FabricBuilder builder(in_place.fabric);
  for (const NodeId node : standing.nodes)
    builder.add(standing_spec(*standing.before.fabric, node, *target.fabric));
  connect(builder, *target.fabric, standing);
  auto fabric = std::move(builder).build();
  if (!fabric) return std::nullopt;
  const RoutingTables& then = in_place.target ? *in_place.target : *target.tables;
  InPlace merged{std::move(*fabric), std::nullopt, std::nullopt, {}};
  merged.installed = Merged(merged.fabric, *target.fabric, installed, standing.before).make();
  merged.target = Merged(merged.fabric, *target.fabric, then, standing.before).make();
  for (std::uint32_t s = 0; s < target.fabric->switch_count(); ++s)
    merged.number.push_back(*merged.fabric.find_switch(target.fabric->node(SwitchId(s)).guid));
  return merged;
}

std::vector<fabric::LftBlock> blocks_in_place(const InPlace& in_place,
                                              std::span<const fabric::LftBlock> blocks) {
  std::vector<fabric::LftBlock> out;
  for (const fabric::LftBlock& at : blocks) out.push_back({in_place.number_of(at.sw), at.block});
  return out;  // switches are in the order of their GUIDs in both
}

std::vector<PortId> ports_in_place(const InPlace& in_place, const Fabric& target,
                                   std::span<const PortId> ports) {
  std::vector<PortId> out;
  for (const PortId id : ports) {
    const fabric::Port& port = target.port(id);
    out.push_back(
        in_place.fabric.port_id(*in_place.fabric.find_node(target.node(port.node).guid), port.number));
  }
  return out;
}

void renumber(const InPlace& in_place, std::vector<fabric::WriteRound>& rounds) {
  if (in_place.number.empty()) return;
  std::vector<SwitchId> back(in_place.fabric.switch_count(), SwitchId::none());
  for (std::uint32_t s = 0; s < in_place.number.size(); ++s) back[in_place.number[s].index()] = SwitchId(s);
  for (fabric::WriteRound& round : rounds) {
    std::erase_if(round.writes,
                  [&](const fabric::BlockWrite& write) { return back[write.at.sw.index()].is_none(); });
    for (fabric::BlockWrite& write : round.writes) write.at.sw = back[write.at.sw.index()];
  }
}

}  // namespace rch::chains
