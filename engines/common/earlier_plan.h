#pragma once

#include <optional>

#include "base/bitset.h"
#include "engines/common/port_plan.h"
#include "engines/engine.h"

namespace rch::engines::common {

/// Where the choice is what it was when the tables in force were made; all empty: nowhere.
struct Settled {
  IdSet<SwitchId> rows;    ///< switches that choose from the same for every destination
  IdSet<SwitchId> cables;  ///< switches that have the same cables,
  IdSet<SwitchId> moved;   ///< and choose anew for these destinations alone

  /// Only what both say.
  Settled& operator&=(const Settled& other);
};

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
  /// What depends on these hops alone. Must be comparable.
  Settled settled(const HopMatrix& hops_before, const HopMatrix& hops_now) const;

 private:
  bool same_cables(SwitchId sw) const;

  const PortPlan& now_;
  PortOptions options_;
  std::optional<PortPlan> plan_;
};

/// settled() for engines that go by distances alone; empty if rows cannot be taken over.
Settled settled_by_distance(const PortPlan& now, const HopMatrix& hops);

}  // namespace rch::engines::common
