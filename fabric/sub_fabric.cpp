#include "fabric/sub_fabric.h"

#include <algorithm>

namespace rch::fabric {

SubFabric::SubFabric(const Fabric& fabric) : fabric_(&fabric), whole_(true), graph_(fabric.graph()) {
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) switches_.push_back(SwitchId(s));
  view_of_ = switches_;
  for (SwitchId s : switches_) {
    end_port_begin_.push_back(static_cast<std::uint32_t>(end_ports_.size()));
    for (const EndPort& end : fabric.end_ports_of(s)) end_ports_.push_back(end);
  }
  end_port_begin_.push_back(static_cast<std::uint32_t>(end_ports_.size()));
}

SubFabric::SubFabric(const Fabric& fabric, const Scope& scope)
    : fabric_(&fabric), path_bit_(scope.path_bit), ports_(scope.ports) {
  view_of_.assign(fabric.switch_count(), SwitchId::none());
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const Node& node = fabric.node(SwitchId(s));
    bool member = false;
    for (std::uint32_t p = 0; p <= node.num_ports; ++p)
      member = member || ports_.contains(PortId(node.first_port.value + p));
    if (!member) continue;
    view_of_[s] = SwitchId(static_cast<std::uint32_t>(switches_.size()));
    switches_.push_back(SwitchId(s));
  }

  std::vector<SwitchGraph::Edge> edges;
  for (SwitchId global : switches_) {
    const SwitchId view = view_of_[global.index()];
    for (const Neighbor& n : fabric.graph().neighbors(global))
      for (const SwitchLink& link : fabric.graph().links(n))
        if (ports_.contains(fabric.port_id(global, link.out)) &&
            ports_.contains(fabric.port_id(n.sw, link.in)))
          edges.push_back({view, link.out, view_of_[n.sw.index()], link.in});

    end_port_begin_.push_back(static_cast<std::uint32_t>(end_ports_.size()));
    for (EndPort end : fabric.end_ports_of(global)) {
      if (!ports_.contains(end.port) || !ports_.contains(fabric.port_id(global, end.attach))) continue;
      end.sw = view;
      if (path_bit_ && end.lid != kUnassignedLid) {
        if (*path_bit_ >> end.lmc != 0) continue;  // the port has no LID with this path bit
        end.lid = Lid(static_cast<std::uint16_t>(end.lid.value + *path_bit_));
        end.lmc = 0;
      }
      end_ports_.push_back(end);
    }
  }
  end_port_begin_.push_back(static_cast<std::uint32_t>(end_ports_.size()));
  graph_ = SwitchGraph(switches_.size(), std::move(edges));
}

std::span<const EndPort> SubFabric::end_ports_of(SwitchId sw) const {
  const std::uint32_t begin = end_port_begin_[sw.index()];
  return std::span(end_ports_).subspan(begin, end_port_begin_[sw.index() + 1] - begin);
}

std::optional<SwitchId> SubFabric::view_switch(SwitchId fabric_switch) const {
  const SwitchId view = view_of_[fabric_switch.index()];
  if (view.is_none()) return std::nullopt;
  return view;
}

Lid SubFabric::switch_lid(SwitchId sw) const {
  if (path_bit_.value_or(0) != 0) return kUnassignedLid;
  return fabric_->port(fabric_->port_id(fabric_switch(sw), PortNum(0))).lid;
}

std::uint8_t SubFabric::switch_lmc(SwitchId sw) const {
  return path_bit_ ? std::uint8_t{0} : fabric_->port(fabric_->port_id(fabric_switch(sw), PortNum(0))).lmc;
}

IdSet<Lid> SubFabric::routed_lids() const {
  IdSet<Lid> lids(fabric_->max_lid().index() + 1);
  const auto insert = [&](Lid base, std::uint8_t lmc) {
    if (base == kUnassignedLid) return;
    for (std::uint32_t k = 0; k < 1U << lmc; ++k)
      lids.insert(Lid(static_cast<std::uint16_t>(base.value + k)));
  };
  for (const EndPort& end : end_ports_) insert(end.lid, end.lmc);
  for (std::uint32_t s = 0; s < switches_.size(); ++s) {
    insert(switch_lid(SwitchId(s)), switch_lmc(SwitchId(s)));
  }
  return lids;
}

}  // namespace rch::fabric
