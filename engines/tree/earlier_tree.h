#pragma once

#include <optional>
#include <vector>

#include "engines/common/in_force.h"
#include "engines/tree/targets.h"
#include "engines/tree/ways.h"

namespace rch::engines::tree {

/// The tree by which the tables in force were made beside the tree of now, for a formula that need not be
/// worked out where nothing it depends on has changed.
class EarlierTree {
 public:
  /// `same` grows the tree of the view given as the one of now was grown.
  template <class Grow>
  EarlierTree(const Tree& now, const Ways& ways, const Targets& targets,
              const std::optional<common::InForce>& held, bool step_aside, Grow&& same)
      : now_(now), ways_now_(ways) {
    if (!held || !held->same_rules) return;
    common::Attempt<Tree> before = same(*held->view);
    if (before) compare(std::move(*before), targets, *held, step_aside);
  }

  /// False if the trees do not number the same switches and targets alike, or there are no tables to start
  /// from. All else holds only if true.
  bool comparable() const { return held_.has_value(); }
  const common::HeldRows& rows() const { return *held_; }
  /// The switch has the neighbours and cables it had.
  bool same_cables(SwitchId sw) const;
  /// Columns to which the ways of a switch or of a neighbour have changed, ascending.
  void list(SwitchId sw, std::vector<std::uint32_t>& columns) const;

 private:
  void compare(Tree before, const Targets& targets, const common::InForce& held, bool step_aside);

  const Tree& now_;
  const Ways& ways_now_;
  std::optional<Tree> before_;
  std::optional<common::HeldRows> held_;
  std::vector<std::vector<std::uint32_t>> moved_;  ///< by switch: columns to which its ways have changed
};

}  // namespace rch::engines::tree
