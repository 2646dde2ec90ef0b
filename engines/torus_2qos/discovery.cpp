#include "engines/torus_2qos/discovery.h"

#include <algorithm>

#include <fmt/format.h>

#include "engines/torus_2qos/checks.h"

namespace rch::engines::torus_2qos {
namespace {

std::string remark_on(const SeedConflict& conflict, const fabric::SubFabric& view, const Geometry& geometry,
                      std::size_t seed) {
  return fmt::format("seed {} puts {} at {}, seed {} at {}: service levels would change with the seed",
                     conflict.seed, title(view, conflict.sw), geometry.name(conflict.by_seed), seed,
                     geometry.name(conflict.actual));
}

std::size_t common_neighbors(const fabric::SwitchGraph& graph, SwitchId a, SwitchId b) {
  const auto of_b = graph.neighbors(b);
  return static_cast<std::size_t>(std::ranges::count_if(graph.neighbors(a), [&](const fabric::Neighbor& n) {
    return std::ranges::find(of_b, n.sw, &fabric::Neighbor::sw) != of_b.end();
  }));
}

/// Walks along one dimension. A turn closes a square with the hop before it; going straight on does not.
class RingWalk {
 public:
  RingWalk(const fabric::SwitchGraph& graph, SwitchId first, SwitchId second)
      : graph_(graph), first_(first), second_(second) {}

  std::optional<std::uint32_t> length() {
    if (std::ranges::find(graph_.neighbors(first_), second_, &fabric::Neighbor::sw) ==
        graph_.neighbors(first_).end())
      return std::nullopt;
    if (go(first_, second_) || lost_) return lost_ ? std::nullopt : std::optional(length_);
    go(second_, first_);  // an open row: the other direction too
    return lost_ || length_ == 2 ? std::nullopt : std::optional(length_);
  }

 private:
  /// True when the walk comes back to the first switch.
  bool go(SwitchId before, SwitchId at) {
    while (!lost_) {
      const SwitchId next = straight_on(before, at);
      if (next.is_none()) return false;
      if (next == first_) return true;
      lost_ = ++length_ > graph_.switch_count();
      before = at;
      at = next;
    }
    return false;
  }

  SwitchId straight_on(SwitchId before, SwitchId at) {
    SwitchId next = SwitchId::none();
    for (const fabric::Neighbor& n : graph_.neighbors(at)) {
      if (n.sw == before || common_neighbors(graph_, before, n.sw) != 1) continue;
      if (!next.is_none()) lost_ = true;
      next = n.sw;
    }
    return lost_ ? SwitchId::none() : next;
  }

  const fabric::SwitchGraph& graph_;
  SwitchId first_, second_;
  std::uint32_t length_ = 2;
  bool lost_ = false;
};

}  // namespace

Attempt<DiscoveredTorus> discover_torus(const fabric::SubFabric& view, const Options& options) {
  auto geometry = Geometry::create(options.radix, options.wraps);
  if (!geometry) return tl::unexpected<EngineFailure>(std::move(geometry.error()));
  auto seeds = find_usable_seeds(view, *geometry, options);
  if (!seeds) return tl::unexpected<EngineFailure>(std::move(seeds.error()));

  const LocatedSeed& seed = seeds->usable.front();
  Placement seeded(view.switch_count(), geometry->size());
  for (const LocatedSeed::Switch& s : seed.switches) seeded.put(s.sw, s.at);
  Placement placement = place_all(view.graph(), *geometry, std::move(seeded));
  if (auto placed = check_placed(view, *geometry, placement); !placed)
    return tl::unexpected<EngineFailure>(seeds->unlinked ? std::move(*seeds->unlinked)
                                                         : std::move(placed.error()));

  auto remarks = std::move(seeds->remarks);
  if (seeds->unlinked) remarks.push_back(seeds->unlinked->message);
  remarks.push_back(fmt::format("seed {} puts {} at {}", seed.number, title(view, seed.switches.front().sw),
                                geometry->name(seed.switches.front().at)));
  auto conflicts = seed_conflicts(*geometry, *seeds, placement);
  for (const SeedConflict& conflict : conflicts)
    remarks.push_back(remark_on(conflict, view, *geometry, seed.number));

  DiscoveredTorus found{Torus(view.graph(), std::move(*geometry), std::move(placement)), seed.number,
                        std::move(conflicts), std::move(remarks)};
  if (auto fits = check_radix(view, found.torus); !fits)
    return tl::unexpected<EngineFailure>(std::move(fits.error()));
  return found;
}

std::array<std::optional<std::uint32_t>, kDimensions> ring_lengths(const fabric::SubFabric& view,
                                                                   const Options& options) {
  std::array<std::optional<std::uint32_t>, kDimensions> lengths;
  const auto geometry = Geometry::create(options.radix, options.wraps);
  if (!geometry) return lengths;
  const auto seeds = find_usable_seeds(view, *geometry, options);
  if (!seeds || options.seeds.empty()) return lengths;
  const Seed& seed = options.seeds[seeds->usable.front().number - 1];
  const auto find = [&](Guid guid) {
    return *view.view_switch(SwitchId(view.fabric().find_node(guid)->value));
  };
  for (std::size_t d = 0; d < kDimensions; ++d) {
    if (geometry->radix(d) == 1) continue;
    if (const auto& link = seed.plus[d] ? seed.plus[d] : seed.minus[d])
      lengths[d] = RingWalk(view.graph(), find(link->from), find(link->to)).length();
  }
  return lengths;
}

}  // namespace rch::engines::torus_2qos
