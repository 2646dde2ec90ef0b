#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engines/common/channels.h"
#include "engines/common/port_selection/port_context.h"
#include "engines/engine.h"

namespace rch::engines::common {

/// Tables without credit loops, from every switch to every LID, together with a tree for multicast: the
/// packets of both share one acyclic CDG.
struct AcyclicTables {
  fabric::ForwardingTables lfts;
  SpanningTree tree;
};

/// Repairs tables of shortest paths whose CDG may have cycles. It adds every entry to the CDG, switch by
/// switch away from the destination. An entry that would close a cycle leaves by another output port on a
/// shortest path: the one that carries the fewest hosts. The first attempt leaves the entries for hosts as
/// they are and fits a tree beside them. The other attempts fit the entries beside a tree, each from another
/// root. With installed tables the entries of `tables` that are installed come before all others and stay.
/// Only where no such attempt succeeds, they may be replaced, too.
class AcyclicRepair {
 public:
  /// Most trees that an attempt tries.
  static constexpr std::size_t kMostRoots = 64;

  /// Keeps references. `tables` has hops and one LID for each destination. `roots`: attempts beside a tree.
  AcyclicRepair(const PortContext& context, const StepTables& tables, std::size_t roots);

  /// The result of the next attempt that succeeds; nothing after the last.
  std::optional<AcyclicTables> next();

 private:
  std::optional<AcyclicTables> attempt(std::size_t number) const;

  const PortContext& context_;
  const StepTables& tables_;
  Channels channels_;
  std::size_t switches_with_hosts_;  ///< that a tree has to join
  std::vector<SwitchId> roots_;
  bool pins_;                ///< attempts keep installed entries
  bool has_pinned_ = false;  ///< one of these succeeded
  std::size_t attempts_ = 0;
};

}  // namespace rch::engines::common
