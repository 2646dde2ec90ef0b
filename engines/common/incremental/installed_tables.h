#pragma once

#include <span>
#include <vector>

#include "fabric/forwarding_tables.h"
#include "fabric/sub_fabric.h"

namespace rch::engines::common {

/// Installed tables and the view of the fabric they were made for; both outlive the run.
struct InstalledTables {
  const fabric::SubFabric* view = nullptr;
  const fabric::ForwardingTables* lfts = nullptr;  ///< rows by switch of view->fabric()
  /// The same engine made them with the same options and nothing was laid over them: where nothing has
  /// changed they are what it would make again.
  bool same_rules = false;
  /// Their SLs keep no paths apart.
  bool single_layer = false;
};

/// installed Rows, by the switches of another view. Switches are the same when their GUIDs are.
class InstalledLfts {
 public:
  InstalledLfts(const fabric::SubFabric& now, const InstalledTables& installed);

  /// Empty for a switch that had no tables.
  std::span<const std::uint8_t> row(SwitchId sw) const {
    const SwitchId installed = installed_[sw.index()];
    return installed.is_none() ? std::span<const std::uint8_t>() : lfts_.row(installed);
  }
  /// The row of a switch becomes the installed one, shared with it where both are as long.
  void copy_to(fabric::ForwardingTables& lfts, SwitchId sw) const;

 private:
  const fabric::ForwardingTables& lfts_;
  std::vector<SwitchId> installed_;  ///< of lfts_; none for a switch that had no tables
};

}  // namespace rch::engines::common
