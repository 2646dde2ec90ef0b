#pragma once

#include <span>
#include <vector>

#include "base/bitset.h"
#include "engines/common/incremental/switch_match.h"
#include "fabric/switch_graph.h"

namespace rch::engines::common {

/// One direction of a link between switches, by joint ids.
struct DirectedLink {
  SwitchId from;
  PortNum out;
  SwitchId to;
};

/// The links between switches that only one of two graphs has. A link is the same if it joins the same ports.
class LinkChanges {
 public:
  LinkChanges(const SwitchMatch& match, const fabric::SwitchGraph& before, const fabric::SwitchGraph& now);

  /// Links of `before` alone, and of `now` alone; each in both directions, by `to`.
  std::span<const DirectedLink> lost() const { return lost_; }
  std::span<const DirectedLink> added() const { return added_; }
  /// A switch of `now` has the links that it had.
  bool same(SwitchId sw) const { return same_.contains(sw); }

 private:
  void find_added(const SwitchMatch& match, const fabric::SwitchGraph& before,
                  const fabric::SwitchGraph& now);
  void find_lost(const SwitchMatch& match, const fabric::SwitchGraph& before, const fabric::SwitchGraph& now);

  IdSet<SwitchId> same_;
  std::vector<DirectedLink> lost_, added_;
};

/// The links that both graphs have, by joint ids.
fabric::SwitchGraph common_links(const SwitchMatch& match, const fabric::SwitchGraph& before,
                                 const fabric::SwitchGraph& now);

}  // namespace rch::engines::common
