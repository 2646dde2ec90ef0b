#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engines/common/incremental/changed_hops.h"
#include "engines/common/incremental/earlier_plan.h"

namespace rch::engines::common {

/// What of the installed tables has to be looked at again: the rows of switches whose surroundings have
/// changed; of any other row the destinations to which hops of the switch or of its neighbours have, and
/// those with new LIDs. All else is as it was, and what engines choose from with it.
class AffectedEntries {
 public:
  /// Keeps a reference to `earlier`, which must be comparable.
  AffectedEntries(const EarlierPlan& earlier, std::vector<ChangedHop> moved);

  const EarlierPlan& earlier() const { return earlier_; }
  bool whole_row(SwitchId sw) const { return !earlier_.same_surroundings(sw); }
  /// Destinations to look at in the row of a switch, ascending.
  void list(SwitchId sw, std::vector<SwitchId>& destinations) const;

 private:
  std::span<const ChangedHop> moved_from(SwitchId sw) const {
    return std::span(moved_).subspan(begin_[sw.index()], begin_[sw.index() + 1] - begin_[sw.index()]);
  }

  const EarlierPlan& earlier_;
  std::vector<SwitchId> everywhere_;  ///< destinations with new LIDs
  std::vector<ChangedHop> moved_;     ///< sorted
  std::vector<std::uint32_t> begin_;  ///< by switch, into moved_
};

/// Distances by the plan of now, and what they leave open of the installed tables; nothing if that is all.
struct Measured {
  HopMatrix hops;
  std::optional<AffectedEntries> open;

  const AffectedEntries* affected() const { return open ? &*open : nullptr; }
};
Measured measure(const EarlierPlan& earlier);

}  // namespace rch::engines::common
