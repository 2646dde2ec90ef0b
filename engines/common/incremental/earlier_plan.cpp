#include "engines/common/incremental/earlier_plan.h"

#include <algorithm>

namespace rch::engines::common {
namespace {

/// Of the cables one in so many may have changed.
constexpr std::size_t kFewOf = 16;

/// Calls f(neighbour, link) for every end of a cable at a switch.
template <class F>
void for_each_link(const fabric::SwitchGraph& graph, SwitchId sw, F&& f) {
  for (const fabric::Neighbor& n : graph.neighbors(sw))
    for (const fabric::SwitchLink& link : graph.links(n)) f(n, link);
}

bool has_link(const fabric::SwitchGraph& graph, SwitchId from, SwitchId to, const fabric::SwitchLink& link) {
  for (const fabric::Neighbor& n : graph.neighbors(from))
    if (n.sw == to) return std::ranges::find(graph.links(n), link) != graph.links(n).end();
  return false;
}

/// Where a LID is delivered.
struct Place {
  SwitchId sw = SwitchId::none();
  PortNum attach;

  friend bool operator==(const Place&, const Place&) = default;
};

/// Calls f(LID, place) for everything that a view routes to.
template <class F>
void for_each_lid(const fabric::SubFabric& view, F&& f) {
  const auto add = [&](Lid base, std::uint8_t lmc, const Place& place) {
    if (base == kUnassignedLid) return;
    for (std::uint32_t bit = 0; bit < 1U << lmc; ++bit) f(base.index() + bit, place);
  };
  for (const fabric::EndPort& end : view.end_ports()) add(end.lid, end.lmc, {end.sw, end.attach});
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    const fabric::Port& own =
        view.fabric().port(view.fabric().port_id(view.fabric_switch(SwitchId(s)), PortNum(0)));
    add(view.switch_lid(SwitchId(s)), view.path_bit() ? std::uint8_t{0} : own.lmc, {SwitchId(s), PortNum(0)});
  }
}

PortId peer(const fabric::SubFabric& view, SwitchId sw, PortNum port) {
  if (port.value > view.node(sw).num_ports) return PortId::none();
  return view.fabric().port(view.fabric().port_id(view.fabric_switch(sw), port)).peer;
}

}  // namespace

EarlierPlan::EarlierPlan(const PortContext& now) : now_(now), options_(now.options()) {
  const std::optional<InstalledTables> installed = options_.installed;
  if (!installed || !installed->same_rules || options_.scatter_ports != 0) return;
  options_.installed.reset();
  plan_.emplace(*installed->view, options_);
  number_switches();
  compare_cables();
  if ((lost_.size() + gained_.size()) * kFewOf > now.graph().link_ends())
    plan_.reset();
  else
    join_cables();
}

void EarlierPlan::number_switches() {
  const fabric::SubFabric &before = plan_->view(), &now = now_.view();
  before_.assign(now.switch_count(), SwitchId::none());
  auto next_gone = static_cast<std::uint32_t>(now.switch_count());
  for (std::uint32_t s = 0; s < before.switch_count(); ++s) {
    std::optional<SwitchId> same;
    if (const auto node = now.fabric().find_node(before.node(SwitchId(s)).guid))
      if (const auto sw = now.fabric().switch_id(*node)) same = now.view_switch(*sw);
    number_of_.push_back(same ? *same : SwitchId(next_gone++));
    if (!same) continue;
    before_[same->index()] = SwitchId(s);
    ++known_now_;
  }
}

bool EarlierPlan::same_cables(SwitchId before, SwitchId sw) const {
  const fabric::SwitchGraph &then = plan_->graph(), &now = now_.graph();
  return std::ranges::equal(
      then.neighbors(before), now.neighbors(sw), [&](const fabric::Neighbor& a, const fabric::Neighbor& b) {
        return number_of(a.sw) == b.sw && std::ranges::equal(then.links(a), now.links(b));
      });
}

