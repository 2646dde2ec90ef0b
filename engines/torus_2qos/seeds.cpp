#include "engines/torus_2qos/seeds.h"

#include <algorithm>

#include <fmt/format.h>

namespace rch::engines::torus_2qos {
namespace {

/// A switch that a seed names, and where it puts it.
struct Anchor {
  std::string keyword;  ///< link that names it; empty for the seed switch itself
  Guid guid;
  Position at;
};
/// The seed switch first, then its named neighbours.
using Anchors = std::vector<Anchor>;

std::string keyword(Direction way) {
  return fmt::format("{}{}_link", kAxisName[dimension_of(way)], is_up(way) ? 'p' : 'm');
}

const std::optional<SeedLink>& link(const Seed& seed, Direction way) {
  return is_up(way) ? seed.plus[dimension_of(way)] : seed.minus[dimension_of(way)];
}

/// The dateline value counts steps from the seed switch to the origin (torus-2qos 1.3).
Position seed_position(const Lattice& lattice, const Seed& seed) {
  Coordinates c{};
  for (std::size_t d = 0; d < kDimensions; ++d) {
    const auto n = static_cast<std::int64_t>(lattice.radix(d));
    c[d] = static_cast<std::uint16_t>((n - seed.dateline[d] % n) % n);
  }
  return lattice.at(c);
}

/// Where a seed link leads; in a dimension of radix 2 both ways lead to the one other position.
Position far_end(const Lattice& lattice, Position from, Direction way) {
  const Position to = lattice.neighbor(from, way);
  return to.is_none() && lattice.radix(dimension_of(way)) == 2 ? lattice.neighbor(from, opposite(way)) : to;
}

Attempt<void> check_complete(const Lattice& lattice, const Seed& seed, std::size_t number) {
  for (std::size_t d = 0; d < kDimensions; ++d) {
    if (lattice.radix(d) == 1) continue;
    if (!seed.plus[d] && !seed.minus[d])
      return refuse("seed-incomplete",
                    fmt::format("seed {} has neither `{}` nor `{}`, and {} has radix {}", number,
                                keyword(up(d)), keyword(down(d)), kAxisName[d], lattice.radix(d)));
    if (lattice.looped(d) && lattice.radix(d) == 4 && (!seed.plus[d] || !seed.minus[d]))
      return refuse("seed-incomplete",
                    fmt::format("seed {} has no `{}`: a looped dimension of radix 4 needs the links in both "
                                "directions",
                                number, keyword(seed.plus[d] ? down(d) : up(d))));
  }
  return {};
}

/// One switch, one place: also within a seed.
Attempt<void> check_distinct(const Lattice& lattice, const Anchors& anchors, std::size_t number) {
  for (auto a = anchors.begin(); a != anchors.end(); ++a) {
    for (auto b = anchors.begin(); b != a; ++b) {
      if ((a->guid == b->guid) == (a->at == b->at)) continue;
      return refuse("seed-conflict",
                    fmt::format("seed {} puts {} at {} and {} at {}", number, b->guid, lattice.name(b->at),
                                a->guid, lattice.name(a->at)),
                    {b->guid, a->guid});
    }
  }
  return {};
}

/// Positions of the switches that a seed names, judged without the fabric (torus-2qos 1.4).
Attempt<Anchors> read_seed(const Lattice& lattice, const Seed& seed, std::size_t number) {
  if (auto complete = check_complete(lattice, seed, number); !complete)
    return tl::unexpected<EngineFailure>(std::move(complete.error()));

  Anchors anchors;
  const Position centre = seed_position(lattice, seed);
  for (std::uint8_t w = 0; w < kDirections; ++w) {
    const Direction way(w);
    const auto& named = link(seed, way);
    if (!named || lattice.radix(dimension_of(way)) == 1) continue;
    if (anchors.empty()) anchors.push_back({"", named->from, centre});
    if (named->from != anchors.front().guid)
      return refuse(
          "seed-split",
          fmt::format("`{}` of seed {} starts at {}, another of its links at {}: all links of a seed "
                      "start at one switch",
                      keyword(way), number, named->from, anchors.front().guid),
          {named->from, anchors.front().guid});
    const Position to = far_end(lattice, centre, way);
    if (to.is_none())
      return refuse("seed-beyond-border",
                    fmt::format("`{}` of seed {} leads out of the open dimension {}: its switch {} has "
                                "coordinates {}, which `{}_dateline` moves",
                                keyword(way), number, kAxisName[dimension_of(way)], named->from,
                                lattice.name(centre), kAxisName[dimension_of(way)]),
                    {named->from});
    anchors.push_back({keyword(way), named->to, to});
  }
  if (auto distinct = check_distinct(lattice, anchors, number); !distinct)
    return tl::unexpected<EngineFailure>(std::move(distinct.error()));
  return anchors;
}

/// The view's switch of that GUID.
Attempt<SwitchId> find_switch(const fabric::SubFabric& view, Guid guid, std::size_t number) {
  const fabric::Fabric& fabric = view.fabric();
  const auto node = fabric.find_node(guid);
  if (!node)
    return refuse("seed-absent", fmt::format("seed {} names {}, which is not in the fabric", number, guid),
                  {guid});
  const auto global = fabric.switch_id(*node);
  if (!global)
    return refuse("seed-no-switch",
                  fmt::format("seed {} names `{}` ({}), which is no switch", number,
                              fabric.node(*node).description, guid),
                  {guid});
  const auto sw = view.view_switch(*global);
  if (!sw)
    return refuse("seed-absent",
                  fmt::format("seed {} names `{}` ({}), which is outside the switches of this step", number,
                              fabric.node(*node).description, guid),
                  {guid});
  return *sw;
}

bool adjacent(const fabric::SubFabric& view, SwitchId a, SwitchId b) {
  const auto around = view.graph().neighbors(a);
  return std::any_of(around.begin(), around.end(), [&](const fabric::Neighbor& n) { return n.sw == b; });
}

/// Finds the switches of a seed, if the fabric has them linked as the seed says; unless `whole`, one way in
/// every dimension.
Attempt<SettledSeed> settle(const fabric::SubFabric& view, const Anchors& anchors, std::size_t number,
                            bool whole) {
  SettledSeed seed{number, {}};
  for (const Anchor& anchor : anchors) {
    const auto sw = find_switch(view, anchor.guid, number);
    if (!sw) return tl::unexpected<EngineFailure>(sw.error());
    seed.anchors.push_back({*sw, anchor.at});
  }
  const SwitchId centre = seed.anchors.front().sw;
  const auto holds = [&](std::size_t i) { return adjacent(view, centre, seed.anchors[i].sw); };
  const auto borne = [&](char axis) {
    for (std::size_t i = 1; i < anchors.size(); ++i)
      if (anchors[i].keyword.front() == axis && holds(i)) return true;
    return false;
  };
  for (std::size_t i = 1; i < anchors.size(); ++i) {
    if (holds(i) || (!whole && borne(anchors[i].keyword.front()))) continue;
    return refuse("seed-not-neighbours",
                  fmt::format("`{}` of seed {} names {} and {}, which have no link", anchors[i].keyword,
                              number, title(view, centre), title(view, seed.anchors[i].sw)),
                  {anchors.front().guid, anchors[i].guid});
  }
  return seed;
}

/// Those that the fabric has, or why there is none.
Attempt<Anchorage> settle_all(const fabric::SubFabric& view, const std::vector<Anchors>& seeds, bool whole) {
  Anchorage anchorage;
  std::vector<EngineFailure> unusable;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    if (auto settled = settle(view, seeds[i], i + 1, whole)) {
      anchorage.usable.push_back(std::move(*settled));
    } else {
      unusable.push_back(std::move(settled.error()));
      if (anchorage.usable.empty()) anchorage.remarks.push_back(unusable.back().message);
    }
  }
  if (!anchorage.usable.empty()) return anchorage;

