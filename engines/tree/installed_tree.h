#pragma once

#include <optional>
#include <vector>

#include "engines/common/incremental/installed_tables.h"
#include "engines/tree/dmodk_input.h"

namespace rch::engines::tree {

/// The input by which the installed tables were computed; none if other rules made them. `build` builds the
/// tree of a view as for the target tables.
template <class Build>
std::optional<DmodkInput> installed_input(const std::optional<common::InstalledTables>& installed,
                                          bool use_siblings, Build&& build) {
  if (!installed || !installed->same_rules) return std::nullopt;
  common::Attempt<Tree> tree = build(installed->changes->before());
  if (!tree) return std::nullopt;
  return DmodkInput(std::move(*tree), use_siblings);
}

/// What differs between the inputs of the installed and the target tables. Entries that depend on nothing
/// that differs keep their ports.
class InstalledTree {
 public:
  /// `before`: installed_input() of `installed`. Keeps a reference to `target`.
  InstalledTree(const DmodkInput& target, const std::optional<common::InstalledTables>& installed,
                const std::optional<DmodkInput>& before);

  /// False if there are no installed tables, or the trees rank or index switches and destinations
  /// differently. All else holds only if true.
  bool comparable() const { return installed_.has_value(); }
  const common::InstalledTables& tables() const { return *installed_; }
  /// True when the switch has the same links to other switches.
  bool has_same_links(SwitchId sw) const { return installed_->changes->links().same(sw); }
  /// Columns to which the hops of a switch or of a neighbour have changed, ascending.
  std::vector<std::uint32_t> changed_columns(SwitchId sw) const;

 private:
  void compare_hops(const UpDownHops& before);

  const DmodkInput& target_;
  std::optional<common::InstalledTables> installed_;
  std::vector<std::vector<std::uint32_t>> changed_;  ///< by switch: columns to which its hops have changed
};

}  // namespace rch::engines::tree
