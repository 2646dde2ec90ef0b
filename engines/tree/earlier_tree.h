#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "engines/common/incremental/installed_tables.h"
#include "engines/tree/targets.h"
#include "engines/tree/ways.h"

namespace rch::engines::tree {

/// A tree and what a formula works from on it.
struct Grown {
  Tree tree;
  Ways ways;
  Targets targets;
};

/// The tree by which the tables in force were made; nothing if other rules made them. `grow` grows the tree
/// of the view given as the one of now is grown.
template <class Grow>
std::optional<Grown> grow_earlier(const std::optional<common::InstalledTables>& installed, bool step_aside,
                                  Grow&& grow) {
  if (!installed || !installed->same_rules) return std::nullopt;
  common::Attempt<Tree> before = grow(installed->changes->before());
  if (!before) return std::nullopt;
  Ways ways = find_ways(*before, step_aside);
  Targets targets = number_targets(*before);
  return Grown{std::move(*before), std::move(ways), std::move(targets)};
}

/// The tree by which the tables in force were made beside the tree of now, for a formula that need not be
/// worked out where nothing it depends on has changed.
class EarlierTree {
 public:
  /// `before`: what grow_earlier() found for `installed`.
  EarlierTree(const Tree& now, const Ways& ways, const Targets& targets,
              const std::optional<common::InstalledTables>& installed, std::optional<Grown> before);

  /// False if the trees do not number the same switches and targets alike, or there are no tables to start
  /// from. All else holds only if true.
  bool comparable() const { return installed_.has_value(); }
  const common::InstalledTables& rows() const { return *installed_; }
  /// The switch has the neighbours and cables it had.
  bool same_cables(SwitchId sw) const;
  /// Columns to which the ways of a switch or of a neighbour have changed, ascending.
  void list(SwitchId sw, std::vector<std::uint32_t>& columns) const;

 private:
  void compare(const Ways& before);

  const Tree& now_;
  const Ways& ways_now_;
  std::optional<Tree> before_;
  std::optional<common::InstalledTables> installed_;
  std::vector<std::vector<std::uint32_t>> moved_;  ///< by switch: columns to which its ways have changed
};

}  // namespace rch::engines::tree
