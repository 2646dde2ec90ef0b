#include "engines/torus_2qos/survey.h"

#include <algorithm>

#include <fmt/format.h>

#include "engines/torus_2qos/checks.h"

namespace rch::engines::torus_2qos {
namespace {

std::string remark(const fabric::SubFabric& view, const Lattice& lattice, const Contradiction& odd,
                   std::size_t used) {
  return fmt::format("seed {} puts {} at {}, seed {} at {}: service levels would change with the seed",
                     odd.seed, title(view, odd.sw), lattice.name(odd.seen), used, lattice.name(odd.real));
}

std::size_t common_neighbors(const fabric::SwitchGraph& graph, SwitchId a, SwitchId b) {
  const auto of_b = graph.neighbors(b);
  std::size_t count = 0;
  for (const fabric::Neighbor& n : graph.neighbors(a))
    if (std::any_of(of_b.begin(), of_b.end(), [&](const fabric::Neighbor& m) { return m.sw == n.sw; }))
      ++count;
  return count;
}

/// The walk along one dimension. A turn closes a square with the step before it, going straight on does not.
class Walk {
 public:
  Walk(const fabric::SwitchGraph& graph, SwitchId first, SwitchId second)
      : graph_(graph), first_(first), second_(second) {}

  std::optional<std::uint32_t> length() {
    if (go(first_, second_) || lost_) return lost_ ? std::nullopt : std::optional(length_);
    go(second_, first_);  // an open row: the other way too
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

Attempt<Survey> survey(const fabric::SubFabric& view, const Options& options) {
  auto lattice = Lattice::create(options.radix, options.wraps);
  if (!lattice) return tl::unexpected<EngineFailure>(std::move(lattice.error()));
  auto anchorage = anchor(view, *lattice, options);
  if (!anchorage) return tl::unexpected<EngineFailure>(std::move(anchorage.error()));

  const SettledSeed& seed = anchorage->usable.front();
  Placement seeded(view.switch_count(), lattice->size());
  for (const SettledSeed::Anchor& a : seed.anchors) seeded.put(a.sw, a.at);
  Placement placement = place_all(view.graph(), *lattice, std::move(seeded));
  if (auto placed = check_placed(view, *lattice, placement); !placed)
    return tl::unexpected<EngineFailure>(std::move(placed.error()));

  auto remarks = std::move(anchorage->remarks);
  remarks.push_back(fmt::format("seed {} puts {} at {}", seed.number, title(view, seed.anchors.front().sw),
                                lattice->name(seed.anchors.front().at)));
  auto odd = contradictions(*lattice, *anchorage, placement);
  for (const Contradiction& one : odd) remarks.push_back(remark(view, *lattice, one, seed.number));

  Survey found{Torus(view.graph(), std::move(*lattice), std::move(placement)), seed.number, std::move(odd),
               std::move(remarks)};
  if (auto fits = check_radix(view, found.torus); !fits)
    return tl::unexpected<EngineFailure>(std::move(fits.error()));
  return found;
}

std::array<std::optional<std::uint32_t>, kDimensions> ring_lengths(const fabric::SubFabric& view,
                                                                   const Options& options) {
  std::array<std::optional<std::uint32_t>, kDimensions> lengths;
  const auto lattice = Lattice::create(options.radix, options.wraps);
  if (!lattice) return lengths;
  const auto anchorage = anchor(view, *lattice, options);
  if (!anchorage || options.seeds.empty()) return lengths;
  const Seed& seed = options.seeds[anchorage->usable.front().number - 1];
  const auto find = [&](Guid guid) {
    return *view.view_switch(SwitchId(view.fabric().find_node(guid)->value));
  };
  for (std::size_t d = 0; d < kDimensions; ++d) {
    if (lattice->radix(d) == 1) continue;
    if (const auto& link = seed.plus[d] ? seed.plus[d] : seed.minus[d])
      lengths[d] = Walk(view.graph(), find(link->from), find(link->to)).length();
  }
  return lengths;
}

}  // namespace rch::engines::torus_2qos
