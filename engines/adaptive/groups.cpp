#include "engines/adaptive/groups.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>

#include "base/parallel.h"
#include "base/text.h"
#include "engines/updn/legal_paths.h"

namespace rch::engines::adaptive {
namespace {

using fabric::AdaptiveTables;
using fabric::PortGroup;
using fabric::PortMask;
using fabric::SubFabric;

constexpr std::size_t kSwitchesAtOnce = 16;

std::vector<Lid> lids_of(const fabric::EndPort& end) {
  std::vector<Lid> lids;
  for (std::uint32_t lid = end.lid.value; lid < end.lid.value + (1U << end.lmc); ++lid)
    lids.push_back(Lid(static_cast<std::uint16_t>(lid)));
  return lids;
}

/// Switches with end ports to route: each has a column.
std::vector<SwitchId> destination_switches(const SubFabric& view) {
  std::vector<SwitchId> all;
  for (std::uint32_t s = 0; s < view.switch_count(); ++s)
    if (!view.end_ports_of(SwitchId(s)).empty()) all.push_back(SwitchId(s));
  return all;
}

PortMask ports_to(const fabric::SwitchGraph& graph, const fabric::Neighbor& neighbor) {
  PortMask ports;
  for (const fabric::SwitchLink& link : graph.links(neighbor)) ports.insert(link.out.value);
  return ports;
}

/// Ports of one switch towards each of the destination switches.
class Rule {
 public:
  virtual ~Rule() = default;
  virtual void add_to(SwitchId sw, std::span<const SwitchId> destinations,
                      std::span<PortMask> masks) const = 0;
};

class UpDownRule : public Rule {
 public:
  UpDownRule(const fabric::SwitchGraph& graph, const std::vector<SwitchId>& order)
      : graph_(graph), orientation_(order), hops_(updn::legal_hops(graph, orientation_)) {}

  void add_to(SwitchId sw, std::span<const SwitchId> destinations, std::span<PortMask> masks) const override {
    const auto all = hops_.all.row(sw), down = hops_.down.row(sw);
    for (const fabric::Neighbor& next : graph_.neighbors(sw)) {
      const bool up = orientation_.is_up(sw, next.sw);
      const auto further = up ? hops_.all.row(next.sw) : hops_.down.row(next.sw);
      const PortMask ports = ports_to(graph_, next);
      for (std::size_t d = 0; d < destinations.size(); ++d) {
        const std::size_t to = destinations[d].index();
        const bool goes_down = down[to] != HopMatrix::kUnknown;
        if (goes_down != up && all[to] != HopMatrix::kUnknown && further[to] + 1U == all[to])
          masks[d] |= ports;
      }
    }
  }

 private:
  const fabric::SwitchGraph& graph_;
  const updn::Orientation orientation_;
  const updn::LegalHops hops_;
};

class ShortestRule : public Rule {
 public:
  ShortestRule(const fabric::SwitchGraph& graph, const HopMatrix& hops) : graph_(graph), hops_(hops) {}

  void add_to(SwitchId sw, std::span<const SwitchId> destinations, std::span<PortMask> masks) const override {
    for (const fabric::Neighbor& next : graph_.neighbors(sw)) {
      const PortMask ports = ports_to(graph_, next);
      for (std::size_t d = 0; d < destinations.size(); ++d)
        if (hops_.at(sw, destinations[d]) != HopMatrix::kUnknown &&
            hops_.at(next.sw, destinations[d]) + 1U == hops_.at(sw, destinations[d]))
          masks[d] |= ports;
    }
  }

 private:
  const fabric::SwitchGraph& graph_;
  const HopMatrix& hops_;
};

/// Fills one column a destination switch from a rule.
class Filler {
 public:
  Filler(const SubFabric& view, const StepTables& made, AdaptiveTables& tables)
      : view_(view),
        made_(made),
        tables_(tables),
        destinations_(destination_switches(view)),
        cells_(destinations_.size() * view.switch_count(), AdaptiveTables::kNoGroup),
        is_static_(made.lfts.stride()) {
    for (const SwitchId to : destinations_) {
      lids_.emplace_back();
      for (const fabric::EndPort& end : view.end_ports_of(to))
        std::ranges::copy(lids_of(end), std::back_inserter(lids_.back()));
    }
  }

  /// Returns the number of LIDs that stay static because of their entries.
  std::size_t run(const Rule& rule) {
    parallel_ranges(view_.switch_count(), kSwitchesAtOnce, [&](std::size_t begin, std::size_t end) {
      std::vector<PortMask> masks(destinations_.size());
      for (std::size_t s = begin; s < end; ++s) {
        std::ranges::fill(masks, PortMask{});
        rule.add_to(SwitchId(static_cast<std::uint32_t>(s)), destinations_, masks);
        take(SwitchId(static_cast<std::uint32_t>(s)), masks);
      }
    });
    std::size_t still = 0;
    for (std::size_t d = 0; d < destinations_.size(); ++d) {
      const std::uint32_t column =
          tables_.add_column(std::span(cells_).subspan(d * view_.switch_count(), view_.switch_count()));
      for (const Lid lid : lids_[d]) {
        if (is_static_[lid.index()].load(std::memory_order_relaxed))
          ++still;
        else
          tables_.set_column(lid, column);
      }
    }
    return still;
  }

