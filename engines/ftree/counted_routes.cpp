#include "engines/ftree/counted_routes.h"

#include <algorithm>
#include <numeric>

namespace rch::engines::ftree {
namespace {

constexpr std::uint8_t kUnknown = HopMatrix::kUnknown;

constexpr std::uint8_t one_more(std::uint8_t hops) { return static_cast<std::uint8_t>(hops + 1); }

/// By switch, its place in the order of tuples; switches without a tuple share the last one.
std::vector<std::uint32_t> tuple_places(const tree::Tree& tree) {
  std::vector<SwitchId> order;
  for (std::uint32_t s = 0; s < tree.view().switch_count(); ++s) order.push_back(SwitchId(s));
  std::ranges::sort(order, {}, [&](SwitchId s) { return tree.tuple(s); });
  std::vector<std::uint32_t> place(order.size(), static_cast<std::uint32_t>(order.size()));
  for (std::uint32_t i = 0; i < order.size(); ++i)
    if (tree.tuple(order[i]) != tree::kNoTuple) place[order[i].index()] = i;
  return place;
}

std::uint32_t count_cas(const fabric::SubFabric& view, SwitchId sw) {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(view.end_ports_of(sw), [&](const fabric::EndPort& end) {
        return view.fabric().node(view.fabric().port(end.port).node).type == fabric::NodeType::ca;
      }));
}

}  // namespace

CountedRoutes::CountedRoutes(const tree::Tree& tree, fabric::ForwardingTables& lfts)
    : tree_(tree), lfts_(lfts), place_(tuple_places(tree)) {
  const fabric::SubFabric& view = tree.view();
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    const SwitchId sw(s);
    for (const auto& part : {tree.up(sw), tree.beside(sw), tree.down(sw)}) {
      const auto begin = static_cast<std::uint32_t>(list_.size());
      list_.insert(list_.end(), part.begin(), part.end());
      groups_.push_back({begin, static_cast<std::uint32_t>(list_.size())});
    }
    cas_.push_back(count_cas(view, sw));
  }
  order_.resize(list_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  group_load_.resize(list_.size());
  cable_load_.resize(view.graph().link_ends());
  resort_down_.resize(view.switch_count());
  turn_.resize(view.switch_count());
}

void CountedRoutes::route(const Target& target, bool counts) {
  port_.assign(place_.size(), kNoPath);
  hops_.assign(place_.size(), kUnknown);
  real_ = target.lid.has_value();
  const std::uint8_t hops = real_ && target.attach == PortNum(0) ? 0 : 1;
  hops_[target.sw.index()] = hops;
  if (real_) port_[target.sw.index()] = target.attach.value;
  ascend(target.sw, SwitchId::none(), counts, target.reverse_hops, hops);
  if (!real_) return;
  for (std::uint32_t s = 0; s < port_.size(); ++s)
    if (port_[s] != kNoPath) lfts_.row(SwitchId(s))[target.lid->index()] = port_[s];
}

bool CountedRoutes::is_nearer(SwitchId sw, std::uint8_t hops) const {
  return port_[sw.index()] == kNoPath || hops < hops_[sw.index()];
}

void CountedRoutes::set(SwitchId sw, PortNum port, std::uint8_t hops) {
  port_[sw.index()] = port.value;
  hops_[sw.index()] = hops;
}

std::uint32_t CountedRoutes::lightest(const fabric::Neighbor& group, std::uint32_t Load::*counter) const {
  const auto first = cable_load_.begin() + group.first_link;
  const auto found = std::min_element(first, first + group.link_count,
                                      [&](const Load& a, const Load& b) { return a.*counter < b.*counter; });
  return static_cast<std::uint32_t>(found - cable_load_.begin());
}

PortNum CountedRoutes::far_end(const fabric::Neighbor& group, std::uint32_t cable) const {
  return tree_.view().graph().links(group)[cable - group.first_link].in;
}

/// Insertion: after each destination one or two groups are out of place.
void CountedRoutes::sort(const Groups& groups, std::uint32_t Load::*counter) {
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t load_a = group_load_[a].*counter, load_b = group_load_[b].*counter;
    if (load_a != load_b) return load_a < load_b;
    return place_[list_[a].sw.index()] < place_[list_[b].sw.index()];
  };
  for (std::uint32_t i = groups.begin; i < groups.end; ++i)
    for (std::uint32_t j = i; j > groups.begin && before(order_[j], order_[j - 1]); --j)
      std::swap(order_[j], order_[j - 1]);
}

