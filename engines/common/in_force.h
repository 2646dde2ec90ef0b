#pragma once

#include <span>
#include <vector>

#include "fabric/forwarding_tables.h"
#include "fabric/sub_fabric.h"

namespace rch::engines::common {

/// Tables in force and the view of the fabric they were made for; both outlive the run.
struct InForce {
  const fabric::SubFabric* view = nullptr;
  const fabric::ForwardingTables* lfts = nullptr;  ///< rows by switch of view->fabric()
  /// The same engine made them with the same options and nothing was laid over them: where nothing has
  /// changed they are what it would make again.
  bool same_rules = false;
  /// Their SLs keep no paths apart.
  bool one_lane = false;
};

/// Rows in force, by the switches of another view. Switches are the same when their GUIDs are.
class HeldRows {
 public:
  HeldRows(const fabric::SubFabric& now, const InForce& held);

  /// Empty for a switch that had no tables.
  std::span<const std::uint8_t> row(SwitchId sw) const {
    const SwitchId held = held_[sw.index()];
    return held.is_none() ? std::span<const std::uint8_t>() : lfts_.row(held);
  }
  /// The row of a switch becomes the one in force, shared with it where both are as long.
  void put_into(fabric::ForwardingTables& lfts, SwitchId sw) const;

 private:
  const fabric::ForwardingTables& lfts_;
  std::vector<SwitchId> held_;  ///< of lfts_; none for a switch that had no tables
};

}  // namespace rch::engines::common
