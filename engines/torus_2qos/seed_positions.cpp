#include "engines/torus_2qos/seed_positions.h"

#include <fmt/format.h>

namespace rch::engines::torus_2qos {
namespace {

std::string keyword(Direction direction) {
  return fmt::format("{}{}_link", kAxisName[dimension_of(direction)], is_plus(direction) ? 'p' : 'm');
}

const std::optional<SeedLink>& link(const Seed& seed, Direction direction) {
  return is_plus(direction) ? seed.plus[dimension_of(direction)] : seed.minus[dimension_of(direction)];
}

/// The dateline value counts steps from the seed switch to the origin (torus-2QoS.conf(5)).
Position seed_position(const Geometry& geometry, const Seed& seed) {
  Coordinates c{};
  for (std::size_t d = 0; d < kDimensions; ++d) {
    const auto n = static_cast<std::int64_t>(geometry.radix(d));
    c[d] = static_cast<std::uint16_t>((n - seed.dateline[d] % n) % n);
  }
  return geometry.at(c);
}

/// Position that a seed link leads to. With radix 2, both directions lead to the one other position.
Position far_end(const Geometry& geometry, Position from, Direction direction) {
  const Position to = geometry.neighbor(from, direction);
  return to.is_none() && geometry.radix(dimension_of(direction)) == 2
             ? geometry.neighbor(from, opposite(direction))
             : to;
}

Attempt<void> check_complete(const Geometry& geometry, const Seed& seed, std::size_t number) {
  for (std::size_t d = 0; d < kDimensions; ++d) {
    if (geometry.radix(d) == 1) continue;
    if (!seed.plus[d] && !seed.minus[d])
      return refuse("seed-incomplete",
                    fmt::format("seed {} has neither `{}` nor `{}`, and {} has radix {}", number,
                                keyword(plus(d)), keyword(minus(d)), kAxisName[d], geometry.radix(d)));
    if (geometry.wraps(d) && geometry.radix(d) == 4 && (!seed.plus[d] || !seed.minus[d]))
      return refuse("seed-incomplete",
                    fmt::format("seed {} has no `{}`: a looped dimension of radix 4 needs the links in both "
                                "directions",
                                number, keyword(seed.plus[d] ? minus(d) : plus(d))));
  }
  return {};
}

/// Fails when a seed puts one switch at two positions, or two switches at one.
Attempt<void> check_distinct(const Geometry& geometry, const SeedSwitches& switches, std::size_t number) {
  for (auto a = switches.begin(); a != switches.end(); ++a) {
    for (auto b = switches.begin(); b != a; ++b) {
      if ((a->guid == b->guid) == (a->at == b->at)) continue;
      return refuse("seed-conflict",
                    fmt::format("seed {} puts {} at {} and {} at {}", number, b->guid, geometry.name(b->at),
                                a->guid, geometry.name(a->at)),
                    {b->guid, a->guid});
    }
  }
  return {};
}

Attempt<SeedSwitches> position_seed(const Geometry& geometry, const Seed& seed, std::size_t number) {
  if (auto complete = check_complete(geometry, seed, number); !complete)
    return tl::unexpected<EngineFailure>(std::move(complete.error()));

  SeedSwitches switches;
  const Position center = seed_position(geometry, seed);
  for (const Direction direction : kAllDirections) {
    const auto& named = link(seed, direction);
    if (!named || geometry.radix(dimension_of(direction)) == 1) continue;
    if (switches.empty()) switches.push_back({"", named->from, center});
    if (named->from != switches.front().guid)
      return refuse(
          "seed-split",
          fmt::format("`{}` of seed {} starts at {}, another of its links at {}: all links of a seed "
                      "start at one switch",
                      keyword(direction), number, named->from, switches.front().guid),
          {named->from, switches.front().guid});
    const Position to = far_end(geometry, center, direction);
    if (to.is_none())
      return refuse("seed-beyond-border",
                    fmt::format("`{}` of seed {} leads out of the open dimension {}: its switch {} has "
                                "coordinates {}, which `{}_dateline` moves",
                                keyword(direction), number, kAxisName[dimension_of(direction)], named->from,
                                geometry.name(center), kAxisName[dimension_of(direction)]),
                    {named->from});
    switches.push_back({keyword(direction), named->to, to});
  }
  if (auto distinct = check_distinct(geometry, switches, number); !distinct)
    return tl::unexpected<EngineFailure>(std::move(distinct.error()));
  return switches;
}

}  // namespace

Attempt<std::vector<SeedSwitches>> position_seeds(const Geometry& geometry, std::span<const Seed> seeds) {
  std::vector<SeedSwitches> positioned;
  for (const Seed& seed : seeds) {
    auto switches = position_seed(geometry, seed, positioned.size() + 1);
    if (!switches) return tl::unexpected<EngineFailure>(std::move(switches.error()));
    positioned.push_back(std::move(*switches));
  }
  return positioned;
}

}  // namespace rch::engines::torus_2qos
