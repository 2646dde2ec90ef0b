#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/bitset.h"
#include "engines/common/port_selection/port_context.h"

namespace rch::engines::common {

/// One direction of a cable.
struct Arc {
  SwitchId from;
  SwitchId to;
  std::uint8_t weight = 1;  ///< hops that leaving by it costs
};

/// Those that begin, or end, at a switch, of arcs that stand in that order.
template <SwitchId Arc::*End>
std::span<const Arc> arcs_at(std::span<const Arc> arcs, SwitchId sw) {
  const auto begin = std::ranges::lower_bound(arcs, sw, {}, End);
  const auto end = std::ranges::upper_bound(arcs, sw, {}, End);
  return arcs.subspan(static_cast<std::size_t>(begin - arcs.begin()), static_cast<std::size_t>(end - begin));
}

/// The plan by which the installed tables were made beside the plan of now, for engines that look only where
/// something has changed since. Switches of both are counted together: those of now by their own ids, behind
/// them those that are gone.
class EarlierPlan {
 public:
  /// Keeps a reference to `now`.
  explicit EarlierPlan(const PortContext& now);
  EarlierPlan(const EarlierPlan&) = delete;
  EarlierPlan& operator=(const EarlierPlan&) = delete;

  /// False if nothing can be taken over unseen: there are no installed tables, other rules made them, numbers
  /// are drawn, or so much has changed that a look at everything takes no longer. All else holds only if
  /// true.
  bool comparable() const { return plan_.has_value(); }

  const PortContext& plan() const { return *plan_; }
  const PortContext& now() const { return now_; }

  std::size_t switch_count() const { return number_of_.size() - known_now_ + now_.graph().switch_count(); }
  /// Number of a switch of plan().
  SwitchId number_of(SwitchId before) const { return number_of_[before.index()]; }
  /// Cables that both have.
  const fabric::SwitchGraph& common() const { return *common_; }
  /// Cables of plan() alone, and of now() alone; by `to`.
  std::span<const Arc> lost() const { return lost_; }
  std::span<const Arc> gained() const { return gained_; }

  /// A switch of now that has the cables and the hosts it had.
  bool same_surroundings(SwitchId sw) const { return same_.contains(sw); }
  /// The port of a switch of now leads where it led, or nowhere.
  bool leads_alike(SwitchId sw, PortNum port) const;
  /// Switches of now with LIDs that were elsewhere or nowhere, ascending.
  std::vector<SwitchId> with_new_lids() const;

 private:
  void number_switches();
  void compare_cables();
  bool same_cables(SwitchId before, SwitchId sw) const;
  bool same_hosts(SwitchId before, SwitchId sw) const;
  void join_cables();

  const PortContext& now_;
  PortOptions options_;
  std::optional<PortContext> plan_;
  std::vector<SwitchId> number_of_;  ///< by switch of plan()
  std::vector<SwitchId> before_;     ///< by switch of now; none if it is new
  std::size_t known_now_ = 0;        ///< switches that both have
  IdSet<SwitchId> same_;
  std::vector<Arc> lost_, gained_;
  std::optional<fabric::SwitchGraph> joined_;
  const fabric::SwitchGraph* common_ = nullptr;
};

}  // namespace rch::engines::common