bool CountedRoutes::ascend(SwitchId sw, SwitchId previous, bool counts, std::uint16_t reverse_hops,
                           std::uint8_t hops) {
  bool reached = descend(sw, previous, hops);
  if (tree_.rank(sw) == 0) return (reverse_hops > 0 && reverse(sw, counts, reverse_hops, hops)) || reached;
  const Groups ups = groups(sw, kUp);
  sort(ups, &Load::down);
  const std::uint32_t main_group = order_[ups.begin];
  for (std::uint32_t i = ups.begin; i < ups.end; ++i) {
    const bool main = counts && i == ups.begin;
    const std::uint32_t g = order_[i];
    const fabric::Neighbor& group = list_[g];
    const bool nearer = is_nearer(group.sw, one_more(hops));
    if (!main && !nearer) continue;
    const std::uint32_t cable = lightest(group, &Load::down);
    if (main) ++group_load_[g].down, ++cable_load_[cable].down;
    if (nearer) set(group.sw, far_end(group, cable), one_more(hops));
    reached |= ascend(group.sw, sw, main, reverse_hops, one_more(hops));
  }
  reached |= step_aside(sw, main_group, reverse_hops, hops);
  if (reverse_hops == 0 || tree_.is_leaf(sw)) return reached;
  const Groups downs = groups(sw, kDown);
  for (std::uint32_t i = downs.begin; i < downs.end; ++i)
    reached |=
        ascend(list_[order_[i]].sw, sw, true, static_cast<std::uint16_t>(reverse_hops - 1), one_more(hops));
  return reached;
}

bool CountedRoutes::reverse(SwitchId sw, bool counts, std::uint16_t reverse_hops, std::uint8_t hops) {
  const Groups downs = groups(sw, kDown);
  const std::uint32_t cas = cas_[sw.index()], count = cas + downs.end - downs.begin;
  if (count == 0) return false;
  take_turn(sw);
  const std::uint32_t first = turn_[sw.index()];
  bool reached = false;
  for (std::uint32_t i = 0; i < count; ++i)
    if (const std::uint32_t at = (first + i) % count; at >= cas)
      reached |= ascend(list_[order_[downs.begin + at - cas]].sw, sw, counts,
                        static_cast<std::uint16_t>(reverse_hops - 1), one_more(hops));
  return reached;
}

/// CAs stand before the switches below: nothing raises their counters.
void CountedRoutes::take_turn(SwitchId sw) {
  const Groups downs = groups(sw, kDown);
  turn_[sw.index()] = (turn_[sw.index()] + 1) % (cas_[sw.index()] + downs.end - downs.begin);
}

/// Neighbours of the same rank. What OpenSM counts here is the group of the main way up, not the one taken.
bool CountedRoutes::step_aside(SwitchId sw, std::uint32_t main_group, std::uint16_t reverse_hops,
                               std::uint8_t hops) {
  const Groups besides = groups(sw, kBeside);
  sort(besides, &Load::down);
  bool reached = false;
  for (std::uint32_t i = besides.begin; i < besides.end; ++i) {
    const fabric::Neighbor& group = list_[order_[i]];
    if (!is_nearer(group.sw, one_more(hops))) continue;
    const std::uint32_t cable = lightest(group, &Load::down);
    set(group.sw, far_end(group, cable), one_more(hops));
    if (!ascend(group.sw, sw, false, reverse_hops, one_more(hops))) continue;
    reached = true;
    ++group_load_[main_group].down, ++cable_load_[cable].down;
  }
  return reached;
}

bool CountedRoutes::descend(SwitchId sw, SwitchId previous, std::uint8_t hops) {
  const Groups downs = groups(sw, kDown), besides = groups(sw, kBeside);
  bool reached = cas_[sw.index()] != 0;
  if (downs.begin == downs.end && !reached) return false;
  if (resort_down_[sw.index()] != 0) sort(downs, &Load::up);
  resort_down_[sw.index()] = 0;
  sort(besides, &Load::up);
  const auto give = [&](const Groups& groups) {
    for (std::uint32_t i = groups.begin; i < groups.end; ++i) {
      const std::uint32_t g = order_[i];
      const fabric::Neighbor& group = list_[g];
      if (group.sw == previous || one_more(hops) >= hops_[group.sw.index()]) continue;
      const std::uint32_t cable = lightest(group, &Load::up);
      set(group.sw, far_end(group, cable), one_more(hops));
      if (!descend(group.sw, SwitchId::none(), one_more(hops))) continue;
      reached = true;
      ++group_load_[g].up, ++cable_load_[cable].up;
      resort_down_[sw.index()] = 1;
    }
  };
  give(downs);
  if (real_) give(besides);
  if (reached) take_turn(sw);
  return reached;
}

}  // namespace rch::engines::ftree
