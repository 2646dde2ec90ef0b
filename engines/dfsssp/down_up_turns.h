#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/common/dependency_graph.h"
#include "engines/dfsssp/hop_bits.h"
#include "engines/dfsssp/routes.h"

namespace rch::engines::dfsssp {

/// Proves that one VL suffices without building the CDG. Every link leads up towards the switch farther from
/// all hosts; between equal ranks, towards the higher index. A credit loop needs a down-up turn: a path that
/// goes down and then up again. Fat trees have none; damaged ones have few.
class DownUpTurns {
 public:
  /// Keeps references.
  DownUpTurns(const fabric::SwitchGraph& graph, const HopBits& hops, const Routes& routes);

  /// True if `tables` of minimal paths have an acyclic CDG; false if that is unknown.
  bool exclude_credit_loops(const fabric::ForwardingTables& tables) const;
  /// Destinations that some minimal path from a host reaches with a down-up turn, ascending. The CDG of all
  /// minimal paths to the others is acyclic.
  std::vector<SwitchId> destinations() const;
  const fabric::SwitchGraph& graph() const { return graph_; }
  bool is_turn(common::ChannelId c, common::ChannelId next) const;
  /// All switches by ascending rank.
  const std::vector<SwitchId>& by_rank() const { return by_rank_; }
  /// All channels, each before those that follow it without a turn.
  std::vector<common::ChannelId> topological_order() const;

 private:
  bool leads_up(SwitchId from, SwitchId to) const { return height_[from.index()] < height_[to.index()]; }

  const fabric::SwitchGraph& graph_;
  const HopBits& hops_;
  const Routes& routes_;
  std::vector<SwitchId> by_rank_;
  std::vector<std::uint32_t> height_;  ///< by switch, its position in by_rank_
};

}  // namespace rch::engines::dfsssp
