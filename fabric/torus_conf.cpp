#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>

#include "fabric/generator.h"
#include "fabric/grid_index.h"

namespace rch::fabric {
namespace {

constexpr std::string_view kAxes = "xyz";
/// OpenSM's limit of ports in one direction, port 0 counted among the hosts, unless the file says otherwise.
constexpr std::uint32_t kDefaultPortgroup = 16;

class Seeds {
 public:
  Seeds(const GeneratorOptions& options, const Grid& grid, const Fabric& fabric)
      : options_(options), index_(grid), fabric_(fabric) {
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
      by_name_.emplace(fabric.node(SwitchId(s)).description, fabric.node(SwitchId(s)).guid);
  }

  Result<std::string> write() {
    std::string out = size_line();
    std::uint32_t seeds = 0;
    for (std::uint32_t i = 0; i < index_.size() && seeds < std::max(options_.torus_seeds, 1U); ++i) {
      const auto seed = seed_at(index_.position(i));
      if (!seed) continue;
      if (seeds++ > 0) out += "next_seed\n";
      out += *seed;
    }
    if (seeds == 0) return fail(ErrorKind::usage, "too much is missing for a torus-2QoS seed");
    return out;
  }

 private:
  std::string size_line() const {
    bool open = true;
    for (std::size_t d = 0; d < 3; ++d)
      open = open && (index_.dimension(d).radix == 1 || !index_.dimension(d).wraps);
    std::string line = open ? "mesh" : "torus";
    for (std::size_t d = 0; d < 3; ++d) {
      const Grid::Dimension& dim = index_.dimension(d);
      line += fmt::format(" {}{}", dim.radix, open || dim.wraps || dim.radix == 1 ? "" : "m");
    }
    line += "\n";
    const std::uint32_t group = std::max(options_.hosts + 1, options_.parallel);
    if (group > kDefaultPortgroup) line += fmt::format("portgroup_max_ports {}\n", group);
    return line;
  }

  /// 0 if the switch is not in the fabric.
  Guid guid(const GridIndex::Position& at) const {
    const auto found = by_name_.find(options_.name_prefix + grid_name(at));
    return found == by_name_.end() ? Guid() : found->second;
  }

  bool linked(Guid a, Guid b) const {
    const auto from = fabric_.find_node(a), to = fabric_.find_node(b);
    if (!from || !to || !fabric_.is_switch(*from) || !fabric_.is_switch(*to)) return false;
    const auto neighbors = fabric_.graph().neighbors(SwitchId(from->value));
    return std::any_of(neighbors.begin(), neighbors.end(),
                       [&](const Neighbor& n) { return n.sw.value == to->value; });
  }

  /// Lines of the seed whose common switch stands there; nothing if it lacks a link or shares a switch with a
  /// seed before it.
  std::optional<std::string> seed_at(const GridIndex::Position& at) {
    std::string lines;
    std::string datelines;
    std::set<Guid> touched{guid(at)};
    for (std::size_t d = 0; d < 3; ++d) {
      const std::uint32_t radix = index_.dimension(d).radix;
      if (radix == 1) continue;
      // In a looped radix 4 a ring is a square of its own, which only both directions tell from others.
      std::uint32_t missing = index_.wraps(d) && radix == 4 ? 2 : 1;
      for (bool up : {true, false}) {
        const auto to = index_.neighbor(at, d, up);
        if (missing == 0 || !to || !linked(guid(at), guid(*to))) continue;
        lines += fmt::format("{}{}_link {} {}\n", kAxes[d], up ? 'p' : 'm', guid(at), guid(*to));
        touched.insert(guid(*to));
        --missing;
      }
      if (missing > 0) return std::nullopt;
      if (at[d] > 0) datelines += fmt::format("{}_dateline -{}\n", kAxes[d], at[d]);
    }
    if (!fabric_.find_node(guid(at))) return std::nullopt;
    for (Guid g : touched)
      if (used_.contains(g)) return std::nullopt;
    used_.insert(touched.begin(), touched.end());
    return lines + datelines;
  }

  const GeneratorOptions& options_;
  GridIndex index_;
  const Fabric& fabric_;
  std::unordered_map<std::string, Guid> by_name_;
  std::set<Guid> used_;
};

}  // namespace

Result<std::string> torus_conf(const GeneratorOptions& options, const Fabric& fabric) {
  const Grid* grid = std::get_if<Grid>(&options.shape);
  if (grid == nullptr) return fail(ErrorKind::usage, "only a grid has torus-2QoS seeds");
  return Seeds(options, *grid, fabric).write();
}

}  // namespace rch::fabric
