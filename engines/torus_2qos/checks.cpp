#include "engines/torus_2qos/checks.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "engines/torus_2qos/ring_tables.h"

namespace rch::engines::torus_2qos {
namespace {

/// `0x0002c90200400000 (sw_0_0_0), linked to (1,0,0) and (0,1,0), 4 hosts`.
std::string describe_unplaced(const fabric::SubFabric& view, const Geometry& geometry,
                              const Placement& placement, SwitchId sw) {
  std::vector<std::string> neighbors;
  for (const fabric::Neighbor& n : view.graph().neighbors(sw))
    if (placement.placed(n.sw)) neighbors.push_back(geometry.name(placement.position_of[n.sw.index()]));
  std::ranges::sort(neighbors);
  return fmt::format(
      "{}, {}", title(view, sw),
      neighbors.empty() ? "not linked to any placed switch" : "linked to " + list_some(neighbors, " "));
}

/// Coordinates of dimension d that no switch has.
std::vector<bool> empty_planes(const Torus& torus, std::size_t d) {
  std::vector<bool> empty(torus.geometry().radix(d), true);
  for (const Position p : torus.geometry().positions())
    if (torus.present(p)) empty[torus.geometry().coordinates(p)[d]] = false;
  return empty;
}

/// True when the two positions differ in d only, and only empty planes lie between them.
bool skips_planes(const Geometry& geometry, std::size_t d, const std::vector<bool>& empty, Position a,
                  Position b) {
  if (geometry.ring(d, a) != geometry.ring(d, b)) return false;
  const std::uint32_t n = geometry.radix(d);
  for (const std::uint32_t step : {std::uint32_t{1}, n - 1}) {
    const std::uint32_t next = (geometry.coordinates(a)[d] + step) % n;
    std::uint32_t c = next;
    while (empty[c]) c = (c + step) % n;
    if (c != next && c == geometry.coordinates(b)[d]) return true;
  }
  return false;
}

/// Two switches are a ring of two, whatever the dimension was said to be.
bool is_ring(const Geometry& geometry, std::size_t d) { return geometry.wraps(d) || geometry.radix(d) == 2; }

/// `x ring at y=1`, of an open dimension `x row at y=1`.
std::string ring_name(const Geometry& geometry, std::size_t d, std::size_t ring) {
  const Coordinates& at = geometry.coordinates(geometry.on_ring(d, ring, 0));
  std::vector<std::string> others;
  for (std::size_t e = 0; e < kDimensions; ++e)
    if (e != d && geometry.radix(e) > 1) others.push_back(fmt::format("{}={}", kAxisName[e], at[e]));
  return fmt::format("{} {}{}{}", kAxisName[d], is_ring(geometry, d) ? "ring" : "row",
                     others.empty() ? "" : " at ", fmt::join(others, ", "));
}

}  // namespace

Attempt<void> check_placed(const fabric::SubFabric& view, const Geometry& geometry,
                           const Placement& placement) {
  std::vector<std::string> switches;
  std::vector<Guid> guids;
  std::size_t hosts = 0;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    const SwitchId sw(s);
    if (placement.placed(sw)) continue;
    switches.push_back(describe_unplaced(view, geometry, placement, sw));
    guids.push_back(view.node(sw).guid);
    hosts += view.end_ports_of(sw).size();
  }
  if (switches.empty()) return {};
  const bool too_many = view.switch_count() > geometry.size();
  return refuse("switch-unplaced",
                fmt::format("{} of {} switches, with {}, cannot be placed in the torus {} of {}{}: {}",
                            switches.size(), view.switch_count(), counted(hosts, "end port"), geometry.name(),
                            counted(geometry.size(), "position"),
                            too_many ? ", which is smaller than the fabric" : "", list_some(switches, "; ")),
                std::move(guids));
}

Attempt<void> check_radix(const fabric::SubFabric& view, const Torus& torus) {
  const Geometry& geometry = torus.geometry();
  if (torus.missing_switches().size() > view.switch_count())
    return refuse("radix-mismatch", fmt::format("the torus {} has {} positions, the fabric only {} switches",
                                                geometry.name(), geometry.size(), view.switch_count()));
  std::vector<std::string> links;
  std::vector<Guid> guids;
  for (std::size_t d = 0; d < kDimensions; ++d) {
    if (torus.non_torus_links().empty()) break;
    const auto empty = empty_planes(torus, d);
    if (std::find(empty.begin(), empty.end(), true) == empty.end()) continue;
    for (const Torus::NonTorusLink& link : torus.non_torus_links()) {
      const Position a = torus.position_of(link.a);
      const Position b = torus.position_of(link.b);
      if (!skips_planes(geometry, d, empty, a, b)) continue;
      links.push_back(fmt::format("{} to {} in {}", geometry.name(a), geometry.name(b), kAxisName[d]));
      guids.push_back(view.node(link.a).guid);
      guids.push_back(view.node(link.b).guid);
    }
  }
  if (links.empty()) return {};
  return refuse("radix-mismatch",
                fmt::format("links skip coordinates that no switch has, so the fabric is smaller than the "
                            "torus {}: {}",
                            geometry.name(), list_some(links, ", ")),
                std::move(guids));
}

Attempt<void> check_rings(const fabric::SubFabric& view, const Torus& torus) {
  const Geometry& geometry = torus.geometry();
  std::vector<std::string> rings;
  std::vector<Guid> guids;
  std::size_t rows = 0;
  for (std::size_t d = 0; d < kDimensions; ++d) {
    for (std::size_t ring = 0; ring < geometry.ring_count(d); ++ring) {
      const auto parts = segments(torus, d, ring);
      if (parts.size() < 2) continue;
      std::vector<std::string> names;
      for (const Segment& part : parts) {
        names.push_back(part.first == part.last
                            ? geometry.name(part.first)
                            : fmt::format("{}..{}", geometry.name(part.first), geometry.name(part.last)));
        guids.push_back(view.node(torus.switch_at(part.first)).guid);
      }
      rows += is_ring(geometry, d) ? 0 : 1;
      rings.push_back(fmt::format("the {} in {} segments: {}", ring_name(geometry, d, ring), parts.size(),
                                  list_some(names, " and ")));
    }
  }
  if (rings.empty()) return {};
  std::vector<std::string> broken;
  if (rings.size() > rows)
    broken.push_back(fmt::format("{} {} broken in more than one place", rings.size() - rows,
                                 rings.size() - rows == 1 ? "ring is" : "rings are"));
  if (rows > 0)
    broken.push_back(fmt::format("{} broken", rows == 1 ? "1 row is" : fmt::format("{} rows are", rows)));
  return refuse("ring-disjoint", fmt::format("{}: {}", fmt::join(broken, " and "), list_some(rings, "; ")),
                std::move(guids));
}

}  // namespace rch::engines::torus_2qos
