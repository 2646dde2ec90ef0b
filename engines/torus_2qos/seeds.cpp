#include "engines/torus_2qos/seeds.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "engines/torus_2qos/seed_positions.h"

namespace rch::engines::torus_2qos {
namespace {

Attempt<SwitchId> find_switch(const fabric::SubFabric& view, Guid guid, std::size_t number) {
  const fabric::Fabric& fabric = view.fabric();
  const auto node = fabric.find_node(guid);
  if (!node)
    return refuse("seed-absent", fmt::format("seed {} names {}, which is not in the fabric", number, guid),
                  {guid});
  const auto global = fabric.switch_id(*node);
  if (!global)
    return refuse(
        "seed-no-switch",
        fmt::format("seed {} names `{}` ({}), which is no switch", number, fabric.node(*node).name(), guid),
        {guid});
  const auto sw = view.view_switch(*global);
  if (!sw)
    return refuse("seed-absent",
                  fmt::format("seed {} names `{}` ({}), which is outside the switches of this step", number,
                              fabric.node(*node).name(), guid),
                  {guid});
  return *sw;
}

bool adjacent(const fabric::SubFabric& view, SwitchId a, SwitchId b) {
  const auto around = view.graph().neighbors(a);
  return std::any_of(around.begin(), around.end(), [&](const fabric::Neighbor& n) { return n.sw == b; });
}

/// Links of a seed that the fabric must have.
enum class SeedLinks : std::uint8_t {
  all,
  one_per_dimension,
  none,  ///< the switches that they name stand where they say
};

/// Finds the switches of a seed in the fabric. Fails when one of them is missing, or a link that is required.
Attempt<LocatedSeed> locate(const fabric::SubFabric& view, const SeedSwitches& named, std::size_t number,
                            SeedLinks required) {
  LocatedSeed seed{number, {}};
  for (const SeedSwitch& one : named) {
    const auto sw = find_switch(view, one.guid, number);
    if (!sw) return tl::unexpected<EngineFailure>(sw.error());
    seed.switches.push_back({*sw, one.at});
  }
  const SwitchId center = seed.switches.front().sw;
  const auto is_linked = [&](std::size_t i) { return adjacent(view, center, seed.switches[i].sw); };
  const auto is_axis_linked = [&](char axis) {
    for (std::size_t i = 1; i < named.size(); ++i)
      if (named[i].keyword.front() == axis && is_linked(i)) return true;
    return false;
  };
  for (std::size_t i = 1; i < named.size(); ++i) {
    if (is_linked(i) || required == SeedLinks::none ||
        (required == SeedLinks::one_per_dimension && is_axis_linked(named[i].keyword.front())))
      continue;
    return refuse("seed-not-neighbours",
                  fmt::format("`{}` of seed {} names {} and {}, which have no link", named[i].keyword, number,
                              title(view, center), title(view, seed.switches[i].sw)),
                  {named.front().guid, named[i].guid});
  }
  return seed;
}

/// Seeds that the fabric has, or why there is none.
Attempt<UsableSeeds> locate_all(const fabric::SubFabric& view, std::span<const SeedSwitches> seeds,
                                SeedLinks required) {
  UsableSeeds located;
  std::vector<EngineFailure> unusable;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    if (auto seed = locate(view, seeds[i], i + 1, required)) {
      located.usable.push_back(std::move(*seed));
    } else {
      unusable.push_back(std::move(seed.error()));
      if (located.usable.empty()) located.remarks.push_back(unusable.back().message);
    }
  }
  if (!located.usable.empty()) return located;

  std::vector<Guid> guids;
  for (const EngineFailure& failure : unusable)
    guids.insert(guids.end(), failure.guids.begin(), failure.guids.end());
  return refuse(unusable.front().rule, list_some(located.remarks, "; "), std::move(guids));
}

/// A torus of one position needs no seed.
Attempt<UsableSeeds> single_position(const fabric::SubFabric& view) {
  if (view.switch_count() == 0) return refuse("seed-absent", "there is no switch to route");
  return UsableSeeds{{LocatedSeed{1, {{SwitchId(0), Position(0)}}}}, {}, {}};
}

/// Offset of `to` from `from`, each coordinate from 0 to radix - 1.
Coordinates offset(const Geometry& geometry, Position from, Position to) {
  Coordinates c{};
  for (std::size_t d = 0; d < kDimensions; ++d) {
    const std::uint32_t n = geometry.radix(d);
    c[d] = static_cast<std::uint16_t>((geometry.coordinates(to)[d] + n - geometry.coordinates(from)[d]) % n);
  }
  return c;
}

/// Datelines with which the seed puts all its switches at their actual positions.
std::optional<std::array<std::int32_t, kDimensions>> matching_datelines(const Geometry& geometry,
                                                                        const LocatedSeed& seed,
                                                                        const Placement& placement) {
  const LocatedSeed::Switch& center = seed.switches.front();
  const Position actual = placement.position_of[center.sw.index()];
  for (const LocatedSeed::Switch& s : seed.switches)
    if (offset(geometry, center.at, s.at) != offset(geometry, actual, placement.position_of[s.sw.index()]))
      return std::nullopt;
  std::array<std::int32_t, kDimensions> datelines{};
  for (std::size_t d = 0; d < kDimensions; ++d) datelines[d] = -geometry.coordinates(actual)[d];
  return datelines;
}

}  // namespace

Attempt<UsableSeeds> find_usable_seeds(const fabric::SubFabric& view, const Geometry& geometry,
                                       const Options& options) {
  if (geometry.size() == 1) return single_position(view);
  if (options.seeds.empty()) return refuse("seed-incomplete", "no seed is configured");
  const auto seeds = position_seeds(geometry, options.seeds);
  if (!seeds) return tl::unexpected<EngineFailure>(seeds.error());
  auto complete = locate_all(view, *seeds, SeedLinks::all);
  if (complete) return complete;
  // Cables fail, and a seed may be the only one.
  if (auto partial = locate_all(view, *seeds, SeedLinks::one_per_dimension)) return partial;
  auto unlinked = locate_all(view, *seeds, SeedLinks::none);
  if (!unlinked) return complete;
  unlinked->unlinked = std::move(complete.error());
  return unlinked;
}

std::vector<SeedConflict> seed_conflicts(const Geometry& geometry, const UsableSeeds& seeds,
                                         const Placement& placement) {
  std::vector<SeedConflict> found;
  for (const LocatedSeed& seed : seeds.usable) {
    const auto odd = std::ranges::find_if(seed.switches, [&](const LocatedSeed::Switch& s) {
      return placement.position_of[s.sw.index()] != s.at;
    });
    if (odd == seed.switches.end()) continue;
    found.push_back({seed.number, odd->sw, odd->at, placement.position_of[odd->sw.index()],
                     matching_datelines(geometry, seed, placement)});
  }
  return found;
}

}  // namespace rch::engines::torus_2qos
