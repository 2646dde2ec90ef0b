#include "fabric/routing_tables.h"

#include <algorithm>

namespace rch::fabric {
namespace {

/// Steps that count dateline crossings or keep traffic apart; for all others the SL is plain `base`.
bool shapes_sl(const RoutedStep& step) { return !step.sl.dimensions.empty() || step.sl.border != 0; }

bool has_coordinates(const SlRule& rule, SwitchId sw) {
  return std::all_of(rule.dimensions.begin(), rule.dimensions.end(), [&](const SlRule::Dimension& d) {
    return d.coordinate[sw.index()] != SlRule::kNoCoordinate;
  });
}

/// Switch that a LID hangs on, or is.
SwitchId destination_switch(const Fabric& fabric, Lid lid) {
  const auto owner = fabric.lid_owner(lid);
  if (!owner) return SwitchId::none();
  const Port& port = fabric.port(*owner);
  if (fabric.is_switch(port.node)) return SwitchId(port.node.value);
  if (port.peer.is_none() || !fabric.is_switch(fabric.port(port.peer).node)) return SwitchId::none();
  return SwitchId(fabric.port(port.peer).node.value);
}

/// Next switch on the way to `lid`; none at the destination switch, and where the path breaks off.
SwitchId next_switch(const Fabric& fabric, const RoutingTables& tables, SwitchId sw, Lid lid) {
  const std::uint8_t out = tables.lfts.at(sw, lid);
  if (out == 0 || out > fabric.node(sw).num_ports) return SwitchId::none();
  const PortId peer = fabric.port(fabric.port_id(sw, PortNum(out))).peer;
  if (peer.is_none() || !fabric.is_switch(fabric.port(peer).node)) return SwitchId::none();
  return SwitchId(fabric.port(peer).node.value);
}

/// SLs towards one LID. The SL of a switch whose own step is the last to shape it is that step's rule; any
/// other switch takes over what its next switch gives, and adds border bits of the steps it stands in.
class PathSls {
 public:
  PathSls(const Fabric& fabric, const RoutingTables& tables, Lid lid)
      : fabric_(fabric), tables_(tables), lid_(lid), to_(destination_switch(fabric, lid)) {}

  /// The rule that gives the SL of `from` at once; nothing when the path has to be followed.
  std::optional<std::uint8_t> direct(SwitchId from) const {
    for (std::size_t i = tables_.steps.size(); i-- > 0;) {
      const RoutedStep& step = tables_.steps[i];
      if (!step.covers(from, lid_)) continue;
      if (!shapes_sl(step)) return std::nullopt;
      if (to_.is_none() || !has_coordinates(step.sl, from) || !has_coordinates(step.sl, to_))
        return step.sl.base;
      return step.sl.sl(from, to_);
    }
    return std::nullopt;
  }

  /// All SLs at once where one step alone covers everything and gives every switch coordinates.
  bool by_coordinates(std::vector<std::uint8_t>& out) const {
    if (tables_.steps.size() != 1 || to_.is_none()) return false;
    const RoutedStep& step = tables_.steps.front();
    const std::size_t n = fabric_.switch_count();
    if (!step.holes.empty() || !step.lids.contains(lid_) || step.switches.count() < n) return false;
    for (const SlRule::Dimension& d : step.sl.dimensions)
      if (std::ranges::find(d.coordinate, SlRule::kNoCoordinate) != d.coordinate.end()) return false;
    out.assign(n, step.sl.base);
    for (const SlRule::Dimension& d : step.sl.dimensions) {
      const std::uint8_t* crosses = d.crosses.data() + d.coordinate[to_.index()];
      for (std::size_t s = 0; s < n; ++s)
        out[s] = static_cast<std::uint8_t>(out[s] | crosses[std::size_t{d.coordinate[s]} * d.radix] << d.bit);
    }
    return true;
  }

