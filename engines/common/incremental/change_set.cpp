#include "engines/common/incremental/change_set.h"

#include <algorithm>

namespace rch::engines::common {
namespace {

using fabric::EndPort;
using fabric::SubFabric;

/// The port that a LID leads to, by the switch that delivers.
struct Delivery {
  SwitchId sw = SwitchId::none();
  PortNum attach;

  friend bool operator==(const Delivery&, const Delivery&) = default;
};

/// Calls f(LID, delivery) for everything that a view routes to.
template <class F>
void for_each_lid(const SubFabric& view, F&& f) {
  const auto add = [&](Lid base, std::uint8_t lmc, const Delivery& delivery) {
    if (base == kUnassignedLid) return;
    for (std::uint32_t bit = 0; bit < 1U << lmc; ++bit) f(base.index() + bit, delivery);
  };
  for (const EndPort& end : view.end_ports()) add(end.lid, end.lmc, {end.sw, end.attach});
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    add(view.switch_lid(SwitchId(s)), view.switch_lmc(SwitchId(s)), {SwitchId(s), PortNum(0)});
}

PortId peer(const SubFabric& view, SwitchId sw, PortNum port) {
  if (port.value > view.node(sw).num_ports) return PortId::none();
  return view.fabric().port(view.fabric().port_id(view.fabric_switch(sw), port)).peer;
}

}  // namespace

ChangeSet::ChangeSet(const SubFabric& before, const SubFabric& now)
    : before_(before),
      now_(now),
      switches_(before, now),
      links_(switches_, before.graph(), now.graph()),
      same_hosts_(now.switch_count()),
      same_lids_(now.switch_count()) {
  compare_end_ports();
  find_new_lids();
}

void ChangeSet::compare_end_ports() {
  const auto same_host = [&](const EndPort& a, const EndPort& b) {
    return a.attach == b.attach && before_.fabric().port(a.port).guid == now_.fabric().port(b.port).guid;
  };
  const auto same_lids = [](const EndPort& a, const EndPort& b) {
    return a.attach == b.attach && a.lid == b.lid && a.lmc == b.lmc;
  };
  for (std::uint32_t s = 0; s < now_.switch_count(); ++s) {
    const SwitchId sw(s), was = switches_.before_of[s];
    if (was.is_none()) continue;
    const auto then = before_.end_ports_of(was), ends = now_.end_ports_of(sw);
    if (std::ranges::equal(then, ends, same_host)) same_hosts_.insert(sw);
    if (before_.switch_lid(was) == now_.switch_lid(sw) && before_.switch_lmc(was) == now_.switch_lmc(sw) &&
        std::ranges::equal(then, ends, same_lids))
      same_lids_.insert(sw);
  }
}

void ChangeSet::find_new_lids() {
  std::vector<Delivery> deliveries(before_.fabric().max_lid().index() + 1);
  for_each_lid(before_, [&](std::size_t lid, const Delivery& delivery) {
    deliveries[lid] = {switches_.joint_of[delivery.sw.index()], delivery.attach};
  });
  IdSet<SwitchId> found(now_.switch_count());
  for_each_lid(now_, [&](std::size_t lid, const Delivery& delivery) {
    if (lid >= deliveries.size() || deliveries[lid] != delivery) found.insert(delivery.sw);
  });
  for (std::uint32_t s = 0; s < now_.switch_count(); ++s)
    if (found.contains(SwitchId(s))) with_new_lids_.push_back(SwitchId(s));
}

bool ChangeSet::same_peer(SwitchId sw, PortNum port) const {
  const PortId to = peer(now_, sw, port);
  if (to.is_none()) return true;
  const SwitchId was = switches_.before_of[sw.index()];
  const PortId from = was.is_none() ? PortId::none() : peer(before_, was, port);
  if (from.is_none()) return false;
  const fabric::Port &then = before_.fabric().port(from), &now = now_.fabric().port(to);
  return then.number == now.number &&
         before_.fabric().node(then.node).guid == now_.fabric().node(now.node).guid;
}

}  // namespace rch::engines::common
