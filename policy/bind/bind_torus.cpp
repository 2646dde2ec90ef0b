#include "policy/bind/bind_torus.h"

#include <fmt/format.h>

#include "engines/torus_2qos/discovery.h"
#include "policy/lint/rules/bind.h"

namespace rch::policy {
namespace {

namespace torus = engines::torus_2qos;

/// `the cables through the seed make x 6 and y 5 switches long`; empty when they tell nothing.
std::string measured(const fabric::SubFabric& view, const fabric::TorusShape& shape) {
  std::vector<std::string> lengths;
  const auto found = torus::ring_lengths(view, {shape});
  for (std::size_t d = 0; d < found.size(); ++d)
    if (found[d]) lengths.push_back(fmt::format("{} {}", torus::kAxisName[d], *found[d]));
  if (lengths.empty()) return {};
  return fmt::format("by the cables at the seed, a row has these switches: {}", fmt::join(lengths, ", "));
}

std::string datelines(const std::array<std::int32_t, torus::kDimensions>& values,
                      const fabric::TorusShape& shape) {
  std::vector<std::string> lines;
  for (std::size_t d = 0; d < values.size(); ++d)
    if (shape.radix[d] > 1) lines.push_back(fmt::format("`{}_dateline {}`", torus::kAxisName[d], values[d]));
  return fmt::format("{}", fmt::join(lines, ", "));
}

void report(const torus::DiscoveredTorus& found, const fabric::SubFabric& view, const Step& step,
            Diagnostics& diagnostics) {
  const torus::Geometry& geometry = found.torus.geometry();
  for (const torus::SeedConflict& conflict : found.seed_conflicts) {
    Diagnostic& d = diagnostics.add(
        kSeedFrames, step.torus_places.seeds[conflict.seed - 1].place,
        fmt::format("seed {} puts `{}` ({}) at {}, by seed {} it stands at {}", conflict.seed,
                    view.node(conflict.sw).name(), view.node(conflict.sw).guid,
                    geometry.name(conflict.by_seed), found.seed, geometry.name(conflict.actual)));
    d.labels.push_back({step.torus_places.seeds[found.seed - 1].place, "the seed in use"});
    d.hint = conflict.datelines ? fmt::format("give it {}", datelines(*conflict.datelines, *step.torus))
                                : "its links do not point along the axes of the other seed";
  }
}

}  // namespace

void check_torus(const BoundPolicy& bound, const Step& step, Diagnostics& diagnostics) {
  const auto scope = bound.scope(step);
  const fabric::SubFabric view =
      scope ? fabric::SubFabric(*bound.fabric, *scope) : fabric::SubFabric(*bound.fabric);
  const auto discovered = torus::discover_torus(view, {*step.torus});
  if (discovered) return report(*discovered, view, step, diagnostics);
  const auto& failure = discovered.error();
  if (failure.rule == "switch-unplaced" || failure.rule == "radix-mismatch")
    diagnostics.add(kTorusDoesNotFit, step.torus_places.size, failure.message).hint =
        measured(view, *step.torus);
}

}  // namespace rch::policy
