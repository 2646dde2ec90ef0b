#include "engines/torus_2qos/torus.h"

#include <algorithm>

namespace rch::engines::torus_2qos {

Torus::Torus(const fabric::SwitchGraph& graph, Geometry geometry, Placement placement)
    : geometry_(std::move(geometry)), placement_(std::move(placement)) {
  begin_.reserve(geometry_.size() * kDirections + 1);
  ports_.reserve(graph.link_ends());
  for (const Position p : geometry_.positions()) {
    const SwitchId sw = switch_at(p);
    std::array<const fabric::Neighbor*, kDirections> adjacent{};
    if (sw.is_none()) {
      missing_switches_.push_back(p);
    } else {
      for (const fabric::Neighbor& n : graph.neighbors(sw)) {
        if (!placement_.placed(n.sw)) continue;
        const Direction direction = geometry_.direction_to(p, position_of(n.sw));
        if (!direction.is_none()) {
          adjacent[direction.index()] = &n;
        } else if (sw < n.sw) {
          non_torus_links_.push_back({sw, n.sw});
        }
      }
    }
    for (const Direction direction : kAllDirections) {
      begin_.push_back(static_cast<std::uint32_t>(ports_.size()));
      if (const auto* n = adjacent[direction.index()]) append(graph, *n, direction);
    }
  }
  begin_.push_back(static_cast<std::uint32_t>(ports_.size()));
}

std::vector<bool> Torus::damaged_planes() const {
  std::vector<bool> damaged(geometry_.radix(geometry_.trunk()));
  for (const Position p : missing_switches_) damaged[geometry_.plane(p)] = true;
  return damaged;
}

std::vector<Torus::MissingLink> Torus::missing_links() const {
  std::vector<MissingLink> found;
  for (const Position p : geometry_.positions())
    for (std::size_t d = 0; d < kDimensions; ++d) {
      const Position next = geometry_.neighbor(p, plus(d));
      if (!next.is_none() && present(p) && present(next) && !linked(p, plus(d)))
        found.push_back({p, plus(d)});
    }
  return found;
}

void Torus::append(const fabric::SwitchGraph& graph, const fabric::Neighbor& neighbor, Direction direction) {
  const auto links = graph.links(neighbor);
  if (links.size() == 1) return ports_.push_back(links.front().out);
  has_parallel_links_ = true;
  std::vector<fabric::SwitchLink> sorted(links.begin(), links.end());
  std::ranges::sort(sorted, {}, is_plus(direction) ? &fabric::SwitchLink::out : &fabric::SwitchLink::in);
  for (const fabric::SwitchLink& link : sorted) ports_.push_back(link.out);
}

}  // namespace rch::engines::torus_2qos
