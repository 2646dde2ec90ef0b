#include "engines/common/incremental/link_changes.h"

#include <algorithm>
#include <utility>

namespace rch::engines::common {
namespace {

using fabric::Neighbor;
using fabric::SwitchGraph;
using fabric::SwitchLink;

/// Calls f(neighbour, link) for every link of a switch.
template <class F>
void for_each_link(const SwitchGraph& graph, SwitchId sw, F&& f) {
  for (const Neighbor& n : graph.neighbors(sw))
    for (const SwitchLink& link : graph.links(n)) f(n, link);
}

/// `from` and `to` are none for a switch that the graph does not have.
bool has_link(const SwitchGraph& graph, SwitchId from, SwitchId to, const SwitchLink& link) {
  if (from.is_none() || to.is_none()) return false;
  for (const Neighbor& n : graph.neighbors(from))
    if (n.sw == to) return std::ranges::find(graph.links(n), link) != graph.links(n).end();
  return false;
}

bool has_same_links(const SwitchMatch& match, const SwitchGraph& before, const SwitchGraph& now,
                    SwitchId sw) {
  const SwitchId was = match.before_of[sw.index()];
  return !was.is_none() && std::ranges::equal(before.neighbors(was), now.neighbors(sw),
                                              [&](const Neighbor& a, const Neighbor& b) {
                                                return match.joint_of[a.sw.index()] == b.sw &&
                                                       std::ranges::equal(before.links(a), now.links(b));
                                              });
}

}  // namespace

LinkChanges::LinkChanges(const SwitchMatch& match, const SwitchGraph& before, const SwitchGraph& now)
    : same_(match.now_count) {
  for (std::uint32_t s = 0; s < match.now_count; ++s)
    if (has_same_links(match, before, now, SwitchId(s))) same_.insert(SwitchId(s));
  find_added(match, before, now);
  find_lost(match, before, now);
  std::ranges::stable_sort(lost_, {}, &DirectedLink::to);
  std::ranges::stable_sort(added_, {}, &DirectedLink::to);
}

void LinkChanges::find_added(const SwitchMatch& match, const SwitchGraph& before, const SwitchGraph& now) {
  for (std::uint32_t s = 0; s < match.now_count; ++s) {
    const SwitchId sw(s);
    if (same(sw)) continue;
    for_each_link(now, sw, [&](const Neighbor& n, const SwitchLink& link) {
      if (!has_link(before, match.before_of[s], match.before_of[n.sw.index()], link))
        added_.push_back({sw, link.out, n.sw});
    });
  }
}

void LinkChanges::find_lost(const SwitchMatch& match, const SwitchGraph& before, const SwitchGraph& now) {
  const auto now_of = [&](SwitchId joint) { return match.is_gone(joint) ? SwitchId::none() : joint; };
  for (std::uint32_t b = 0; b < match.joint_of.size(); ++b) {
    const SwitchId sw = match.joint_of[b];
    if (!match.is_gone(sw) && same(sw)) continue;
    for_each_link(before, SwitchId(b), [&](const Neighbor& n, const SwitchLink& link) {
      const SwitchId to = match.joint_of[n.sw.index()];
      if (!has_link(now, now_of(sw), now_of(to), link)) lost_.push_back({sw, link.out, to});
    });
  }
}

SwitchGraph common_links(const SwitchMatch& match, const SwitchGraph& before, const SwitchGraph& now) {
  std::vector<SwitchGraph::Edge> edges;
  for (std::uint32_t s = 0; s < match.now_count; ++s)
    for_each_link(now, SwitchId(s), [&](const Neighbor& n, const SwitchLink& link) {
      if (has_link(before, match.before_of[s], match.before_of[n.sw.index()], link))
        edges.push_back({SwitchId(s), link.out, n.sw, link.in});
    });
  return SwitchGraph(match.joint_count(), std::move(edges));
}

}  // namespace rch::engines::common
