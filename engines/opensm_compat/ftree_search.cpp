#include "engines/opensm_compat/ftree_search.h"

#include <algorithm>
#include <numeric>

namespace rch::engines::opensm_compat {
namespace {

constexpr std::uint8_t one_more(std::uint8_t hops) { return static_cast<std::uint8_t>(hops + 1); }

/// Places in tuple order; switches without a tuple share the last one.
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

FtreeSearch::FtreeSearch(const tree::Tree& tree, fabric::ForwardingTables& lfts)
    : tree_(tree), lfts_(lfts), place_(tuple_places(tree)) {
  const fabric::SubFabric& view = tree.view();
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    const SwitchId sw(s);
    for (const auto& part : {tree.up_groups(sw), tree.sibling_groups(sw), tree.down_groups(sw)}) {
      const auto begin = static_cast<std::uint32_t>(list_.size());
      list_.insert(list_.end(), part.begin(), part.end());
      groups_.push_back({begin, static_cast<std::uint32_t>(list_.size())});
    }
    cas_.push_back(count_cas(view, sw));
  }
  order_.resize(list_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  group_counters_.resize(list_.size());
  link_counters_.resize(view.graph().link_ends());
  resort_down_.resize(view.switch_count());
  down_group_.resize(view.switch_count());
}

void FtreeSearch::route(const FtreeDestination& to, bool counts) {
  port_.assign(place_.size(), kNoPath);
  hops_.assign(place_.size(), HopMatrix::kUnknown);
  is_dummy_ = !to.lid.has_value();
  const std::uint8_t hops = !is_dummy_ && to.attach == PortNum(0) ? 0 : 1;
  hops_[to.sw.index()] = hops;
  if (!is_dummy_) port_[to.sw.index()] = to.attach.value;
  route_downgoing_by_going_up(to.sw, SwitchId::none(), counts, to.reverse_hops, hops);
  if (is_dummy_) return;
  for (std::uint32_t s = 0; s < port_.size(); ++s)
    if (port_[s] != kNoPath) lfts_.row(SwitchId(s))[to.lid->index()] = port_[s];
}

bool FtreeSearch::is_shorter(SwitchId sw, std::uint8_t hops) const {
  return port_[sw.index()] == kNoPath || hops < hops_[sw.index()];
}

void FtreeSearch::set(SwitchId sw, PortNum port, std::uint8_t hops) {
  port_[sw.index()] = port.value;
  hops_[sw.index()] = hops;
}

std::uint32_t FtreeSearch::least_loaded(const fabric::Neighbor& group,
                                        std::uint32_t Counters::*counter) const {
  const auto first = link_counters_.begin() + group.first_link;
  const auto found =
      std::min_element(first, first + group.link_count,
                       [&](const Counters& a, const Counters& b) { return a.*counter < b.*counter; });
  return static_cast<std::uint32_t>(found - link_counters_.begin());
}

PortNum FtreeSearch::remote_port(const fabric::Neighbor& group, std::uint32_t link) const {
  return tree_.view().graph().links(group)[link - group.first_link].in;
}

/// Insertion sort: after each destination one or two groups are out of place.
void FtreeSearch::sort(const Groups& groups, std::uint32_t Counters::*counter) {
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t count_a = group_counters_[a].*counter, count_b = group_counters_[b].*counter;
    if (count_a != count_b) return count_a < count_b;
    return place_[list_[a].sw.index()] < place_[list_[b].sw.index()];
  };
  for (std::uint32_t i = groups.begin; i < groups.end; ++i)
    for (std::uint32_t j = i; j > groups.begin && before(order_[j], order_[j - 1]); --j)
      std::swap(order_[j], order_[j - 1]);
}

bool FtreeSearch::route_downgoing_by_going_up(SwitchId sw, SwitchId previous, bool counts,
                                              std::uint16_t reverse_hops, std::uint8_t hops) {
  bool reached = route_upgoing_by_going_down(sw, previous, hops);
  if (tree_.rank(sw) == 0)
    return (reverse_hops > 0 && route_reverse(sw, counts, reverse_hops, hops)) || reached;
  const Groups ups = groups(sw, kUp);
  sort(ups, &Counters::down);
  const std::uint32_t main_group = order_[ups.begin];
  for (std::uint32_t i = ups.begin; i < ups.end; ++i) {
    const bool main = counts && i == ups.begin;
    const std::uint32_t g = order_[i];
    const fabric::Neighbor& group = list_[g];
    const bool shorter = is_shorter(group.sw, one_more(hops));
    if (!main && !shorter) continue;
    const std::uint32_t link = least_loaded(group, &Counters::down);
    if (main) ++group_counters_[g].down, ++link_counters_[link].down;
    if (shorter) set(group.sw, remote_port(group, link), one_more(hops));
    reached |= route_downgoing_by_going_up(group.sw, sw, main, reverse_hops, one_more(hops));
  }
  reached |= route_by_siblings(sw, main_group, reverse_hops, hops);
  if (reverse_hops == 0 || tree_.is_leaf(sw)) return reached;
  const Groups downs = groups(sw, kDown);
  for (std::uint32_t i = downs.begin; i < downs.end; ++i)
    reached |= route_downgoing_by_going_up(list_[order_[i]].sw, sw, true,
                                           static_cast<std::uint16_t>(reverse_hops - 1), one_more(hops));
  return reached;
}

bool FtreeSearch::route_reverse(SwitchId sw, bool counts, std::uint16_t reverse_hops, std::uint8_t hops) {
  const Groups downs = groups(sw, kDown);
  const std::uint32_t cas = cas_[sw.index()], count = cas + downs.end - downs.begin;
  if (count == 0) return false;
  advance_down_group(sw);
  const std::uint32_t first = down_group_[sw.index()];
  bool reached = false;
  for (std::uint32_t i = 0; i < count; ++i)
    if (const std::uint32_t at = (first + i) % count; at >= cas)
      reached |= route_downgoing_by_going_up(list_[order_[downs.begin + at - cas]].sw, sw, counts,
                                             static_cast<std::uint16_t>(reverse_hops - 1), one_more(hops));
  return reached;
}

/// CAs come before the switches below, because nothing raises their counters.
void FtreeSearch::advance_down_group(SwitchId sw) {
  const Groups downs = groups(sw, kDown);
  down_group_[sw.index()] = (down_group_[sw.index()] + 1) % (cas_[sw.index()] + downs.end - downs.begin);
}

/// OpenSM counts the group of the main path up here, not the sibling group that it uses.
bool FtreeSearch::route_by_siblings(SwitchId sw, std::uint32_t main_group, std::uint16_t reverse_hops,
                                    std::uint8_t hops) {
  const Groups siblings = groups(sw, kSibling);
  sort(siblings, &Counters::down);
  bool reached = false;
  for (std::uint32_t i = siblings.begin; i < siblings.end; ++i) {
    const fabric::Neighbor& group = list_[order_[i]];
    if (!is_shorter(group.sw, one_more(hops))) continue;
    const std::uint32_t link = least_loaded(group, &Counters::down);
    set(group.sw, remote_port(group, link), one_more(hops));
    if (!route_downgoing_by_going_up(group.sw, sw, false, reverse_hops, one_more(hops))) continue;
    reached = true;
    ++group_counters_[main_group].down, ++link_counters_[link].down;
  }
  return reached;
}

bool FtreeSearch::route_upgoing_by_going_down(SwitchId sw, SwitchId previous, std::uint8_t hops) {
  const Groups downs = groups(sw, kDown), siblings = groups(sw, kSibling);
  bool reached = cas_[sw.index()] != 0;
  if (downs.begin == downs.end && !reached) return false;
  if (resort_down_[sw.index()] != 0) sort(downs, &Counters::up);
  resort_down_[sw.index()] = 0;
  sort(siblings, &Counters::up);
  const auto route_groups = [&](const Groups& groups) {
    for (std::uint32_t i = groups.begin; i < groups.end; ++i) {
      const std::uint32_t g = order_[i];
      const fabric::Neighbor& group = list_[g];
      if (group.sw == previous || one_more(hops) >= hops_[group.sw.index()]) continue;
      const std::uint32_t link = least_loaded(group, &Counters::up);
      set(group.sw, remote_port(group, link), one_more(hops));
      if (!route_upgoing_by_going_down(group.sw, SwitchId::none(), one_more(hops))) continue;
      reached = true;
      ++group_counters_[g].up, ++link_counters_[link].up;
      resort_down_[sw.index()] = 1;
    }
  };
  route_groups(downs);
  if (!is_dummy_) route_groups(siblings);
  if (reached) advance_down_group(sw);
  return reached;
}

}  // namespace rch::engines::opensm_compat
