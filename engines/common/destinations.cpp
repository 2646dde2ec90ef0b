#include "engines/common/destinations.h"

#include <algorithm>

namespace rch::engines::common {
namespace {

const fabric::Port& port0(const fabric::SubFabric& view, SwitchId sw) {
  return view.fabric().port(view.fabric().port_id(view.fabric_switch(sw), PortNum(0)));
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
  explicit OrderBuilder(const fabric::SubFabric& view) : view_(view) {}

  DestinationOrder build() && {
    std::vector<SwitchId> by_hosts = map_order(view_, [&](SwitchId s) { return view_.node(s).guid; });
    std::stable_sort(by_hosts.begin(), by_hosts.end(), [&](SwitchId a, SwitchId b) {
      return view_.end_ports_of(a).size() > view_.end_ports_of(b).size();
    });
    for (SwitchId sw : by_hosts)
      add_group(sw, [&] {
        for (const fabric::EndPort& host : view_.end_ports_of(sw)) add(host.lid, host.lmc, host.attach);
      });
    order_.host_groups = order_.groups.size();
    for (SwitchId sw : map_order(view_, [&](SwitchId s) { return port0(view_, s).guid; }))
      add_group(sw, [&] { add(view_.switch_lid(sw), switch_lmc(sw), PortNum(0)); });
    return std::move(order_);
  }

 private:
  /// An enhanced port 0 may own 2^lmc LIDs; a view of one path bit routes the first alone.
  std::uint8_t switch_lmc(SwitchId sw) const {
    return view_.path_bit() ? std::uint8_t{0} : port0(view_, sw).lmc;
  }

  void add(Lid base, std::uint8_t lmc, PortNum attach) {
    if (base == kUnassignedLid) return;
    order_.all.push_back({base, lmc, attach});
    order_.max_lmc = std::max(order_.max_lmc, lmc);
  }

  template <class AddMembers>
  void add_group(SwitchId sw, AddMembers&& add_members) {
    const auto begin = static_cast<std::uint32_t>(order_.all.size());
    add_members();
    const auto end = static_cast<std::uint32_t>(order_.all.size());
    if (end > begin) order_.groups.push_back({sw, begin, end});
  }

  const fabric::SubFabric& view_;
  DestinationOrder order_;
};

}  // namespace

DestinationOrder destination_order(const fabric::SubFabric& view) { return OrderBuilder(view).build(); }

}  // namespace rch::engines::common