  std::vector<Guid> guids;
  for (const EngineFailure& failure : unusable)
    guids.insert(guids.end(), failure.guids.begin(), failure.guids.end());
  return refuse(unusable.front().rule, list_some(anchorage.remarks, "; "), std::move(guids));
}

/// A torus of one position needs no seed: its one switch has nowhere else to be.
Attempt<Anchorage> single_position(const fabric::SubFabric& view) {
  if (view.switch_count() == 0) return refuse("seed-absent", "there is no switch to route");
  return Anchorage{{SettledSeed{1, {{SwitchId(0), Position(0)}}}}, {}};
}

/// Coordinates of `to` seen from `from`, each from 0 to radix - 1.
Coordinates offset(const Lattice& lattice, Position from, Position to) {
  Coordinates c{};
  for (std::size_t d = 0; d < kDimensions; ++d) {
    const std::uint32_t n = lattice.radix(d);
    c[d] = static_cast<std::uint16_t>((lattice.coordinates(to)[d] + n - lattice.coordinates(from)[d]) % n);
  }
  return c;
}

/// Datelines with which the seed puts all its switches where they stand.
std::optional<std::array<std::int32_t, kDimensions>> matching_datelines(const Lattice& lattice,
                                                                        const SettledSeed& seed,
                                                                        const Placement& placement) {
  const SettledSeed::Anchor& centre = seed.anchors.front();
  const Position real = placement.position_of[centre.sw.index()];
  for (const SettledSeed::Anchor& a : seed.anchors)
    if (offset(lattice, centre.at, a.at) != offset(lattice, real, placement.position_of[a.sw.index()]))
      return std::nullopt;
  std::array<std::int32_t, kDimensions> datelines{};
  for (std::size_t d = 0; d < kDimensions; ++d) datelines[d] = -lattice.coordinates(real)[d];
  return datelines;
}

}  // namespace

Attempt<Anchorage> anchor(const fabric::SubFabric& view, const Lattice& lattice, const Options& options) {
  if (lattice.size() == 1) return single_position(view);
  if (options.seeds.empty()) return refuse("seed-incomplete", "no seed is configured");

  std::vector<Anchors> seeds;
  for (const Seed& seed : options.seeds) {
    auto anchors = read_seed(lattice, seed, seeds.size() + 1);
    if (!anchors) return tl::unexpected<EngineFailure>(std::move(anchors.error()));
    seeds.push_back(std::move(*anchors));
  }

  auto whole = settle_all(view, seeds, true);
  if (whole) return whole;
  auto borne = settle_all(view, seeds, false);  // cables fail, and a seed may be the only one
  return borne ? borne : whole;
}

std::vector<Contradiction> contradictions(const Lattice& lattice, const Anchorage& anchorage,
                                          const Placement& placement) {
  std::vector<Contradiction> found;
  for (const SettledSeed& seed : anchorage.usable) {
    const auto odd = std::find_if(
        seed.anchors.begin(), seed.anchors.end(),
        [&](const SettledSeed::Anchor& a) { return placement.position_of[a.sw.index()] != a.at; });
    if (odd == seed.anchors.end()) continue;
    found.push_back({seed.number, odd->sw, odd->at, placement.position_of[odd->sw.index()],
                     matching_datelines(lattice, seed, placement)});
  }
  return found;
}

}  // namespace rch::engines::torus_2qos
