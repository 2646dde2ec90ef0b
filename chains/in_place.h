#pragma once

#include <optional>
#include <span>
#include <vector>

#include "chains/plan.h"
#include "fabric/block_writes.h"

namespace rch::chains {

/// One port of a link, and the port at its other end.
struct Cable {
  PortId near, far;

  friend bool operator==(const Cable&, const Cable&) = default;
};

/// The fabric and the tables that packets meet while a target is written which leaves out links or switches
/// that still carry data.
struct InPlace {
  fabric::Fabric fabric;  ///< that of the target, with these parts
  /// The tables on that fabric, where they are others: those of a part that is left out stay as they are.
  std::optional<fabric::RoutingTables> installed, target;
  /// By switch of the target: its number in `fabric`. Empty: it has the same.
  std::vector<SwitchId> number;

  SwitchId number_of(SwitchId sw) const { return number.empty() ? sw : number[sw.index()]; }
};

/// `target` with links between its switches.
std::optional<InPlace> with_links(const fabric::Fabric& target, std::span<const Cable> links);

/// Nodes that the target does without, which hold the tables of an earlier plan.
struct StandingNodes {
  const Plan& before;
  std::vector<NodeId> nodes;         ///< of that plan
  std::span<const PortId> carriers;  ///< ports of the target that are up and lead out of it
};

/// Adds nodes, with their links among each other and to carriers. Nothing if there is no such fabric.
std::optional<InPlace> with_nodes(InPlace in_place, const Plan& target,
                                  const fabric::RoutingTables& installed, const StandingNodes& standing);

/// Blocks and ports as the fabric in place numbers them, and writes the other way round: those to switches
/// that the target does without are dropped.
std::vector<fabric::LftBlock> blocks_in_place(const InPlace& in_place,
                                              std::span<const fabric::LftBlock> blocks);
std::vector<PortId> ports_in_place(const InPlace& in_place, const fabric::Fabric& target,
                                   std::span<const PortId> ports);
void renumber(const InPlace& in_place, std::vector<fabric::WriteRound>& rounds);

}  // namespace rch::chains