  /// Bits of the steps whose switches the path meets at `sw` on entries of another step.
  std::uint8_t border(SwitchId sw) const {
    std::uint8_t bits = 0;
    for (const RoutedStep& step : tables_.steps)
      if (step.sl.border != 0 && step.switches.contains(sw) && !step.covers(sw, lid_)) bits |= step.sl.border;
    return bits;
  }

  SwitchId next(SwitchId sw) const { return next_switch(fabric_, tables_, sw, lid_); }
  std::uint8_t base() const {
    return tables_.steps.empty() ? std::uint8_t{0} : tables_.steps.front().sl.base;
  }

 private:
  const Fabric& fabric_;
  const RoutingTables& tables_;
  Lid lid_;
  SwitchId to_;
};

}  // namespace

bool RoutedStep::covers(SwitchId sw, Lid lid) const {
  if (!switches.contains(sw) || !lids.contains(lid)) return false;
  return holes.empty() || !std::binary_search(holes.begin(), holes.end(),
                                              std::uint64_t{sw.value} << 16 | std::uint64_t{lid.value});
}

std::size_t RoutingTables::step_of(SwitchId sw, Lid lid) const {
  for (std::size_t i = steps.size(); i-- > 1;)
    if (steps[i].covers(sw, lid)) return i;
  return 0;
}

std::uint8_t path_sl(const Fabric& fabric, const RoutingTables& tables, SwitchId from, Lid to) {
  const PathSls sls(fabric, tables, to);
  std::uint8_t border = 0;
  SwitchId at = from;
  for (std::size_t hops = 0; hops <= fabric.switch_count() && !at.is_none(); ++hops) {
    if (const auto sl = sls.direct(at)) return *sl | border;
    border |= sls.border(at);
    at = sls.next(at);
  }
  return sls.base() | border;
}

std::optional<std::uint8_t> path_sl_for(const Fabric& fabric, const RoutingTables& tables, SwitchId from,
                                        Lid to, std::uint8_t requested) {
  if (to > tables.lfts.max_lid() || tables.lfts.at(from, to) == kNoPath) return std::nullopt;
  // Without a walk along the path.
  if (const auto common = common_path_sl(tables)) return static_cast<std::uint8_t>(*common | requested);
  std::uint8_t left_to_policy = 15;
  for (const RoutedStep& step : tables.steps)
    if (shapes_sl(step)) left_to_policy &= tables.steps.size() == 1 ? step.sl.border : std::uint8_t{0};
  return path_sl(fabric, tables, from, to) | (requested & left_to_policy);
}

std::optional<std::uint8_t> common_path_sl(const RoutingTables& tables) {
  if (std::ranges::any_of(tables.steps, shapes_sl)) return std::nullopt;
  return tables.steps.empty() ? std::uint8_t{0} : tables.steps.front().sl.base;
}

void path_sls_to(const Fabric& fabric, const RoutingTables& tables, Lid lid, std::vector<std::uint8_t>& out) {
  constexpr std::uint8_t kOpen = 0xFF;
  const PathSls sls(fabric, tables, lid);
  const auto n = static_cast<std::uint32_t>(fabric.switch_count());
  if (const auto common = common_path_sl(tables)) {
    out.assign(n, *common);
    return;
  }
  if (sls.by_coordinates(out)) return;
  out.assign(n, kOpen);
  std::vector<SwitchId> path;
  for (std::uint32_t s = 0; s < n; ++s) {
    path.clear();
    SwitchId at(s);
    // Follow the path up to a switch whose SL is known; a loop ends after as many steps as there are
    // switches.
    while (!at.is_none() && out[at.index()] == kOpen && path.size() <= n) {
      if (const auto sl = sls.direct(at)) {
        out[at.index()] = *sl;
        break;
      }
      path.push_back(at);
      at = sls.next(at);
    }
    std::uint8_t sl = at.is_none() || out[at.index()] == kOpen ? sls.base() : out[at.index()];
    for (auto back = path.rbegin(); back != path.rend(); ++back) {
      sl |= sls.border(*back);
      out[back->index()] = sl;
    }
  }
}

}  // namespace rch::fabric
