#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "engines/common/incremental/installed_tables.h"
#include "engines/common/port_selection/port_context.h"

namespace rch::engines::common {

/// One direction of a link between switches, and the hops that it costs.
struct Arc {
  SwitchId from;
  SwitchId to;
  std::uint8_t weight = 1;
};

/// The arcs that begin, or end, at a switch, of arcs sorted by that end.
template <SwitchId Arc::*End>
std::span<const Arc> arcs_at(std::span<const Arc> arcs, SwitchId sw) {
  const auto begin = std::ranges::lower_bound(arcs, sw, {}, End);
  const auto end = std::ranges::upper_bound(arcs, sw, {}, End);
  return arcs.subspan(static_cast<std::size_t>(begin - arcs.begin()), static_cast<std::size_t>(end - begin));
}

/// The change set by the links and weights that an engine routes by. Switches have the joint ids of the
/// change set.
class Rerouting {
 public:
  /// Keeps a reference to `now`.
  explicit Rerouting(const PortContext& now);
  Rerouting(const Rerouting&) = delete;
  Rerouting& operator=(const Rerouting&) = delete;

  /// False if every entry has to be selected again: nothing is installed, other rules made it, ports are
  /// drawn, or too many links have changed. All else holds only if true.
  bool is_incremental() const { return before_.has_value(); }

  const PortContext& now() const { return now_; }
  const WeightedGraph& before() const { return *before_; }
  const ChangeSet& changes() const { return *now_.options().installed->changes; }
  const SwitchMatch& switches() const { return changes().switches(); }

  /// Links that both graphs have.
  const fabric::SwitchGraph& common() const { return *common_; }
  /// Links of before() alone, and of now() alone; by `to`.
  std::span<const Arc> lost() const { return lost_; }
  std::span<const Arc> added() const { return added_; }
  /// A switch of now() has the links and the hosts that it had.
  bool same_neighborhood(SwitchId sw) const { return links_->same(sw) && changes().same_hosts(sw); }

 private:
  bool has_few_changes() const;
  void find_common();

  const PortContext& now_;
  std::optional<WeightedGraph> before_;
  std::optional<LinkChanges> own_links_;  ///< where not all links of a view may be used
  const LinkChanges* links_ = nullptr;
  std::vector<Arc> lost_, added_;
  std::optional<fabric::SwitchGraph> joined_;
  const fabric::SwitchGraph* common_ = nullptr;
};

}  // namespace rch::engines::common
