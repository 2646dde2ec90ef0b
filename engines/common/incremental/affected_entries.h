#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engines/common/incremental/changed_hops.h"

namespace rch::engines::common {

/// The entries of the installed tables that a change affects: the whole table of a switch whose neighborhood
/// has changed; of any other table the destinations with new LIDs, and those to which the hops of the switch
/// or of a neighbor have changed. For all other entries the candidates are as they were.
class AffectedEntries {
 public:
  /// Keeps a reference to `rerouting`, which must be incremental.
  AffectedEntries(const Rerouting& rerouting, std::vector<ChangedHop> changed);

  const ChangeSet& changes() const { return rerouting_.changes(); }
  bool whole_table(SwitchId sw) const { return !rerouting_.same_neighborhood(sw); }
  /// Affected destinations in the table of a switch, ascending.
  void list(SwitchId sw, std::vector<SwitchId>& destinations) const;

 private:
  std::span<const ChangedHop> changed_from(SwitchId sw) const {
    return std::span(changed_).subspan(begin_[sw.index()], begin_[sw.index() + 1] - begin_[sw.index()]);
  }

  const Rerouting& rerouting_;
  std::vector<ChangedHop> changed_;   ///< sorted
  std::vector<std::uint32_t> begin_;  ///< by switch, into changed_
};

/// Distances of now, and the entries that they affect; none if every entry has to be selected again.
struct Distances {
  HopMatrix hops;
  std::optional<AffectedEntries> entries;

  const AffectedEntries* affected() const { return entries ? &*entries : nullptr; }
};
Distances find_distances(const Rerouting& rerouting);

}  // namespace rch::engines::common
