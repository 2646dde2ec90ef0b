#include "engines/common/port_selection/destinations.h"

#include <algorithm>
#include <utility>

#include "base/bitset.h"

namespace rch::engines::common {
namespace {

PortId port0(const fabric::SubFabric& view, SwitchId sw) {
  return view.fabric().port_id(view.fabric_switch(sw), PortNum(0));
}

/// Switches of the view in the order of an OpenSM map keyed by `guid_of(switch)`.
template <class GuidOf>
std::vector<SwitchId> map_order(const fabric::SubFabric& view, GuidOf&& guid_of) {
  std::vector<SwitchId> order;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) order.push_back(SwitchId(s));
  std::sort(order.begin(), order.end(), [&](SwitchId a, SwitchId b) {
    return fabric::opensm_order(guid_of(a)) < fabric::opensm_order(guid_of(b));
  });
  return order;
}

class OrderBuilder {
 public:
  explicit OrderBuilder(const fabric::SubFabric& view) : view_(view), listed_(view.fabric().ports().size()) {}

  DestinationOrder build(std::span<const PortId> first, bool scatter_first) && {
    for (PortId port : first) add_alone(port, scatter_first);
    std::vector<SwitchId> by_hosts = switches_in_opensm_order(view_);
    std::stable_sort(by_hosts.begin(), by_hosts.end(), [&](SwitchId a, SwitchId b) {
      return view_.end_ports_of(a).size() > view_.end_ports_of(b).size();
    });
    for (SwitchId sw : by_hosts) add_group({.sw = sw}, view_.end_ports_of(sw));
    for (SwitchId sw :
         map_order(view_, [&](SwitchId s) { return view_.fabric().port(port0(view_, s)).guid; }))
      add_switch(sw, true);
    return std::move(order_);
  }

 private:
  void add_alone(PortId port, bool scatter) {
    const fabric::Fabric& fabric = view_.fabric();
    if (const auto sw = fabric.switch_id(fabric.port(port).node)) {
      if (const auto own = view_.view_switch(*sw)) add_switch(*own, scatter);
      return;
    }
    const auto end = std::ranges::find(view_.end_ports(), port, &fabric::EndPort::port);
    if (end != view_.end_ports().end()) add_group({.sw = end->sw, .scatter = scatter}, std::span(end, 1));
  }

  void add_group(DestinationGroup group, std::span<const fabric::EndPort> hosts) {
    open(group);
    for (const fabric::EndPort& host : hosts) add(host.port, {host.lid, host.lmc, host.attach});
    close();
  }

  void add_switch(SwitchId sw, bool scatter) {
    open({.sw = sw, .hosts = false, .scatter = scatter});
    add(port0(view_, sw), {view_.switch_lid(sw), view_.switch_lmc(sw), PortNum(0)});
    close();
  }

  void open(DestinationGroup group) {
    group.begin = static_cast<std::uint32_t>(order_.all.size());
    order_.groups.push_back(group);
  }
  void add(PortId port, const Destination& destination) {
    if (destination.base == kUnassignedLid || listed_.contains(port)) return;
    listed_.insert(port);
    order_.all.push_back(destination);
    order_.max_lmc = std::max(order_.max_lmc, destination.lmc);
  }
  void close() {
    DestinationGroup& group = order_.groups.back();
    group.end = static_cast<std::uint32_t>(order_.all.size());
    if (group.end == group.begin) order_.groups.pop_back();
  }

  const fabric::SubFabric& view_;
  IdSet<PortId> listed_;
  DestinationOrder order_;
};

}  // namespace

std::vector<SwitchId> switches_in_opensm_order(const fabric::SubFabric& view) {
  return map_order(view, [&](SwitchId s) { return view.node(s).guid; });
}

bool has_single_lids(const fabric::SubFabric& view) {
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    if (view.switch_lid(SwitchId(s)) != kUnassignedLid && view.switch_lmc(SwitchId(s)) > 0) return false;
  return std::ranges::all_of(
      view.end_ports(), [](const fabric::EndPort& end) { return end.lid == kUnassignedLid || end.lmc == 0; });
}

DestinationOrder destination_order(const fabric::SubFabric& view, std::span<const PortId> first,
                                   bool scatter_first) {
  return OrderBuilder(view).build(first, scatter_first);
}

}  // namespace rch::engines::common
