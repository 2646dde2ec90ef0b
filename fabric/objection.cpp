#include <algorithm>

#include "fabric/assemble.h"
#include "fabric/galois_field.h"
#include "fabric/grid_index.h"

namespace rch::fabric {
namespace {

constexpr std::uint64_t kMaxSwitches = 49151;  // each needs a LID

std::string too_many(std::uint64_t switches) {
  return switches <= kMaxSwitches ? std::string()
                                  : fmt::format("{} switches are more than there are LIDs", switches);
}

std::string group_objection(std::uint64_t groups, std::uint64_t group_size, std::uint64_t global_links) {
  if (groups < 2 || group_size == 0) return "a dragonfly needs two groups with switches";
  if (global_links + 1 < groups)
    return fmt::format("{} global links of a group do not reach {} other groups", global_links, groups - 1);
  return too_many(groups * group_size);
}

struct Objection {
  std::string operator()(const Grid& grid) const {
    if (grid.dimensions.empty() || grid.dimensions.size() > 3)
      return fmt::format("a grid has 1-3 dimensions, not {}", grid.dimensions.size());
    for (const Grid::Dimension& d : grid.dimensions)
      if (d.radix == 0 || d.radix > kMaxSwitches) return fmt::format("{} is no radix", d.radix);
    return too_many(GridIndex(grid).size());
  }
  std::string operator()(const Hypercube& cube) const {
    if (cube.dimensions < 1 || cube.dimensions > 15)
      return fmt::format("a hypercube has 1-15 dimensions, not {}", cube.dimensions);
    return {};
  }
  std::string operator()(const HyperX& hyperx) const {
    if (hyperx.widths.empty() || std::ranges::count(hyperx.widths, 0U) != 0)
      return "a HyperX needs dimensions of width 1 or more";
    std::uint64_t count = 1;
    for (const std::uint32_t width : hyperx.widths) count = std::min(count * width, std::uint64_t{1} << 40);
    return too_many(count);
  }
  std::string operator()(const Clos& clos) const {
    if (clos.leaves == 0 || clos.spines == 0) return "a Clos needs leaves and spines";
    return too_many(std::uint64_t{clos.leaves} + clos.spines);
  }
  std::string operator()(const FatTree& tree) const {
    if (tree.k < 2 || tree.k % 2 != 0) return fmt::format("a fat tree needs an even k, not {}", tree.k);
    return too_many(std::uint64_t{tree.k} * tree.k * 5 / 4);
  }
  std::string operator()(const RailTree& tree) const {
    if (tree.units == 0 || tree.rails == 0 || tree.spines == 0)
      return "a rail tree needs units, rails and spines";
    if (tree.rails > Assembly::kMaxPorts) return fmt::format("a host cannot have {} rails", tree.rails);
    return too_many(std::uint64_t{tree.units} * tree.rails + tree.spines);
  }
  std::string operator()(const Dragonfly& d) const {
    return group_objection(d.groups, d.routers, std::uint64_t{d.routers} * d.global_links);
  }
  std::string operator()(const DragonflyPlus& d) const {
    if (d.leaves == 0 || d.spines == 0) return "a group needs leaves and spines";
    return group_objection(d.groups, std::uint64_t{d.leaves} + d.spines,
                           std::uint64_t{d.spines} * d.global_links);
  }
  std::string operator()(const SlimFly& fly) const {
    if (fly.q < 3 || fly.q > 156 || fly.q % 4 == 2 || !GaloisField::of(fly.q))
      return fmt::format("a slim fly needs a power of a prime from 3 to 156, not {}", fly.q);
    return {};
  }
  std::string operator()(const RandomRegular& graph) const {
    if (graph.switches < 2 || graph.degree == 0 || graph.degree >= graph.switches)
      return fmt::format("{} switches cannot have {} neighbours each", graph.switches, graph.degree);
    if (std::uint64_t{graph.switches} * graph.degree % 2 != 0)
      return fmt::format("{} switches of degree {} leave one cable end over", graph.switches, graph.degree);
    if (graph.degree == 1 && graph.switches > 2) return "switches of degree 1 make no connected fabric";
    return too_many(graph.switches);
  }
};

}  // namespace

std::string objection(const Topology& topology) { return std::visit(Objection{}, topology); }

}  // namespace rch::fabric
