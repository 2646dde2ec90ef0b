#pragma once

#include <vector>

#include "fabric/sub_fabric.h"

namespace rch::engines::common {

/// The switches of two views of a fabric, matched by GUID, under joint ids. Switches of `now` keep their ids;
/// switches that are gone follow.
struct SwitchMatch {
  SwitchMatch(const fabric::SubFabric& before, const fabric::SubFabric& now);

  std::size_t joint_count() const { return before_of.size(); }
  bool is_gone(SwitchId joint) const { return joint.index() >= now_count; }
  /// Both views have the same switches under the same ids.
  bool is_identity() const;

  std::size_t now_count;
  std::vector<SwitchId> joint_of;   ///< by switch of `before`
  std::vector<SwitchId> before_of;  ///< by joint id; none for a new switch
  /// By switch of `now`: the switch of the fabric of `before`, inside or outside of its view; none if new.
  std::vector<SwitchId> fabric_before_of;
};

}  // namespace rch::engines::common
