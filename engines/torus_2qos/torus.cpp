#include "engines/torus_2qos/torus.h"

#include <algorithm>

namespace rch::engines::torus_2qos {

Torus::Torus(const fabric::SwitchGraph& graph, Lattice lattice, Placement placement)
    : lattice_(std::move(lattice)), placement_(std::move(placement)) {
  begin_.reserve(lattice_.size() * kDirections + 1);
  ports_.reserve(graph.link_ends());
  for (std::size_t i = 0; i < lattice_.size(); ++i) {
    const Position p(static_cast<std::uint16_t>(i));
    const SwitchId sw = placement_.switch_at[i];
    std::array<const fabric::Neighbor*, kDirections> around{};
    if (sw.is_none()) {
      missing_.push_back(p);
    } else {
      for (const fabric::Neighbor& n : graph.neighbors(sw)) {
        if (!placement_.placed(n.sw)) continue;
        const Direction way = lattice_.direction(p, placement_.position_of[n.sw.index()]);
        if (!way.is_none()) {
          around[way.index()] = &n;
        } else if (sw < n.sw) {
          strays_.push_back({sw, n.sw});
        }
      }
    }
    for (std::uint8_t way = 0; way < kDirections; ++way) {
      begin_.push_back(static_cast<std::uint32_t>(ports_.size()));
      if (around[way] != nullptr) append(graph, *around[way], Direction(way));
    }
  }
  begin_.push_back(static_cast<std::uint32_t>(ports_.size()));
}

std::vector<Torus::Gap> Torus::gaps() const {
  std::vector<Gap> found;
  for (std::size_t i = 0; i < lattice_.size(); ++i) {
    const Position p(static_cast<std::uint16_t>(i));
    for (std::size_t d = 0; d < kDimensions; ++d) {
      const Position next = lattice_.neighbor(p, up(d));
      if (!next.is_none() && present(p) && present(next) && !linked(p, up(d))) found.push_back({p, up(d)});
    }
  }
  return found;
}

void Torus::append(const fabric::SwitchGraph& graph, const fabric::Neighbor& neighbor, Direction way) {
  const auto links = graph.links(neighbor);
  if (links.size() == 1) return ports_.push_back(links.front().out);
  parallel_ = true;
  std::vector<fabric::SwitchLink> cables(links.begin(), links.end());
  std::sort(cables.begin(), cables.end(), [&](const fabric::SwitchLink& a, const fabric::SwitchLink& b) {
    return is_up(way) ? a.out < b.out : a.in < b.in;
  });
  for (const fabric::SwitchLink& cable : cables) ports_.push_back(cable.out);
}

}  // namespace rch::engines::torus_2qos
