#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bitset.h"
#include "chains/plan.h"
#include "verify/wiring.h"

namespace rch::whatif {

/// Pairs of hosts on each link between switches when every host sends to every LID. Those of a plan that
/// differs little from the base plan follow from the paths that differ.
class LinkFlows {
 public:
  /// Keeps a reference. The tables of the plan have their entries by LID, too.
  explicit LinkFlows(const chains::Plan& base);

  /// Pairs on the fullest link of the base plan; 0 without links.
  std::uint64_t fullest() const { return fullest_; }
  /// The same of another plan: chains::balance(), sooner.
  std::uint64_t fullest(const chains::Plan& plan) const;

 private:
  struct Move {
    Lid lid;
    SwitchId sw;
    std::uint8_t entry;  ///< of now
  };
  class Paths;

  /// The slots of links that are gone, by slot; nothing where more than links between switches is gone or
  /// new.
  std::optional<std::vector<bool>> lost_slots(const fabric::Fabric& now) const;
  /// Entries for hosts that are others now, and those over lost links; by LID, then switch.
  std::vector<Move> moves(const chains::Plan& now, const std::vector<bool>& lost) const;

  const chains::Plan& base_;
  verify::Wiring wiring_;
  IdSet<Lid> is_of_host_;
  std::vector<std::uint64_t> flows_;  ///< of the base plan, by slot
  std::uint64_t fullest_ = 0;
};

}  // namespace rch::whatif
