#include "chains/overlay_groups.h"

#include <algorithm>
#include <map>
#include <utility>

namespace rch::chains {
namespace {

using fabric::AdaptiveTables;

class GroupOverlay {
 public:
  GroupOverlay(const fabric::SubFabric& view, const AdaptiveTables& step, const fabric::RoutedStep& routed,
               AdaptiveTables& tables)
      : view_(view), step_(step), routed_(routed), tables_(tables), holed_(std::size_t{0x10000}) {
    for (const std::uint64_t hole : routed.holes) holed_.insert(Lid(static_cast<std::uint16_t>(hole)));
    for (std::uint32_t s = 0; s < step.switch_count(); ++s) take_settings(SwitchId(s));
  }

  void add(Lid lid) {
    const std::uint32_t below = tables_.column_of(lid);
    const std::uint32_t above = step_.empty() ? AdaptiveTables::kNoColumn : step_.column_of(lid);
    if (below == AdaptiveTables::kNoColumn && above == AdaptiveTables::kNoColumn) return;
    if (holed_.contains(lid)) return tables_.set_column(lid, joined(below, above, lid));
    const auto [known, fresh] = known_.try_emplace({below, above}, 0U);
    if (fresh) known->second = joined(below, above, lid);
    tables_.set_column(lid, known->second);
  }

 private:
  void take_settings(SwitchId sw) {
    const fabric::AdaptiveSwitch& from = step_.at(sw);
    const SwitchId to = view_.fabric_switch(sw);
    fabric::AdaptiveSwitch& at = tables_.at(to);
    at.enabled = from.enabled;
    at.fast_recovery = from.fast_recovery;
    at.sls = from.sls;
    number_of_.emplace_back();
    for (const fabric::PortGroup& group : from.groups)
      number_of_.back().push_back(tables_.group_number(to, group));
  }

  std::uint32_t joined(std::uint32_t below, std::uint32_t above, Lid lid) {
    std::vector<std::uint16_t> groups(tables_.switch_count(), AdaptiveTables::kNoGroup);
    if (below != AdaptiveTables::kNoColumn)
      groups.assign(tables_.column(below).begin(), tables_.column(below).end());
    for (std::uint32_t s = 0; s < view_.switch_count(); ++s) {
      const SwitchId to = view_.fabric_switch(SwitchId(s));
      const std::uint64_t hole = std::uint64_t{to.value} << 16 | lid.value;
      if (std::ranges::binary_search(routed_.holes, hole)) continue;
      const std::uint16_t number =
          above == AdaptiveTables::kNoColumn ? AdaptiveTables::kNoGroup : step_.column(above)[s];
      groups[to.index()] = number == AdaptiveTables::kNoGroup ? number : number_of_[s][number];
    }
    return tables_.add_column(groups);
  }

  const fabric::SubFabric& view_;
  const AdaptiveTables& step_;
  const fabric::RoutedStep& routed_;
  AdaptiveTables& tables_;
  IdSet<Lid> holed_;                                   ///< some entry is not of the step
  std::vector<std::vector<std::uint16_t>> number_of_;  ///< by view switch and group of the step
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known_;  ///< columns without holes
};

}  // namespace

void overlay_groups(const fabric::SubFabric& view, AdaptiveTables&& step, const fabric::RoutedStep& routed,
                    fabric::RoutingTables& tables) {
  if (step.empty() && tables.adaptive.empty()) return;
  if (view.is_whole() && tables.steps.empty()) {
    tables.adaptive = std::move(step);
    return;
  }
  if (tables.adaptive.empty())
    tables.adaptive = AdaptiveTables(tables.lfts.switch_count(), tables.lfts.max_lid());
  GroupOverlay overlay(view, step, routed, tables.adaptive);
  routed.lids.for_each([&](Lid lid) {
    if (lid.index() <= tables.lfts.max_lid().index()) overlay.add(lid);
  });
}

}  // namespace rch::chains