 private:
  /// Groups of more than one port become groups of the switch.
  void take(SwitchId sw, std::span<const PortMask> masks) {
    std::map<PortMask, std::uint16_t> known;
    const auto row = made_.lfts.row(sw);
    for (std::size_t d = 0; d < destinations_.size(); ++d) {
      if (destinations_[d] == sw) continue;
      for (const Lid lid : lids_[d])
        if (const std::uint8_t port = row[lid.index()]; port != kNoPath && !masks[d].contains(port))
          is_static_[lid.index()].store(true, std::memory_order_relaxed);
      if (masks[d].count() < 2) continue;
      const auto [group, fresh] = known.try_emplace(masks[d], std::uint16_t{0});
      if (fresh) group->second = tables_.group_number(sw, PortGroup{masks[d]});
      cells_[d * view_.switch_count() + sw.index()] = group->second;
    }
  }

  const SubFabric& view_;
  const StepTables& made_;
  AdaptiveTables& tables_;
  std::vector<SwitchId> destinations_;
  std::vector<std::vector<Lid>> lids_;        ///< by destination switch
  std::vector<std::uint16_t> cells_;          ///< by destination switch, then switch
  std::vector<std::atomic<bool>> is_static_;  ///< by LID: some entry is none of the ports of its group
};

/// Cables to the neighbor of each port of each switch that SL2VL maps treat alike.
class ParallelCables {
 public:
  ParallelCables(const SubFabric& view, const fabric::Sl2VlTables& sl2vl) : view_(view), sl2vl_(sl2vl) {
    for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
      of_.emplace_back(view.node(SwitchId(s)).num_ports + std::size_t{1});
      for (const fabric::Neighbor& next : view.graph().neighbors(SwitchId(s)))
        add(SwitchId(s), next.sw, view.graph().links(next));
    }
  }

  const PortMask& to_same_neighbor(SwitchId sw, std::uint8_t port) const {
    static constexpr PortMask kNone{};
    return port < of_[sw.index()].size() ? of_[sw.index()][port] : kNone;
  }

 private:
  void add(SwitchId sw, SwitchId next, std::span<const fabric::SwitchLink> links) {
    for (const fabric::SwitchLink& one : links)
      for (const fabric::SwitchLink& other : links)
        if (are_alike(sw, next, one, other)) of_[sw.index()][one.out.index()].insert(other.out.value);
  }

  bool are_alike(SwitchId sw, SwitchId next, const fabric::SwitchLink& one,
                 const fabric::SwitchLink& other) const {
    if (sl2vl_.empty()) return true;
    const auto all_ports = [&](SwitchId at, const auto& same) {
      for (unsigned p = 0; p <= view_.node(at).num_ports; ++p)
        if (!same(PortNum(static_cast<std::uint8_t>(p)))) return false;
      return true;
    };
    return all_ports(
               sw, [&](PortNum in) { return sl2vl_.at(sw, in, one.out) == sl2vl_.at(sw, in, other.out); }) &&
           all_ports(next, [&](PortNum out) {
             return sl2vl_.at(next, one.in, out) == sl2vl_.at(next, other.in, out);
           });
  }

  const SubFabric& view_;
  const fabric::Sl2VlTables& sl2vl_;
  std::vector<std::vector<PortMask>> of_;  ///< by switch and port
};

/// LIDs of one switch mostly take the same cables, and then share a column.
void add_parallel_cables(const SubFabric& view, const StepTables& made, AdaptiveTables& tables) {
  const ParallelCables cables(view, made.sl2vl);
  for (std::uint32_t to = 0; to < view.switch_count(); ++to) {
    std::map<std::vector<std::uint16_t>, std::uint32_t> known;
    for (const fabric::EndPort& end : view.end_ports_of(SwitchId(to)))
      for (const Lid lid : lids_of(end)) {
        std::vector<std::uint16_t> groups(view.switch_count(), AdaptiveTables::kNoGroup);
        for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
          const PortMask& ports = cables.to_same_neighbor(SwitchId(s), made.lfts.at(SwitchId(s), lid));
          if (s != to && ports.count() > 1) groups[s] = tables.group_number(SwitchId(s), PortGroup{ports});
        }
        if (std::ranges::all_of(groups, [](std::uint16_t g) { return g == AdaptiveTables::kNoGroup; }))
          continue;
        const auto [column, fresh] = known.try_emplace(std::move(groups), std::uint32_t{0});
        if (fresh) column->second = tables.add_column(column->first);
        tables.set_column(lid, column->second);
      }
  }
}

Groups without_groups(std::string_view reason) {
  return {{}, {fmt::format("no entry has a group of ports: {}", reason)}};
}

}  // namespace

Groups make_groups(const SubFabric& view, const StepTables& made, GroupRule rule, const Settings& settings) {
  Groups groups{AdaptiveTables(view.switch_count(), made.lfts.max_lid()), {}};
  std::size_t still = 0;
  switch (rule) {
    case GroupRule::none:
      return {};
    case GroupRule::up_down:
      if (made.up_order.empty()) return without_groups("paths follow no order of the switches");
      still = Filler(view, made, groups.tables).run(UpDownRule(view.graph(), made.up_order));
      break;
    case GroupRule::shortest:
      if (!made.hops) return without_groups("the engine keeps no distances");
      still = Filler(view, made, groups.tables).run(ShortestRule(view.graph(), *made.hops));
      break;
    case GroupRule::parallel_cables:
      add_parallel_cables(view, made, groups.tables);
      break;
  }
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    fabric::AdaptiveSwitch& sw = groups.tables.at(SwitchId(s));
    sw.enabled = true;
    sw.fast_recovery = settings.fast_recovery;
    sw.sls = settings.sls;
  }
  if (still > 0)
    groups.remarks.push_back(fmt::format("{} {} static: entries for {} take ports that no group may have",
                                         counted(still, "LID"), still == 1 ? "stays" : "stay",
                                         still == 1 ? "it" : "them"));
  return groups;
}

}  // namespace rch::engines::adaptive
