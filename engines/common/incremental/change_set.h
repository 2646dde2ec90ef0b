#pragma once

#include <span>
#include <vector>

#include "base/bitset.h"
#include "engines/common/incremental/link_changes.h"
#include "engines/common/incremental/switch_match.h"
#include "fabric/sub_fabric.h"

namespace rch::engines::common {

/// What differs between the view that the installed tables were made for and the view to route. Facts of the
/// fabric alone: chains/ makes one for each step, and every engine starts incremental rerouting from it.
class ChangeSet {
 public:
  /// Keeps references to both views.
  ChangeSet(const fabric::SubFabric& before, const fabric::SubFabric& now);

  const fabric::SubFabric& before() const { return before_; }
  const fabric::SubFabric& now() const { return now_; }
  const SwitchMatch& switches() const { return switches_; }
  const LinkChanges& links() const { return links_; }

  /// A switch of now() has the same CAs and routers at the same ports.
  bool same_hosts(SwitchId sw) const { return same_hosts_.contains(sw); }
  /// A switch of now() has the LID that it had, and each of its ports leads to the same LIDs.
  bool same_lids(SwitchId sw) const { return same_lids_.contains(sw); }
  /// A port of a switch of now() has the peer that it had, or none.
  bool same_peer(SwitchId sw, PortNum port) const;
  /// Switches of now() to which some LID leads that led to another port or nowhere; ascending.
  std::span<const SwitchId> with_new_lids() const { return with_new_lids_; }

 private:
  void compare_end_ports();
  void find_new_lids();

  const fabric::SubFabric& before_;
  const fabric::SubFabric& now_;
  SwitchMatch switches_;
  LinkChanges links_;
  IdSet<SwitchId> same_hosts_, same_lids_;
  std::vector<SwitchId> with_new_lids_;
};

}  // namespace rch::engines::common
