#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/common/port_selection/candidate_sets.h"
#include "engines/common/port_selection/port_context.h"
#include "engines/engine.h"

namespace rch::engines::common {

class Candidates;

/// What engines differ in: the output ports of a switch that may be selected for a destination.
class CandidateRule {
 public:
  virtual ~CandidateRule() = default;
  /// Adds the candidates of `sw` to `candidates`, which is empty. Several threads call it at once, for
  /// different switches.
  virtual void add_to(Candidates& candidates, SwitchId sw) const = 0;
};

/// The output ports of one switch to other switches in scan order, and for every destination switch, or for
/// some, which of them may be selected.
class Candidates {
 public:
  struct OutputPort {
    PortNum port;
    std::uint8_t scan_position;  ///< among all ports of the switch, from 1
    std::uint8_t weight;         ///< hops that leaving by it costs
    std::uint32_t neighbor;      ///< index into graph.neighbors(switch)
  };

  Candidates(const PortContext& context, const CandidateRule& rule)
      : context_(context), rule_(rule), sets_(context.graph().switch_count()) {}

  /// Finds the candidates of a switch for all destinations. Storage is reused.
  void examine(SwitchId sw);
  /// The same for these destinations alone.
  void examine(SwitchId sw, std::span<const SwitchId> destinations);

  const std::vector<OutputPort>& outputs() const { return outputs_; }
  bool contains(SwitchId destination, std::size_t output) const {
    return sets_.contains(destination.index(), output);
  }
  /// W * 64 must be at least the number of outputs.
  template <std::size_t W>
  CandidateSet<W> set(SwitchId destination) const {
    return sets_.at<W>(destination.index());
  }

  /// For rules: outputs are added here, by their index in outputs().
  CandidateSets& sets() { return sets_; }

 private:
  void list_outputs(SwitchId sw);

  const PortContext& context_;
  const CandidateRule& rule_;
  std::vector<OutputPort> outputs_;
  CandidateSets sets_;
};

/// All output ports on shortest paths (OpenSM's osm_switch.c). Keeps references.
class ShortestPaths : public CandidateRule {
 public:
  ShortestPaths(const fabric::SwitchGraph& graph, const HopMatrix& hops) : graph_(graph), hops_(hops) {}
  void add_to(Candidates& candidates, SwitchId sw) const override;

 private:
  const fabric::SwitchGraph& graph_;
  const HopMatrix& hops_;
};

}  // namespace rch::engines::common
