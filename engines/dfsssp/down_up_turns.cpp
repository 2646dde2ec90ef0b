#include "engines/dfsssp/down_up_turns.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "engines/common/depth_first.h"

namespace rch::engines::dfsssp {
namespace {

using common::ChannelId;
using Dependencies = std::vector<std::pair<ChannelId, ChannelId>>;

/// The turns of paths are examined one by one for at most this fraction of the destinations.
constexpr std::size_t kFewOf = 8;

/// Which switches minimal paths from hosts pass, for a block of destinations.
class Flood {
 public:
  Flood(const HopBits& hops, std::size_t block) : hops_(hops), block_(block), states_(hops.switch_count()) {}

  void start(SwitchId sw) { states_[sw.index()].up.fill(~std::uint64_t{0}); }
  void go_up(SwitchId from, SwitchId to) { pass(from, to, states_[from.index()].up, states_[to.index()].up); }
  void go_down(SwitchId from, SwitchId to) {
    Bits any = states_[from.index()].up;
    for (std::size_t w = 0; w < any.size(); ++w) any[w] |= states_[from.index()].down[w];
    pass(from, to, any, states_[to.index()].down);
  }
  void turn_up(SwitchId from, SwitchId to) { pass(from, to, states_[from.index()].down, turns_); }

  bool has_turn(std::size_t place) const { return (turns_[place / 64] >> (place % 64) & 1) != 0; }

 private:
  using Bits = HopBits::Block;
  struct State {
    Bits up{};    ///< destinations of paths that have only gone up
    Bits down{};  ///< destinations of paths that have gone down
  };

  void pass(SwitchId from, SwitchId to, const Bits& have, Bits& get) const {
    const Bits nearer = hops_.nearer(from, to, block_);
    for (std::size_t w = 0; w < get.size(); ++w) get[w] |= have[w] & nearer[w];
  }

  const HopBits& hops_;
  std::size_t block_;
  std::vector<State> states_;  ///< by switch
  Bits turns_{};
};

/// By switch, hops to the nearest with hosts.
std::vector<std::uint32_t> ranks(const fabric::SwitchGraph& graph, const fabric::SubFabric& view) {
  std::vector<std::uint32_t> ranks(graph.switch_count(), static_cast<std::uint32_t>(graph.switch_count()));
  std::vector<SwitchId> reached;
  for (std::uint32_t s = 0; s < ranks.size(); ++s)
    if (!view.end_ports_of(SwitchId(s)).empty()) {
      ranks[s] = 0;
      reached.push_back(SwitchId(s));
    }
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const fabric::Neighbor& n : graph.neighbors(reached[i]))
      if (ranks[n.sw.index()] == ranks.size()) {
        ranks[n.sw.index()] = ranks[reached[i].index()] + 1;
        reached.push_back(n.sw);
      }
  return ranks;
}

/// The down-up turns that packets from hosts take to these switches, sorted.
Dependencies turns_to(std::span<const SwitchId> destinations, const DownUpTurns& turns, const Routes& routes,
                      const fabric::ForwardingTables& tables) {
  Dependencies found;
  std::vector<std::uint8_t> seen, outputs;
  for (SwitchId to : destinations)
    for (const Routes::Delivery& delivery : routes.deliveries(to)) {
      routes.read_entries(tables, delivery, outputs);
      routes.for_each_dependency(delivery.tree, outputs, seen, [&](ChannelId c, ChannelId next) {
        if (turns.is_turn(c, next)) found.emplace_back(c, next);
      });
    }
  std::ranges::sort(found);
  return found;
}

/// A CDG with all dependencies that are no down-up turn, and the given ones that are.
struct TurnGraph {
  using Node = ChannelId;

  std::size_t size() const { return channels.size(); }
  std::size_t degree(ChannelId c) const { return channels.degree(channels.to(c)); }
  ChannelId successor(ChannelId c, std::size_t i) const {
    const ChannelId next(channels.first(channels.to(c)).value + static_cast<std::uint32_t>(i));
    const bool present = turns.is_turn(c, next) ? std::ranges::binary_search(taken, std::pair(c, next))
                                                : channels.to(next) != channels.from(c);
    return present ? next : ChannelId::none();
  }

  const common::Channels& channels;
  const DownUpTurns& turns;
  const Dependencies& taken;
};

}  // namespace

DownUpTurns::DownUpTurns(const fabric::SwitchGraph& graph, const HopBits& hops, const Routes& routes)
    : graph_(graph), hops_(hops), routes_(routes), height_(hops.switch_count()) {
  const std::vector<std::uint32_t> rank = ranks(graph, routes.view());
  for (std::uint32_t s = 0; s < hops.switch_count(); ++s) by_rank_.push_back(SwitchId(s));
  std::ranges::stable_sort(by_rank_, {}, [&](SwitchId sw) { return rank[sw.index()]; });
  for (std::uint32_t i = 0; i < by_rank_.size(); ++i) height_[by_rank_[i].index()] = i;
}

bool DownUpTurns::exclude_credit_loops(const fabric::ForwardingTables& tables) const {
  const std::vector<SwitchId> destinations = this->destinations();
  if (destinations.empty()) return true;
  if (destinations.size() * kFewOf > hops_.switch_count()) return false;
  const Dependencies turns = turns_to(destinations, *this, routes_, tables);
  const TurnGraph cdg{routes_.channels(), *this, turns};
  common::DepthFirst search(cdg);
  for (const auto& turn : turns) search.visit(turn.second);
  return !search.has_cycle();
}

bool DownUpTurns::is_turn(ChannelId c, ChannelId next) const {
  const common::Channels& channels = routes_.channels();
  return !leads_up(channels.from(c), channels.to(c)) && leads_up(channels.to(c), channels.to(next));
}

std::vector<ChannelId> DownUpTurns::topological_order() const {
  const common::Channels& channels = routes_.channels();
  std::vector<ChannelId> up, down;
  for (SwitchId sw : by_rank_)
    channels.for_each_leaving(sw,
                              [&](ChannelId c) { (leads_up(sw, channels.to(c)) ? up : down).push_back(c); });
  up.insert(up.end(), down.rbegin(), down.rend());
  return up;
}

std::vector<SwitchId> DownUpTurns::destinations() const {
  constexpr std::size_t kBlock = 64 * HopBits::kWords;
  std::vector<std::uint8_t> with_turn(hops_.switch_count());
  parallel_ranges(hops_.blocks(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t block = begin; block < end; ++block) {
      Flood flood(hops_, block);
      for (SwitchId sw : by_rank_) {
        if (!routes_.view().end_ports_of(sw).empty()) flood.start(sw);
        for (const fabric::Neighbor& n : graph_.neighbors(sw))
          if (leads_up(sw, n.sw)) flood.go_up(sw, n.sw);
      }
      for (auto sw = by_rank_.rbegin(); sw != by_rank_.rend(); ++sw)
        for (const fabric::Neighbor& n : graph_.neighbors(*sw))
          leads_up(*sw, n.sw) ? flood.turn_up(*sw, n.sw) : flood.go_down(*sw, n.sw);
      for (std::size_t i = 0; i < kBlock && block * kBlock + i < hops_.switch_count(); ++i)
        with_turn[hops_.order()[block * kBlock + i].index()] = flood.has_turn(i) ? 1 : 0;
    }
  });
  std::vector<SwitchId> found;
  for (std::uint32_t s = 0; s < hops_.switch_count(); ++s)
    if (with_turn[s] != 0) found.push_back(SwitchId(s));
  return found;
}

}  // namespace rch::engines::dfsssp