bool EarlierPlan::same_hosts(SwitchId before, SwitchId sw) const {
  const fabric::SubFabric &then = plan_->view(), &now = now_.view();
  return std::ranges::equal(then.end_ports_of(before), now.end_ports_of(sw),
                            [&](const fabric::EndPort& a, const fabric::EndPort& b) {
                              return a.attach == b.attach &&
                                     then.fabric().port(a.port).guid == now.fabric().port(b.port).guid;
                            });
}

void EarlierPlan::compare_cables() {
  const fabric::SwitchGraph &then = plan_->graph(), &now = now_.graph();
  same_ = IdSet<SwitchId>(now.switch_count());
  for (std::uint32_t s = 0; s < now.switch_count(); ++s) {
    const SwitchId sw(s), before = before_[s];
    const bool known = !before.is_none(), same = known && same_cables(before, sw);
    if (same && same_hosts(before, sw)) same_.insert(sw);
    if (same) continue;
    for_each_link(now, sw, [&](const fabric::Neighbor& n, const fabric::SwitchLink& link) {
      const SwitchId to = before_[n.sw.index()];
      if (!known || to.is_none() || !has_link(then, before, to, link))
        gained_.push_back({sw, n.sw, now_.weight(sw, link.out)});
    });
  }
  for (std::uint32_t b = 0; b < then.switch_count(); ++b) {
    const SwitchId sw = number_of_[b];
    const bool gone = sw.index() >= now.switch_count();
    if (!gone && same_.contains(sw)) continue;
    for_each_link(then, SwitchId(b), [&](const fabric::Neighbor& n, const fabric::SwitchLink& link) {
      const SwitchId to = number_of(n.sw);
      if (gone || to.index() >= now.switch_count() || !has_link(now, sw, to, link))
        lost_.push_back({sw, to, plan_->weight(SwitchId(b), link.out)});
    });
  }
  std::ranges::stable_sort(lost_, {}, &Arc::to);
  std::ranges::stable_sort(gained_, {}, &Arc::to);
}

void EarlierPlan::join_cables() {
  const fabric::SwitchGraph &then = plan_->graph(), &now = now_.graph();
  const bool same_numbers = known_now_ == now.switch_count() && known_now_ == then.switch_count() &&
                            std::ranges::is_sorted(number_of_);
  if (gained_.empty() && switch_count() == now.switch_count()) {
    common_ = &now;
  } else if (lost_.empty() && same_numbers) {
    common_ = &then;
  } else {
    std::vector<fabric::SwitchGraph::Edge> edges;
    for (std::uint32_t s = 0; s < now.switch_count(); ++s) {
      if (before_[s].is_none()) continue;
      for_each_link(now, SwitchId(s), [&](const fabric::Neighbor& n, const fabric::SwitchLink& link) {
        const SwitchId to = before_[n.sw.index()];
        if (same_.contains(SwitchId(s)) || (!to.is_none() && has_link(then, before_[s], to, link)))
          edges.push_back({SwitchId(s), link.out, n.sw, link.in});
      });
    }
    joined_.emplace(switch_count(), std::move(edges));
    common_ = &*joined_;
  }
}

bool EarlierPlan::leads_alike(SwitchId sw, PortNum port) const {
  const SwitchId before = before_[sw.index()];
  const PortId to = peer(now_.view(), sw, port);
  if (to.is_none()) return true;
  const PortId from = before.is_none() ? PortId::none() : peer(plan_->view(), before, port);
  if (from.is_none()) return false;
  const fabric::Fabric &then = plan_->view().fabric(), &now = now_.view().fabric();
  return then.port(from).number == now.port(to).number &&
         then.node(then.port(from).node).guid == now.node(now.port(to).node).guid;
}

std::vector<SwitchId> EarlierPlan::with_new_lids() const {
  std::vector<Place> places(plan_->view().fabric().max_lid().index() + 1);
  for_each_lid(plan_->view(), [&](std::size_t lid, const Place& place) {
    places[lid] = {number_of(place.sw), place.attach};
  });
  std::vector<SwitchId> found;
  for_each_lid(now_.view(), [&](std::size_t lid, const Place& place) {
    if (lid >= places.size() || places[lid] != place) found.push_back(place.sw);
  });
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace rch::engines::common
