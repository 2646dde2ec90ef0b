#pragma once

#include <span>

#include "engines/common/incremental/change_set.h"
#include "fabric/routing_tables.h"

namespace rch::engines::common {

/// Installed tables, and what has changed since they were made. All that it points to outlives the run.
struct InstalledTables {
  const ChangeSet* changes = nullptr;              ///< from their view to the view to route
  const fabric::ForwardingTables* lfts = nullptr;  ///< by switch of changes->before().fabric()
  /// The same engine made them with the same options, and no other step wrote to them. Where nothing has
  /// changed the engine would make them again.
  bool same_rules = false;
  /// Service levels of all installed paths, by switch of changes->before().fabric(); null: not known.
  const fabric::SlRule* sl = nullptr;
  /// By port of changes->before().fabric(); empty: not known.
  std::span<const fabric::MulticastGroup> groups = {};
  /// Packets of hosts to hosts arrive by them.
  bool complete = true;

  /// All paths share one virtual layer.
  bool single_layer() const { return sl != nullptr && sl->dimensions.empty(); }
  /// The table of a switch of changes->now(); empty if it had none.
  std::span<const std::uint8_t> table(SwitchId sw) const;
  /// Makes the table of a switch in `target` the installed one, shared with it where both are as long.
  void copy_to(fabric::ForwardingTables& target, SwitchId sw) const;
};

}  // namespace rch::engines::common
