#include "engines/common/earlier_plan.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "engines/common/distances.h"

namespace rch::engines::common {
namespace {

bool same_switches(const fabric::SubFabric& a, const fabric::SubFabric& b) {
  if (a.switch_count() != b.switch_count() || a.fabric().max_lid() != b.fabric().max_lid()) return false;
  for (std::uint32_t s = 0; s < a.switch_count(); ++s)
    if (a.node(SwitchId(s)).guid != b.node(SwitchId(s)).guid) return false;
  return true;
}

}  // namespace

Settled& Settled::operator&=(const Settled& other) {
  rows &= other.rows;
  cables &= other.cables;
  moved |= other.moved;
  return *this;
}

EarlierPlan::EarlierPlan(const PortPlan& now) : now_(now), options_(now.options()) {
  const std::optional<InForce> held = options_.held;
  if (!held || !held->same_rules || options_.scatter_ports != 0) return;
  if (!same_switches(*held->view, now.view())) return;
  options_.held.reset();
  plan_.emplace(*held->view, options_);
  if (plan_->destinations() != now.destinations()) plan_.reset();
}

bool EarlierPlan::same_cables(SwitchId sw) const {
  const auto before = plan_->graph().neighbors(sw), now = now_.graph().neighbors(sw);
  return std::ranges::equal(before, now, [&](const fabric::Neighbor& a, const fabric::Neighbor& b) {
    return a.sw == b.sw && std::ranges::equal(plan_->graph().links(a), now_.graph().links(b));
  });
}

Settled EarlierPlan::settled(const HopMatrix& hops_before, const HopMatrix& hops_now) const {
  const std::size_t count = now_.graph().switch_count();
  IdSet<SwitchId> same_hops(count);
  Settled settled{IdSet<SwitchId>(count), IdSet<SwitchId>(count), IdSet<SwitchId>(count)};
  std::vector<std::uint8_t> moved(count);
  for (std::uint32_t s = 0; s < count; ++s) {
    const auto before = hops_before.row(SwitchId(s)), now = hops_now.row(SwitchId(s));
    if (std::memcmp(before.data(), now.data(), count) == 0) {
      same_hops.insert(SwitchId(s));
    } else {
      for (std::size_t d = 0; d < count; ++d) moved[d] |= before[d] != now[d];
    }
  }
  for (std::uint32_t s = 0; s < count; ++s) {
    const SwitchId sw(s);
    if (moved[s] != 0) settled.moved.insert(sw);
    if (!same_cables(sw)) continue;
    settled.cables.insert(sw);
    const auto is_same = [&](const fabric::Neighbor& n) { return same_hops.contains(n.sw); };
    if (same_hops.contains(sw) && std::ranges::all_of(now_.graph().neighbors(sw), is_same))
      settled.rows.insert(sw);
  }
  return settled;
}

Settled settled_by_distance(const PortPlan& now, const HopMatrix& hops) {
  const EarlierPlan earlier(now);
  if (!earlier.comparable()) return {};
  return earlier.settled(distances(earlier.plan()), hops);
}

}  // namespace rch::engines::common
