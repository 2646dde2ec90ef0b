#include "report/layout.h"

#include <algorithm>
#include <map>

#include "fabric/parts.h"
#include "report/part.h"

namespace rch::report {
namespace {

/// The last step that covers the switch and not all switches; 0: there is none.
std::size_t own_step(const fabric::RoutingTables& tables, SwitchId sw, std::size_t switches) {
  for (std::size_t step = tables.steps.size(); step-- > 1;)
    if (tables.steps[step].switches.contains(sw) && tables.steps[step].switches.count() < switches)
      return step;
  return 0;
}

struct PartOfStep {
  Part part;
  std::size_t step = 0;
};

/// Switches that no cable joins, or that different steps route, are in different parts.
std::vector<PartOfStep> parts_of(const fabric::Fabric& fabric, const fabric::RoutingTables& tables) {
  const auto count = static_cast<std::uint32_t>(fabric.switch_count());
  const fabric::Parts joined = fabric::parts(fabric.graph());
  std::map<std::pair<std::uint32_t, std::size_t>, std::size_t> at;
  std::vector<PartOfStep> parts;
  std::vector<std::size_t> part_of(count);
  std::vector<std::uint32_t> index_of(count);
  for (std::uint32_t s = 0; s < count; ++s) {
    const std::size_t step = own_step(tables, SwitchId(s), count);
    const auto [found, is_new] = at.try_emplace({joined.of[s], step}, parts.size());
    if (is_new) parts.push_back({{}, step});
    Part& part = parts[found->second].part;
    part_of[s] = found->second;
    index_of[s] = part.size();
    part.switches.push_back(SwitchId(s));
    part.hosts.push_back(static_cast<std::uint32_t>(fabric.end_ports_of(SwitchId(s)).size()));
  }
  for (PartOfStep& each : parts)
    for (const SwitchId sw : each.part.switches) {
      std::vector<std::uint32_t>& near = each.part.neighbors.emplace_back();
      for (const fabric::Neighbor& neighbor : fabric.graph().neighbors(sw))
        if (part_of[neighbor.sw.index()] == part_of[sw.index()])
          near.push_back(index_of[neighbor.sw.index()]);
      std::ranges::sort(near);
    }
  return parts;
}

/// Coordinates that the step has given to its switches. Nothing if it has none.
std::optional<Coordinates> given_coordinates(const Part& part, const fabric::RoutedStep& step) {
  if (step.sl.dimensions.empty()) return std::nullopt;
  Coordinates coordinates(part.size());
  for (std::uint32_t i = 0; i < part.size(); ++i)
    for (const fabric::SlRule::Dimension& dimension : step.sl.dimensions) {
      const std::size_t sw = part.switches[i].index();
      if (sw >= dimension.coordinate.size() || dimension.coordinate[sw] == fabric::SlRule::kNoCoordinate)
        return std::nullopt;
      coordinates[i].push_back(dimension.coordinate[sw]);
    }
  return coordinates;
}

std::optional<Drawing> draw_at(const Part& part, const std::optional<Coordinates>& coordinates) {
  return coordinates ? draw_grid(part, *coordinates) : std::nullopt;
}

/// Draws the part by the first shape that fits. Small trees have squares like grids.
Drawing draw(const Part& part, const fabric::RoutedStep& step, Shape& shape) {
  constexpr std::uint32_t kSmall = 9;
  shape = Shape::grid;
  if (auto drawing = draw_at(part, given_coordinates(part, step))) return std::move(*drawing);
  shape = Shape::tree;
  if (part.size() < kSmall)
    if (auto drawing = draw_tree(part)) return std::move(*drawing);
  shape = Shape::grid;
  if (auto drawing = draw_at(part, grid_coordinates(part))) return std::move(*drawing);
  shape = Shape::tree;
  if (auto drawing = draw_tree(part)) return std::move(*drawing);
  shape = Shape::groups;
  return draw_groups(part);
}

Box bounds(const Drawing& drawing) {
  const auto [left, right] = std::ranges::minmax(drawing.x);
  const auto [top, bottom] = std::ranges::minmax(drawing.y);
  return {left - 1, top - 1, right + 1, bottom + 1};
}

/// Puts a drawing right of the others, its middle at height 0.
void place(Layout& layout, const Part& part, const Drawing& drawing, Area area, float& right) {
  const Box box = bounds(drawing);
  const float dx = right - box.left, dy = -(box.top + box.bottom) / 2;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const std::size_t sw = part.switches[i].index();
    layout.x[sw] = drawing.x[i] + dx;
    layout.y[sw] = drawing.y[i] + dy;
    layout.area[sw] = static_cast<std::uint16_t>(layout.areas.size());
    layout.rank[sw] = drawing.rank.empty() ? std::uint8_t{0} : drawing.rank[i];
  }
  const auto moved = [&](const Box& b) { return Box{b.left + dx, b.top + dy, b.right + dx, b.bottom + dy}; };
  for (const Box& group : drawing.groups) layout.groups.push_back(moved(group));
  area.box = moved(box);
  area.switches = part.size();
  area.radix = drawing.radix;
  area.ranks = drawing.ranks;
  area.pitch = drawing.pitch;
  right = area.box.right + std::max(2.0F, (area.box.right - area.box.left) / 20);
  layout.areas.push_back(std::move(area));
}

}  // namespace

std::string_view to_string(Shape shape) {
  constexpr std::string_view kNames[] = {"grid", "tree", "groups"};
  return kNames[static_cast<std::size_t>(shape)];
}

std::vector<std::uint32_t> components(const Part& part, const std::vector<bool>& keeps) {
  std::vector<std::uint32_t> of(part.size(), kNoComponent), open;
  std::uint32_t count = 0;
  for (std::uint32_t first = 0; first < part.size(); ++first) {
    if (!keeps[first] || of[first] != kNoComponent) continue;
    of[first] = count;
    open.assign(1, first);
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      for (const std::uint32_t next : part.neighbors[at]) {
        if (!keeps[next] || of[next] != kNoComponent) continue;
        of[next] = count;
        open.push_back(next);
      }
    }
    ++count;
  }
  return of;
}

Layout lay_out(const fabric::Fabric& fabric, const fabric::RoutingTables& tables) {
  Layout layout;
  layout.x.resize(fabric.switch_count());
  layout.y.resize(fabric.switch_count());
  layout.rank.resize(fabric.switch_count());
  layout.area.resize(fabric.switch_count());
  float right = 0;
  for (const auto& [part, step] : parts_of(fabric, tables)) {
    Area area{.shape = Shape::grid, .box = {}, .step = step};
    const Drawing drawing = draw(part, tables.steps[step], area.shape);
    place(layout, part, drawing, std::move(area), right);
  }
  return layout;
}

}  // namespace rch::report
