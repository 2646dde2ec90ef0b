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
};

/// Rows in force, by the switches of another view. Switches are the same when their GUIDs are.
class HeldRows {
 public:
  HeldRows(const fabric::SubFabric& now, const InForce& held);

  /// Empty for a switch that had no tables.
  std::span<const std::uint8_t> row(SwitchId sw) const { return rows_[sw.index()]; }

 private:
  std::vector<std::span<const std::uint8_t>> rows_;
};

}  // namespace rch::engines::common
