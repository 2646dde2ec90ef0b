#include "engines/dfsssp/growth.h"

#include <algorithm>
#include <utility>

namespace rch::engines::dfsssp {

bool Growth::keep(std::size_t tree) {
  bool all = true;
  lane_.mark();
  routes_.for_each_dependency(
      tree, seen_, [&](common::ChannelId c, common::ChannelId next) { all = all && lane_.admit(c, next); });
  if (!all) lane_.take_back([](std::size_t) { return false; });
  return all;
}

Reach Growth::grow(std::size_t tree, const Loads& loads) {
  given_.assign(hosts_.size(), common::ChannelId::none());
  open_shortest_ways(tree);
  lane_.mark();
  while (true) {
    start(tree);
    spread(tree, loads);
    const Reach reached = reach(tree);
    if (reached != Reach::partial) {
      complete(tree, loads);
      forget_unused(tree);
      return reached;
    }
    lane_.take_back([](std::size_t) { return false; });
    if (terms_.detours && open_more(tree)) continue;
    start(tree);
    return reached;
  }
}

/// Opens the switches that shortest paths from hosts pass. The others need no place in the lane.
void Growth::open_shortest_ways(std::size_t tree) {
  const common::Channels& channels = routes_.channels();
  const std::span<const std::uint8_t> hops = hops_.row(routes_.tree(tree).to);
  open_.assign(hosts_.size(), 0);
  border_.clear();
  const auto open = [&](SwitchId sw) {
    if (std::exchange(open_[sw.index()], std::uint8_t{1}) == 0) border_.push_back(sw);
  };
  for (std::uint32_t s = 0; s < hosts_.size(); ++s)
    if (hosts_[s] != 0) open(SwitchId(s));
  for (std::size_t i = 0; i < border_.size(); ++i) {
    const std::uint8_t length = hops[border_[i].index()];
    channels.for_each_leaving(border_[i], [&](common::ChannelId c) {
      if (hops[channels.to(c).index()] + 1 == length) open(channels.to(c));
    });
  }
}

/// After switches were left out: opens all, then gives those on the way of the ones left out the channels of
/// the spanning tree, which fit each other. False if there is nothing more to try.
bool Growth::open_more(std::size_t tree) {
  if (std::ranges::find(open_, 0) != open_.end()) {
    std::ranges::fill(open_, std::uint8_t{1});
    return true;
  }
  if (terms_.reserved == nullptr) return false;
  const SwitchId to = routes_.tree(tree).to;
  const std::vector<common::ChannelId> ways = terms_.reserved->ways_to(to);
  const std::vector<common::ChannelId> before = given_;
  for (std::uint32_t s = 0; s < hosts_.size(); ++s)
    if (hosts_[s] != 0 && length_[s] == kUnsettled)
      for (SwitchId at(s); at != to && !ways[at.index()].is_none();
           at = routes_.channels().to(ways[at.index()]))
        given_[at.index()] = ways[at.index()];
  return given_ != before;
}

void Growth::start(std::size_t tree) {
  const SwitchId to = routes_.tree(tree).to;
  std::ranges::fill(routes_.places(tree), Routes::kNoChannel);
  length_.assign(hosts_.size(), kUnsettled);
  cost_.resize(hosts_.size());
  seen_.assign(hosts_.size(), 0);
  settled_.assign(1, to);
  length_[to.index()] = 0;
  cost_[to.index()] = 0;
}

/// Settles switches by the length of their paths.
void Growth::spread(std::size_t tree, const Loads& loads) {
  for (std::size_t begin = 0, end = 1; begin < end; begin = std::exchange(end, settled_.size())) {
    const std::uint8_t length = length_[settled_[begin].index()];
    if (length + 1 == kUnsettled) return;
    find_border(std::span(settled_).subspan(begin));
    for (SwitchId sw : border_) settle(tree, sw, length, loads);
  }
}

/// Neighbours of `front` that are not settled.
void Growth::find_border(std::span<const SwitchId> front) {
  border_.clear();
  for (SwitchId near : front)
    routes_.channels().for_each_leaving(near, [&](common::ChannelId c) {
      const SwitchId sw = routes_.channels().to(c);
      if (open_[sw.index()] == 0 || length_[sw.index()] != kUnsettled || seen_[sw.index()] != 0) return;
      seen_[sw.index()] = 1;
      border_.push_back(sw);
    });
  for (SwitchId sw : border_) seen_[sw.index()] = 0;
}

/// Lets a switch send to a neighbour whose path has that length, if one fits.
void Growth::settle(std::size_t tree, SwitchId sw, std::uint8_t length, const Loads& loads) {
  const common::Channels& channels = routes_.channels();
  const common::ChannelId given = given_[sw.index()];
  offers_.clear();
  channels.for_each_leaving(sw, [&](common::ChannelId c) {
    const std::size_t next = channels.to(c).index();
    if (length_[next] == length && (given.is_none() || given == c))
      offers_.push_back({loads[c.index()] + cost_[next], c});
  });
  std::ranges::sort(offers_);
  const auto open = std::ranges::find_if(offers_, [&](const Offer& o) { return fits(tree, o.channel); });
  if (open != offers_.end()) attach(tree, open->channel, loads);
}

/// True if packets of the channel may go on as the switch at its end sends.
bool Growth::fits(std::size_t tree, common::ChannelId c) {
  const SwitchId to = routes_.channels().to(c);
  return to == routes_.tree(tree).to || lane_.admit(c, routes_.next(tree, to));
}

void Growth::attach(std::size_t tree, common::ChannelId c, const Loads& loads) {
  const common::Channels& channels = routes_.channels();
  const SwitchId sw = channels.from(c), next = channels.to(c);
  length_[sw.index()] = static_cast<std::uint8_t>(length_[next.index()] + 1);
  cost_[sw.index()] = cost_[next.index()] + loads[c.index()];
  routes_.places(tree)[sw.index()] = static_cast<std::uint8_t>(c.value - channels.first(sw).value);
  settled_.push_back(sw);
}

Reach Growth::reach(std::size_t tree) const {
  const std::span<const std::uint8_t> hops = hops_.row(routes_.tree(tree).to);
  Reach reached = Reach::shortest;
  for (std::size_t s = 0; s < hops.size(); ++s) {
    if (hosts_[s] == 0 || hops[s] == length_[s]) continue;
    if (length_[s] == kUnsettled) return Reach::partial;
    reached = Reach::detour;
  }
  return reached;
}

/// Switches without hosts, if nothing led there, send on as they can: no host's packets come by.
void Growth::complete(std::size_t tree, const Loads& loads) {
  const common::Channels& channels = routes_.channels();
  for (std::size_t i = 0; i < settled_.size(); ++i)
    channels.for_each_leaving(settled_[i], [&](common::ChannelId c) {
      const bool free = length_[channels.to(c).index()] == kUnsettled;
      if (free && length_[settled_[i].index()] + 1 < kUnsettled) attach(tree, channels.back(c), loads);
    });
}

/// Dependencies that were admitted and that no host's packets have: of switches that none are sent by.
void Growth::forget_unused(std::size_t tree) {
  const common::Channels& channels = routes_.channels();
  used_.resize(channels.dependency_count());
  const auto mark_used = [&](std::uint8_t value) {
    routes_.for_each_dependency(tree, seen_, [&](common::ChannelId c, common::ChannelId next) {
      used_[channels.dependency(c, next)] = value;
    });
  };
  mark_used(1);
  lane_.take_back([&](std::size_t dependency) { return used_[dependency] != 0; });
  mark_used(0);
}

}  // namespace rch::engines::dfsssp
