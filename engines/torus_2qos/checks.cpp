#include "engines/torus_2qos/checks.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engines/torus_2qos/ring_tables.h"

namespace rch::engines::torus_2qos {
namespace {

/// `0x0002c90200400000 (sw_0_0_0), linked to (1,0,0) and (0,1,0), 4 hosts`.
std::string describe_unplaced(const fabric::SubFabric& view, const Lattice& lattice,
                              const Placement& placement, SwitchId sw) {
  std::vector<std::string> around;
  for (const fabric::Neighbor& n : view.graph().neighbors(sw))
    if (placement.placed(n.sw)) around.push_back(lattice.name(placement.position_of[n.sw.index()]));
  std::sort(around.begin(), around.end());
  return fmt::format(
      "{}, {}", title(view, sw),
      around.empty() ? "not linked to any placed switch" : "linked to " + list_some(around, " "));
}

/// Coordinates of dimension d that no switch has.
std::vector<bool> empty_slabs(const Torus& torus, std::size_t d) {
  std::vector<bool> empty(torus.lattice().radix(d), true);
  for (std::size_t p = 0; p < torus.lattice().size(); ++p) {
    const Position at(static_cast<std::uint16_t>(p));
    if (torus.present(at)) empty[torus.lattice().coordinates(at)[d]] = false;
  }
  return empty;
}

/// True when the two positions differ in d only and at least one empty slab, but nothing else, lies between
/// them.
bool leaps(const Lattice& lattice, std::size_t d, const std::vector<bool>& empty, Position a, Position b) {
  if (lattice.ring(d, a) != lattice.ring(d, b)) return false;
  const std::uint32_t n = lattice.radix(d);
  for (const std::uint32_t step : {std::uint32_t{1}, n - 1}) {
    const std::uint32_t next = (lattice.coordinates(a)[d] + step) % n;
    std::uint32_t c = next;
    while (empty[c]) c = (c + step) % n;
    if (c != next && c == lattice.coordinates(b)[d]) return true;
  }
  return false;
}

/// `x ring at y=1`.
std::string ring_name(const Lattice& lattice, std::size_t d, std::size_t ring) {
  const Coordinates& at = lattice.coordinates(lattice.on_ring(d, ring, 0));
  std::vector<std::string> others;
  for (std::size_t e = 0; e < kDimensions; ++e)
    if (e != d && lattice.radix(e) > 1) others.push_back(fmt::format("{}={}", kAxisName[e], at[e]));
  return fmt::format("{} ring{}{}", kAxisName[d], others.empty() ? "" : " at ", fmt::join(others, ", "));
}

}  // namespace

Attempt<void> check_placed(const fabric::SubFabric& view, const Lattice& lattice,
                           const Placement& placement) {
  std::vector<std::string> switches;
  std::vector<Guid> guids;
  std::size_t hosts = 0;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    const SwitchId sw(s);
    if (placement.placed(sw)) continue;
    switches.push_back(describe_unplaced(view, lattice, placement, sw));
    guids.push_back(view.node(sw).guid);
    hosts += view.end_ports_of(sw).size();
  }
  if (switches.empty()) return {};
  const bool too_many = view.switch_count() > lattice.size();
  return refuse("switch-unplaced",
                fmt::format("{} of {} switches, with {}, cannot be placed in the torus {} of {}{}: {}",
                            switches.size(), view.switch_count(), counted(hosts, "end port"), lattice.name(),
                            counted(lattice.size(), "position"),
                            too_many ? ", which is smaller than the fabric" : "", list_some(switches, "; ")),
                std::move(guids));
}

Attempt<void> check_radix(const fabric::SubFabric& view, const Torus& torus) {
  const Lattice& lattice = torus.lattice();
  if (torus.missing().size() > view.switch_count())
    return refuse("radix-mismatch", fmt::format("the torus {} has {} positions, the fabric only {} switches",
                                                lattice.name(), lattice.size(), view.switch_count()));
  std::vector<std::string> links;
  std::vector<Guid> guids;
  for (std::size_t d = 0; d < kDimensions; ++d) {
    if (torus.strays().empty()) break;
    const auto empty = empty_slabs(torus, d);
    if (std::find(empty.begin(), empty.end(), true) == empty.end()) continue;
    for (const Torus::Stray& stray : torus.strays()) {
      const Position a = torus.placement().position_of[stray.a.index()];
      const Position b = torus.placement().position_of[stray.b.index()];
      if (!leaps(lattice, d, empty, a, b)) continue;
      links.push_back(fmt::format("{} to {} in {}", lattice.name(a), lattice.name(b), kAxisName[d]));
      guids.push_back(view.node(stray.a).guid);
      guids.push_back(view.node(stray.b).guid);
    }
  }
  if (links.empty()) return {};
  return refuse(
      "radix-mismatch",
      fmt::format("links lead past coordinates that no switch has, so the fabric is smaller than the "
                  "torus {}: {}",
                  lattice.name(), list_some(links, ", ")),
      std::move(guids));
}

Attempt<void> check_rings(const fabric::SubFabric& view, const Torus& torus) {
  const Lattice& lattice = torus.lattice();
  std::vector<std::string> rings;
  std::vector<Guid> guids;
  for (std::size_t d = 0; d < kDimensions; ++d) {
    for (std::size_t ring = 0; ring < lattice.ring_count(d); ++ring) {
      const auto parts = segments(torus, d, ring);
      if (parts.size() < 2) continue;
      std::vector<std::string> names;
      for (const Segment& part : parts) {
        names.push_back(part.first == part.last
                            ? lattice.name(part.first)
                            : fmt::format("{}..{}", lattice.name(part.first), lattice.name(part.last)));
        guids.push_back(view.node(torus.placement().switch_at[part.first.index()]).guid);
      }
      rings.push_back(fmt::format("the {} in {} segments: {}", ring_name(lattice, d, ring), parts.size(),
                                  list_some(names, " and ")));
    }
  }
  if (rings.empty()) return {};
  return refuse("ring-disjoint",
                fmt::format("{} {} broken in more than one place: {}", rings.size(),
                            rings.size() == 1 ? "ring is" : "rings are", list_some(rings, "; ")),
                std::move(guids));
}

}  // namespace rch::engines::torus_2qos
