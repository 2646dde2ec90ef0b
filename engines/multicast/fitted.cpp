#include "engines/multicast/fitted.h"

#include <algorithm>

#include "engines/common/acyclic_dependencies.h"

namespace rch::engines::multicast {
namespace {

using common::AcyclicDependencies;
using common::ChannelId;
using common::Channels;

struct Dependency {
  ChannelId held, asked;
};

/// The waits of paths, by channel.
std::vector<Dependency> by_channel(const fabric::Fabric& fabric, const Channels& channels,
                                   std::span<const Wait> paths) {
  std::vector<ChannelId> sending(fabric.ports().size(), ChannelId::none());
  for (std::uint32_t s = 0; s < channels.switch_count(); ++s)
    channels.for_each_leaving(SwitchId(s), [&](ChannelId c) {
      sending[fabric.port_id(SwitchId(s), channels.port(c)).index()] = c;
    });
  std::vector<Dependency> result;
  for (const Wait& wait : paths) result.push_back({sending[wait.held.index()], sending[wait.asked.index()]});
  return result;
}

/// All channels, each before those that wait behind it (Kahn: Topological Sorting of Large Networks, 1962).
std::vector<ChannelId> in_order(const Channels& channels, std::span<const Dependency> paths) {
  std::vector<std::vector<ChannelId>> behind(channels.size());
  std::vector<std::uint32_t> before(channels.size());
  for (const Dependency& d : paths) {
    behind[d.held.index()].push_back(d.asked);
    ++before[d.asked.index()];
  }
  std::vector<ChannelId> order;
  for (std::uint32_t c = 0; c < channels.size(); ++c)
    if (before[c] == 0) order.push_back(ChannelId(c));
  for (std::size_t at = 0; at < order.size(); ++at)
    for (ChannelId next : behind[order[at].index()])
      if (--before[next.index()] == 0) order.push_back(next);
  return order;
}

class Fitting {
 public:
  Fitting(const Channels& channels, AcyclicDependencies& lane)
      : channels_(channels), waits_(lane), joined_(channels.size()) {
    tree_.parent.resize(channels.switch_count(), SwitchId::none());
    in_.resize(channels.switch_count());
  }

  SpanningTree from(SwitchId root) && {
    add(root, SwitchId::none());
    for (std::size_t at = 0; at < tree_.order.size(); ++at) {
      const SwitchId sw = tree_.order[at];
      channels_.for_each_leaving(sw, [&](ChannelId c) {
        if (!in_[channels_.to(c).index()] && join(sw, channels_.to(c))) add(channels_.to(c), sw);
      });
    }
    return std::move(tree_);
  }

 private:
  void add(SwitchId sw, SwitchId parent) {
    in_[sw.index()] = true;
    tree_.parent[sw.index()] = parent;
    tree_.order.push_back(sw);
  }

  /// Joins a switch outside of the tree to one inside by all cables between them, if nothing then waits for
  /// itself.
  bool join(SwitchId sw, SwitchId next) {
    waits_.mark();
    bool fits = true;
    channels_.for_each_leaving(sw, [&](ChannelId in_tree) {
      if (joined_[in_tree.index()] == 0) return;
      channels_.for_each_leaving(sw, [&](ChannelId out) {
        fits = fits && (channels_.to(out) != next || (waits_.admit(channels_.back(in_tree), out) &&
                                                      waits_.admit(channels_.back(out), in_tree)));
      });
    });
    if (!fits) {
      waits_.take_back([](std::size_t) { return false; });
      return false;
    }
    channels_.for_each_leaving(sw, [&](ChannelId out) {
      if (channels_.to(out) == next) joined_[out.index()] = joined_[channels_.back(out).index()] = 1;
    });
    return true;
  }

  const Channels& channels_;
  AcyclicDependencies& waits_;
  std::vector<std::uint8_t> joined_;  ///< by channel: of a branch
  std::vector<bool> in_;              ///< by switch
  SpanningTree tree_;
};

}  // namespace

SpanningTree fit(const Channels& channels, SwitchId root, AcyclicDependencies& lane) {
  return Fitting(channels, lane).from(root);
}

std::optional<SpanningTree> fit(const fabric::Fabric& fabric, SwitchId root, std::span<const Wait> paths) {
  const Channels channels(fabric.graph());
  const std::vector<Dependency> dependencies = by_channel(fabric, channels, paths);
  AcyclicDependencies lane(channels, in_order(channels, dependencies));
  for (const Dependency& d : dependencies) lane.admit(d.held, d.asked);
  const SpanningTree tree = fit(channels, root, lane);
  std::vector<bool> in(fabric.switch_count());
  for (SwitchId sw : tree.order) in[sw.index()] = true;
  const bool complete = std::ranges::all_of(fabric.end_ports(),
                                            [&](const fabric::EndPort& host) { return in[host.sw.index()]; });
  return complete ? std::optional(tree) : std::nullopt;
}

}  // namespace rch::engines::multicast
