#include "engines/dfsssp/nue.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

namespace rch::engines::dfsssp {

bool Nue::keep(std::size_t tree) {
  return layer_.try_add_all([&](auto&& add) { routes_.for_each_dependency(tree, seen_, add); });
}

Reach Nue::route(std::size_t tree, const ChannelLoads& loads) {
  escape_.assign(hosts_.size(), common::ChannelId::none());
  allow_minimal_paths(tree);
  layer_.checkpoint();
  while (true) {
    start(tree);
    if (terms_.detours)
      search_by_cost(tree, loads);
    else
      search_by_length(tree, loads);
    const Reach reached = reach(tree);
    if (reached != Reach::partial) {
      complete(tree, loads);
      remove_unused_dependencies(tree);
      return reached;
    }
    layer_.roll_back();
    if (terms_.detours && allow_more(tree)) continue;
    start(tree);
    return reached;
  }
}

/// Allows the switches on minimal paths from hosts. The others need no dependencies in the layer.
void Nue::allow_minimal_paths(std::size_t tree) {
  const common::Channels& channels = routes_.channels();
  const std::span<const std::uint8_t> hops = hops_.row(routes_.tree(tree).to);
  allowed_.assign(hosts_.size(), 0);
  frontier_.clear();
  const auto allow = [&](SwitchId sw) {
    if (std::exchange(allowed_[sw.index()], std::uint8_t{1}) == 0) frontier_.push_back(sw);
  };
  for (std::uint32_t s = 0; s < hosts_.size(); ++s)
    if (hosts_[s] != 0) allow(SwitchId(s));
  for (std::size_t i = 0; i < frontier_.size(); ++i) {
    const std::uint8_t length = hops[frontier_[i].index()];
    channels.for_each_leaving(frontier_[i], [&](common::ChannelId c) {
      if (hops[channels.to(c).index()] + 1 == length) allow(channels.to(c));
    });
  }
}

/// After a search that left switches out: allows all switches. The next time it fixes the escape paths of
/// those left out, whose dependencies are reserved. False if there is nothing more to allow.
bool Nue::allow_more(std::size_t tree) {
  if (std::ranges::find(allowed_, 0) != allowed_.end()) {
    std::ranges::fill(allowed_, std::uint8_t{1});
    return true;
  }
  if (terms_.escape == nullptr) return false;
  const SwitchId to = routes_.tree(tree).to;
  const std::vector<common::ChannelId> paths = terms_.escape->paths_to(to);
  const std::vector<common::ChannelId> before = escape_;
  for (std::uint32_t s = 0; s < hosts_.size(); ++s)
    if (hosts_[s] != 0 && length_[s] == kUnsettled)
      for (SwitchId at(s); at != to && !paths[at.index()].is_none();
           at = routes_.channels().to(paths[at.index()]))
        escape_[at.index()] = paths[at.index()];
  return escape_ != before;
}

void Nue::start(std::size_t tree) {
  const SwitchId to = routes_.tree(tree).to;
  std::ranges::fill(routes_.outputs(tree), Routes::kNoOutput);
  length_.assign(hosts_.size(), kUnsettled);
  cost_.resize(hosts_.size());
  seen_.assign(hosts_.size(), 0);
  settled_.assign(1, to);
  length_[to.index()] = 0;
  cost_[to.index()] = 0;
}

/// Settles switches by the length of their paths.
void Nue::search_by_length(std::size_t tree, const ChannelLoads& loads) {
  for (std::size_t begin = 0, end = 1; begin < end; begin = std::exchange(end, settled_.size())) {
    const std::uint8_t length = length_[settled_[begin].index()];
    if (length + 1 == kUnsettled) return;
    find_frontier(std::span(settled_).subspan(begin));
    for (SwitchId sw : frontier_) settle(tree, sw, length, loads);
  }
}

/// Settles switches by the cost of their paths: loads, and for each hop a third of the mean load. So a detour
/// around full channels is taken where it pays.
void Nue::search_by_cost(std::size_t tree, const ChannelLoads& loads) {
  const common::Channels& channels = routes_.channels();
  const std::uint64_t sum = std::accumulate(loads.begin(), loads.end(), std::uint64_t{0});
  const std::uint64_t hop = 1 + sum / (3 * std::max<std::size_t>(channels.size(), 1));
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> open;
  const auto add_neighbours = [&](SwitchId near) {
    const std::uint64_t length = length_[near.index()] + std::uint64_t{1};
    channels.for_each_leaving(near, [&](common::ChannelId out) {
      const common::ChannelId c = channels.back(out);
      const SwitchId sw = channels.from(c);
      const common::ChannelId escape = escape_[sw.index()];
      const bool is_open = allowed_[sw.index()] != 0 && length_[sw.index()] == kUnsettled;
      if (is_open && (escape.is_none() || escape == c) && length < kUnsettled)
        open.push({cost_[near.index()] + loads[c.index()] + length * hop, c});
    });
  };
  add_neighbours(settled_.front());
  while (!open.empty()) {
    const common::ChannelId c = open.top().channel;
    open.pop();
    const SwitchId sw = channels.from(c);
    if (length_[sw.index()] != kUnsettled || !fits(tree, c)) continue;
    attach(tree, c, loads);
    add_neighbours(sw);
  }
}

/// Finds the allowed neighbours of `settled` that are not settled themselves.
void Nue::find_frontier(std::span<const SwitchId> settled) {
  frontier_.clear();
  for (SwitchId near : settled)
    routes_.channels().for_each_leaving(near, [&](common::ChannelId c) {
      const SwitchId sw = routes_.channels().to(c);
      if (allowed_[sw.index()] == 0 || length_[sw.index()] != kUnsettled || seen_[sw.index()] != 0) return;
      seen_[sw.index()] = 1;
      frontier_.push_back(sw);
    });
  for (SwitchId sw : frontier_) seen_[sw.index()] = 0;
}

/// Lets a switch send to a neighbour whose path has that length, by the least loaded channel that fits.
void Nue::settle(std::size_t tree, SwitchId sw, std::uint8_t length, const ChannelLoads& loads) {
  const common::Channels& channels = routes_.channels();
  const common::ChannelId escape = escape_[sw.index()];
  candidates_.clear();
  channels.for_each_leaving(sw, [&](common::ChannelId c) {
    const std::size_t next = channels.to(c).index();
    if (length_[next] == length && (escape.is_none() || escape == c))
      candidates_.push_back({loads[c.index()] + cost_[next], c});
  });
  std::ranges::sort(candidates_);
  const auto found = std::ranges::find_if(
      candidates_, [&](const Candidate& candidate) { return fits(tree, candidate.channel); });
  if (found != candidates_.end()) attach(tree, found->channel, loads);
}

/// True if packets on the channel may go on as the switch at its end sends.
bool Nue::fits(std::size_t tree, common::ChannelId c) {
  const SwitchId to = routes_.channels().to(c);
  return to == routes_.tree(tree).to || layer_.try_add(c, routes_.next(tree, to));
}

void Nue::attach(std::size_t tree, common::ChannelId c, const ChannelLoads& loads) {
  const SwitchId sw = routes_.channels().from(c), next = routes_.channels().to(c);
  length_[sw.index()] = static_cast<std::uint8_t>(length_[next.index()] + 1);
  cost_[sw.index()] = cost_[next.index()] + loads[c.index()];
  routes_.set_next(tree, c);
  settled_.push_back(sw);
}

Reach Nue::reach(std::size_t tree) const {
  const std::span<const std::uint8_t> hops = hops_.row(routes_.tree(tree).to);
  Reach reached = Reach::minimal;
  for (std::size_t s = 0; s < hops.size(); ++s) {
    if (hosts_[s] == 0 || hops[s] == length_[s]) continue;
    if (length_[s] == kUnsettled) return Reach::partial;
    reached = Reach::detour;
  }
  return reached;
}

/// Lets switches without hosts that were left out send by any channel: no host's packets pass them.
void Nue::complete(std::size_t tree, const ChannelLoads& loads) {
  const common::Channels& channels = routes_.channels();
  for (std::size_t i = 0; i < settled_.size(); ++i)
    channels.for_each_leaving(settled_[i], [&](common::ChannelId c) {
      const bool unsettled = length_[channels.to(c).index()] == kUnsettled;
      if (unsettled && length_[settled_[i].index()] + 1 < kUnsettled) attach(tree, channels.back(c), loads);
    });
}

/// Removes the dependencies added for switches that no host's packets pass.
void Nue::remove_unused_dependencies(std::size_t tree) {
  const common::Channels& channels = routes_.channels();
  used_.resize(channels.dependency_count());
  const auto mark_used = [&](std::uint8_t value) {
    routes_.for_each_dependency(tree, seen_, [&](common::ChannelId c, common::ChannelId next) {
      used_[channels.dependency(c, next)] = value;
    });
  };
  mark_used(1);
  layer_.roll_back([&](std::size_t dependency) { return used_[dependency] != 0; });
  mark_used(0);
}

}  // namespace rch::engines::dfsssp
