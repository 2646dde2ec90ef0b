#include "chains/fitted_tree.h"

#include <algorithm>

#include "engines/multicast/breadth_first_tree.h"
#include "engines/multicast/grow_tree.h"

namespace rch::chains {
namespace {

using engines::SpanningTree;
using engines::common::ChannelId;
using engines::common::Channels;

constexpr std::uint32_t kVls = 16;

std::uint32_t node(ChannelId channel, std::uint8_t vl) { return channel.value * kVls + vl % kVls; }

/// Searches one tree. The packets on each channel are known, so that a new branch adds only
/// dependencies that occur.
class TreeSearch {
 public:
  TreeSearch(const fabric::Fabric& fabric, const Channels& channels, std::span<const GroupVl> groups,
             GrowingCdg cdg)
      : fabric_(fabric),
        channels_(channels),
        groups_(groups),
        cdg_(std::move(cdg)),
        branch_(channels.size()),
        carries_(groups.size(), std::vector<std::uint8_t>(channels.size() * kVls)) {}

  SpanningTree from(SwitchId root) && {
    return engines::multicast::grow_tree(channels_, root,
                                         [this](SwitchId sw, SwitchId next) { return join(sw, next); });
  }

 private:
  /// Packets of a group on a channel and VL.
  struct Packets {
    std::size_t group;
    ChannelId channel;
    std::uint8_t vl;
  };

  /// Joins a switch to one of the tree by all links between them, unless that closes a cycle.
  bool join(SwitchId sw, SwitchId next) {
    fresh_.clear();
    edges_.clear();
    set_branches(sw, next, 1);
    channels_.for_each_leaving(sw, [&](ChannelId out) {
      if (channels_.to(out) != next) return;
      send_from_hosts(sw, out);
      send_from_hosts(next, channels_.back(out));
      send_what_comes_to(sw, out);
    });
    for (std::size_t i = 0; i < fresh_.size(); ++i) forward(fresh_[i]);
    if (cdg_.try_add(edges_)) return true;
    for (const Packets& packets : fresh_) carries_[packets.group][node(packets.channel, packets.vl)] = 0;
    set_branches(sw, next, 0);
    return false;
  }

  void set_branches(SwitchId sw, SwitchId next, std::uint8_t value) {
    channels_.for_each_leaving(sw, [&](ChannelId out) {
      if (channels_.to(out) == next) branch_[out.index()] = branch_[channels_.back(out).index()] = value;
    });
  }

  void hold(const Packets& packets) {
    std::uint8_t& carried = carries_[packets.group][node(packets.channel, packets.vl)];
    if (std::exchange(carried, std::uint8_t{1}) == 0) fresh_.push_back(packets);
  }

  void send_from_hosts(SwitchId sw, ChannelId out) {
    for (const fabric::EndPort& host : fabric_.end_ports_of(sw))
      for (std::size_t g = 0; g < groups_.size(); ++g)
        hold({g, out, groups_[g](sw, host.attach, channels_.port(out))});
  }

  /// Packets that the tree brought to `sw` before.
  void send_what_comes_to(SwitchId sw, ChannelId out) {
    channels_.for_each_leaving(sw, [&](ChannelId back) {
      const ChannelId in = channels_.back(back);
      if (branch_[in.index()] == 0 || channels_.from(in) == channels_.to(out)) return;
      for (std::size_t g = 0; g < groups_.size(); ++g)
        for (std::uint8_t vl = 0; vl < kVls; ++vl)
          if (carries_[g][node(in, vl)] != 0) cross({g, in, vl}, out);
    });
  }

  /// Packets leave by all other branches of the switch that they come to.
  void forward(Packets packets) {
    channels_.for_each_leaving(channels_.to(packets.channel), [&](ChannelId out) {
      if (branch_[out.index()] != 0 && channels_.to(out) != channels_.from(packets.channel))
        cross(packets, out);
    });
  }

  void cross(const Packets& packets, ChannelId out) {
    const PortNum in = channels_.port(channels_.back(packets.channel));
    const std::uint8_t vl = groups_[packets.group](channels_.to(packets.channel), in, channels_.port(out));
    edges_.emplace_back(node(packets.channel, packets.vl), node(out, vl));
    hold({packets.group, out, vl});
  }

