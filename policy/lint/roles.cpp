#include "policy/lint/roles.h"

#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "policy/lint/rules/side_files.h"

namespace rch::policy {
namespace {

struct Role {
  std::string_view name;  ///< `a root`
  std::span<const ListMember> members;
};

/// Switches that the seeds of a torus name.
std::vector<ListMember> seeds_of(const Step& step) {
  std::vector<ListMember> seeds;
  if (!step.torus) return seeds;
  for (std::size_t i = 0; i < step.torus->seeds.size(); ++i)
    for (const TorusPlaces::Link& place : step.torus_places.seeds[i].links) {
      const auto& seed = step.torus->seeds[i];
      const auto& link = (place.plus ? seed.plus : seed.minus)[place.axis];
      if (!link) continue;
      seeds.push_back({link->from, {}, place.from});
      seeds.push_back({link->to, {}, place.to});
    }
  return seeds;
}

class RoleCheck {
 public:
  explicit RoleCheck(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// Reports what both name, at the places of `second`; files that several steps share are compared once. One
  /// file for both was reported by its path.
  void compare(const Role& first, const Role& second, std::string_view hint = {}) {
    if (first.members.empty() || second.members.empty()) return;
    const SourceId one = first.members[0].span.source, other = second.members[0].span.source;
    if (one == other || !compared_.insert({one, other, second.name}).second) return;
    std::map<GuidOrGroup, Span> places;
    for (const ListMember& m : first.members) places.emplace(m.who, m.span);
    std::set<GuidOrGroup> reported;
    for (const ListMember& m : second.members) {
      const auto at = places.find(m.who);
      if (at == places.end() || !reported.insert(m.who).second) continue;
      const auto* guid = std::get_if<Guid>(&m.who);
      Diagnostic& d = diagnostics_.add(
          side_files::kConflictingRoles, m.span,
          fmt::format("{} is {} and {}", guid != nullptr ? fmt::format("{}", *guid) : "the group", first.name,
                      second.name));
      d.labels.push_back({at->second, fmt::format("{} here", first.name)});
      d.hint = hint;
    }
  }

 private:
  Diagnostics& diagnostics_;
  std::set<std::tuple<SourceId, SourceId, std::string_view>> compared_;
};

}  // namespace

void check_roles(std::span<const Step> steps, const FabricFiles& fabric, Diagnostics& diagnostics) {
  RoleCheck check(diagnostics);
  const Role held_back{"held back", fabric.held_back_switches};
  check.compare(held_back, {"a multicast root", fabric.multicast_roots});
  for (const Step& step : steps) {
    const Role roots{"a root", step.files.roots};
    const Role compute_nodes{"a compute node", step.files.compute_nodes};
    const std::vector<ListMember> seeds = seeds_of(step);
    check.compare(roots, compute_nodes);
    check.compare(roots, {"an I/O node", step.files.io_nodes});
    check.compare(compute_nodes, {"an I/O node", step.files.io_nodes}, "it is taken as a compute node");
    check.compare(held_back, roots);
    check.compare(held_back, {"a seed of a torus", seeds});
  }
}

}  // namespace rch::policy
