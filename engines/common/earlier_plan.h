#pragma once

#include <optional>

#include "base/bitset.h"
#include "engines/common/port_plan.h"
#include "engines/engine.h"

namespace rch::engines::common {

/// The plan by which the tables in force were made, for engines that want to look at those switches only
/// whose surroundings have changed since.
class EarlierPlan {
 public:
  explicit EarlierPlan(const PortPlan& now);
  EarlierPlan(const EarlierPlan&) = delete;
  EarlierPlan& operator=(const EarlierPlan&) = delete;

  /// False if rows cannot be taken over unseen: there are no tables in force, other rules made them, numbers
  /// are drawn, or switches, hosts or LIDs differ.
  bool comparable() const { return plan_.has_value(); }
  /// Must be comparable.
  const PortPlan& plan() const { return *plan_; }
  /// Switches that choose from the same as before: same cables, and same hops to everywhere from here and
  /// from all neighbours. Must be comparable.
  IdSet<SwitchId> unchanged(const HopMatrix& hops_before, const HopMatrix& hops_now) const;

 private:
  bool same_cables(SwitchId sw) const;

  const PortPlan& now_;
  PortOptions options_;
  std::optional<PortPlan> plan_;
};

/// unchanged() for engines that go by distances alone; empty if rows cannot be taken over.
IdSet<SwitchId> settled_by_distance(const PortPlan& now, const HopMatrix& hops);

}  // namespace rch::engines::common