  const fabric::Fabric& fabric_;
  const Channels& channels_;
  std::span<const GroupVl> groups_;
  GrowingCdg cdg_;
  std::vector<std::uint8_t> branch_;                ///< by channel: of the tree
  std::vector<std::vector<std::uint8_t>> carries_;  ///< by group and node
  std::vector<Packets> fresh_;                      ///< carried since the branch at hand
  GrowingCdg::Edges edges_;                         ///< of the branch at hand
};

}  // namespace

GrowingCdg::GrowingCdg(std::size_t nodes, const Edges& edges)
    : after_(nodes), position_(nodes), reached_(nodes) {
  std::vector<std::uint32_t> before(nodes);
  for (const auto& [from, to] : edges) {
    after_[from].push_back(to);
    ++before[to];
  }
  for (std::uint32_t n = 0; n < nodes; ++n)
    if (before[n] == 0) order_.push_back(n);
  for (std::size_t i = 0; i < order_.size(); ++i)
    for (const std::uint32_t to : after_[order_[i]])
      if (--before[to] == 0) order_.push_back(to);
  for (std::uint32_t p = 0; p < order_.size(); ++p) position_[order_[p]] = p;
}

bool GrowingCdg::try_add(const Edges& edges) {
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (try_add(edges[i].first, edges[i].second)) continue;
    while (i-- > 0) after_[edges[i].first].pop_back();
    return false;
  }
  return true;
}

bool GrowingCdg::try_add(std::uint32_t from, std::uint32_t to) {
  if (position_[from] >= position_[to] && !make_room(from, to)) return false;
  after_[from].push_back(to);
  return true;
}

/// Moves what is reachable from `to` behind `from`, unless `from` is.
bool GrowingCdg::make_room(std::uint32_t from, std::uint32_t to) {
  const std::uint32_t first = position_[to], last = position_[from];
  std::vector<std::uint32_t> behind{to};
  reached_[to] = 1;
  for (std::size_t i = 0; i < behind.size(); ++i)
    for (const std::uint32_t next : after_[behind[i]])
      if (position_[next] <= last && std::exchange(reached_[next], std::uint8_t{1}) == 0)
        behind.push_back(next);
  const bool acyclic = reached_[from] == 0;
  if (acyclic) {
    std::ranges::sort(behind, {}, [&](std::uint32_t n) { return position_[n]; });
    std::uint32_t at = first;
    for (std::uint32_t p = first; p <= last; ++p)
      if (reached_[order_[p]] == 0) order_[at++] = order_[p];
    std::ranges::copy(behind, order_.begin() + at);
    for (std::uint32_t p = first; p <= last; ++p) position_[order_[p]] = p;
  }
  for (const std::uint32_t n : behind) reached_[n] = 0;
  return acyclic;
}

namespace {

GrowingCdg::Edges edges_of(const fabric::Fabric& fabric, const Channels& channels,
                           std::span<const verify::ChannelDependency> paths) {
  const auto at = [&](PortId id, std::uint8_t vl) {
    const fabric::Port& port = fabric.port(id);
    return node(channels.at(SwitchId(port.node.value), port.number.value), vl);
  };
  GrowingCdg::Edges edges;
  for (const verify::ChannelDependency& d : paths)
    edges.emplace_back(at(d.from, d.from_vl), at(d.to, d.to_vl));
  return edges;
}

}  // namespace

FittedTrees::FittedTrees(const fabric::Fabric& fabric, std::span<const verify::ChannelDependency> paths,
                         std::vector<GroupVl> groups)
    : fabric_(fabric),
      channels_(fabric.graph()),
      groups_(std::move(groups)),
      cdg_(channels_.size() * kVls, edges_of(fabric, channels_, paths)) {}

std::optional<SpanningTree> FittedTrees::from(SwitchId root) const {
  SpanningTree tree = TreeSearch(fabric_, channels_, groups_, cdg_).from(root);
  std::vector<bool> in_tree(fabric_.switch_count());
  for (SwitchId sw : tree.order) in_tree[sw.index()] = true;
  const SpanningTree reachable = engines::multicast::breadth_first_tree(fabric_.graph(), root);
  const bool complete = std::ranges::all_of(
      reachable.order, [&](SwitchId sw) { return in_tree[sw.index()] || fabric_.end_ports_of(sw).empty(); });
  return complete ? std::optional(std::move(tree)) : std::nullopt;
}

}  // namespace rch::chains
