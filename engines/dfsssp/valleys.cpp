#include "engines/dfsssp/valleys.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/parallel.h"
#include "engines/dfsssp/depth_first.h"
#include "engines/dfsssp/near_channels.h"

namespace rch::engines::dfsssp {
namespace {

constexpr std::size_t kWidth = 64;  ///< destinations that are looked at together
/// Valleys on the way to more than one switch in so many are not looked at one by one.
constexpr std::size_t kFewOf = 8;

using Bytes = std::array<std::uint8_t, kWidth>;  ///< by destination, 255: true

/// Where shortest paths from hosts come by, for a few destinations: plain loops over all of them, of which
/// compilers make vector code.
class Flood {
 public:
  Flood(const HopMatrix& hops, std::size_t first)
      : first_(first), count_(std::min(kWidth, hops.switch_count - first)), places_(hops.switch_count) {
    for (std::uint32_t s = 0; s < places_.size(); ++s) {
      places_[s].hops.fill(HopMatrix::kUnknown);
      std::ranges::copy(hops.row(SwitchId(s)).subspan(first, count_), places_[s].hops.begin());
    }
  }

  void start(SwitchId sw) { places_[sw.index()].up.fill(255); }
  void rise(SwitchId from, SwitchId to) {
    Place& next = places_[to.index()];
    spread(places_[from.index()], next.hops, places_[from.index()].up, next.up);
  }
  void fall(SwitchId from, SwitchId to) {
    const Place& place = places_[from.index()];
    Place& next = places_[to.index()];
    Bytes any;
    for (std::size_t i = 0; i < kWidth; ++i) any[i] = place.up[i] | place.down[i];
    spread(place, next.hops, any, next.down);
  }
  void rise_again(SwitchId from, SwitchId to) {
    spread(places_[from.index()], places_[to.index()].hops, places_[from.index()].down, valley_);
  }

  void list_destinations(std::vector<std::uint8_t>& behind) const {
    for (std::size_t i = 0; i < count_; ++i) behind[first_ + i] = valley_[i];
  }

 private:
  struct Place {
    Bytes hops;
    Bytes up{};    ///< paths come by that have only gone up
    Bytes down{};  ///< ... that have gone down
  };

  static void spread(const Place& from, const Bytes& other, const Bytes& have, Bytes& get) {
    Bytes all = get;
    for (std::size_t i = 0; i < kWidth; ++i) {
      const bool nearer = leads_nearer(from.hops[i], other[i]);
      all[i] = static_cast<std::uint8_t>(all[i] | (have[i] & (nearer ? 255 : 0)));
    }
    get = all;
  }

  std::size_t first_, count_;
  std::vector<Place> places_;  ///< by switch
  Bytes valley_{};
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

Valleys::Valleys(const fabric::SwitchGraph& graph, const HopMatrix& hops, const Routes& routes)
    : graph_(graph), hops_(hops), routes_(routes), height_(hops.switch_count) {
  const std::vector<std::uint32_t> rank = ranks(graph, routes.view());
  for (std::uint32_t s = 0; s < hops.switch_count; ++s) upwards_.push_back(SwitchId(s));
  std::ranges::stable_sort(upwards_, {}, [&](SwitchId sw) { return rank[sw.index()]; });
  for (std::uint32_t i = 0; i < upwards_.size(); ++i) height_[upwards_[i].index()] = i;
}

bool Valleys::rule_out_circles(const fabric::ForwardingTables& tables) const {
  const std::vector<SwitchId> destinations = destinations_behind();
  if (destinations.empty()) return true;
  if (destinations.size() * kFewOf > hops_.switch_count) return false;
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

/// Those that some shortest path from a host leads to by a valley.
std::vector<SwitchId> Valleys::destinations_behind() const {
  std::vector<std::uint8_t> behind(hops_.switch_count);
  parallel_ranges((hops_.switch_count + kWidth - 1) / kWidth, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t block = begin; block < end; ++block) {
      Flood flood(hops_, block * kWidth);
      for (SwitchId sw : upwards_) {
        if (!routes_.view().end_ports_of(sw).empty()) flood.start(sw);
        for (const fabric::Neighbor& n : graph_.neighbors(sw))
          if (leads_up(sw, n.sw)) flood.rise(sw, n.sw);
      }
      for (auto sw = upwards_.rbegin(); sw != upwards_.rend(); ++sw)
        for (const fabric::Neighbor& n : graph_.neighbors(*sw))
          leads_up(*sw, n.sw) ? flood.rise_again(*sw, n.sw) : flood.fall(*sw, n.sw);
      flood.list_destinations(behind);
    }
  });
  std::vector<SwitchId> found;
  for (std::uint32_t s = 0; s < behind.size(); ++s)
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
