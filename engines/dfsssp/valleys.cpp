#include "engines/dfsssp/valleys.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/parallel.h"
#include "engines/dfsssp/depth_first.h"

namespace rch::engines::dfsssp {
namespace {

/// Valleys on the way to more than one switch in so many are not looked at one by one.
constexpr std::size_t kFewOf = 8;

/// Where shortest paths from hosts come by, for a block of destinations.
class Flood {
 public:
  Flood(const HopBits& hops, std::size_t block) : hops_(hops), block_(block), places_(hops.switch_count()) {}

  void start(SwitchId sw) { places_[sw.index()].up.fill(~std::uint64_t{0}); }
  void rise(SwitchId from, SwitchId to) {
    spread(from, to, places_[from.index()].up, places_[to.index()].up);
  }
  void fall(SwitchId from, SwitchId to) {
    Bits any = places_[from.index()].up;
    for (std::size_t w = 0; w < any.size(); ++w) any[w] |= places_[from.index()].down[w];
    spread(from, to, any, places_[to.index()].down);
  }
  void rise_again(SwitchId from, SwitchId to) { spread(from, to, places_[from.index()].down, valley_); }

  bool is_behind_valley(std::size_t place) const { return (valley_[place / 64] >> (place % 64) & 1) != 0; }

 private:
  using Bits = HopBits::Block;
  struct Place {
    Bits up{};    ///< paths come by that have only gone up
    Bits down{};  ///< ... that have gone down
  };

  void spread(SwitchId from, SwitchId to, const Bits& have, Bits& get) const {
    const Bits nearer = hops_.nearer(from, to, block_);
    for (std::size_t w = 0; w < get.size(); ++w) get[w] |= have[w] & nearer[w];
  }

  const HopBits& hops_;
  std::size_t block_;
  std::vector<Place> places_;  ///< by switch
  Bits valley_{};
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

}  // namespace

Valleys::Valleys(const fabric::SwitchGraph& graph, const HopBits& hops, const Routes& routes)
    : graph_(graph), hops_(hops), routes_(routes), height_(hops.switch_count()) {
  const std::vector<std::uint32_t> rank = ranks(graph, routes.view());
  for (std::uint32_t s = 0; s < hops.switch_count(); ++s) upwards_.push_back(SwitchId(s));
  std::ranges::stable_sort(upwards_, {}, [&](SwitchId sw) { return rank[sw.index()]; });
  for (std::uint32_t i = 0; i < upwards_.size(); ++i) height_[upwards_[i].index()] = i;
}

bool Valleys::rule_out_circles(const fabric::ForwardingTables& tables) const {
  const std::vector<SwitchId> destinations = destinations_behind();
  if (destinations.empty()) return true;
  if (destinations.size() * kFewOf > hops_.switch_count()) return false;
  const common::Channels& channels = routes_.channels();
  const Dependencies valleys = valleys_in(tables, destinations);
  DepthFirst search(channels, [&](common::ChannelId c, common::ChannelId next) {
    return is_valley(c, next) ? std::ranges::binary_search(valleys, std::pair(c, next))
                              : channels.to(next) != channels.from(c);
  });
  for (const auto& valley : valleys) search.search_from(valley.second);
  return !search.has_circle();
}

bool Valleys::is_valley(common::ChannelId c, common::ChannelId next) const {
  const common::Channels& channels = routes_.channels();
  return !leads_up(channels.from(c), channels.to(c)) && leads_up(channels.to(c), channels.to(next));
}

std::vector<common::ChannelId> Valleys::up_then_down() const {
  const common::Channels& channels = routes_.channels();
  std::vector<common::ChannelId> up, down;
  for (SwitchId sw : upwards_)
    channels.for_each_leaving(
        sw, [&](common::ChannelId c) { (leads_up(sw, channels.to(c)) ? up : down).push_back(c); });
  up.insert(up.end(), down.rbegin(), down.rend());
  return up;
}

std::vector<SwitchId> Valleys::destinations_behind() const {
  constexpr std::size_t kBlock = 64 * HopBits::kWords;
  std::vector<std::uint8_t> behind(hops_.blocks() * kBlock);
  parallel_ranges(hops_.blocks(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t block = begin; block < end; ++block) {
      Flood flood(hops_, block);
      for (SwitchId sw : upwards_) {
        if (!routes_.view().end_ports_of(sw).empty()) flood.start(sw);
        for (const fabric::Neighbor& n : graph_.neighbors(sw))
          if (leads_up(sw, n.sw)) flood.rise(sw, n.sw);
      }
      for (auto sw = upwards_.rbegin(); sw != upwards_.rend(); ++sw)
        for (const fabric::Neighbor& n : graph_.neighbors(*sw))
          leads_up(*sw, n.sw) ? flood.rise_again(*sw, n.sw) : flood.fall(*sw, n.sw);
      for (std::size_t i = 0; i < kBlock; ++i) behind[block * kBlock + i] = flood.is_behind_valley(i) ? 1 : 0;
    }
  });
  std::vector<SwitchId> found;
  for (std::uint32_t s = 0; s < hops_.switch_count(); ++s)
    if (behind[s] != 0) found.push_back(SwitchId(s));
  return found;
}

/// That packets from hosts take to these switches, sorted.
Valleys::Dependencies Valleys::valleys_in(const fabric::ForwardingTables& tables,
                                          std::span<const SwitchId> destinations) const {
  Dependencies found;
  std::vector<std::uint8_t> seen;
  std::vector<std::uint8_t> places;
  for (SwitchId to : destinations) {
    const auto [begin, end] = routes_.trees_to(to);
    for (std::size_t tree = begin; tree < end; ++tree) {
      routes_.read_tree(tables, tree, places);
      routes_.for_each_dependency(tree, places, seen, [&](common::ChannelId c, common::ChannelId next) {
        if (is_valley(c, next)) found.emplace_back(c, next);
      });
    }
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace rch::engines::dfsssp
